/** Allocation problems as JSON, and the answers: the format that the program in {@code hack/oracle} speaks as well. */
@NullMarked
package dev.fakegpu.problemfile;

import org.jspecify.annotations.NullMarked;
