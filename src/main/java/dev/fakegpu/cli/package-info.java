/** {@code fakegpu}: the command line. */
@NullMarked
package dev.fakegpu.cli;

import org.jspecify.annotations.NullMarked;
