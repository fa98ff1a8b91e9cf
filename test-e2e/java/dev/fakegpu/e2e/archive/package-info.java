/** The archives with a Java runtime, as users unpack and call them. */
@NullMarked
package dev.fakegpu.e2e.archive;

import org.jspecify.annotations.NullMarked;
