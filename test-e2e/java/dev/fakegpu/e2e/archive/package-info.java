/** Tests of the archives with a Java runtime, which are unpacked and called as by users. */
@NullMarked
package dev.fakegpu.e2e.archive;

import org.jspecify.annotations.NullMarked;
