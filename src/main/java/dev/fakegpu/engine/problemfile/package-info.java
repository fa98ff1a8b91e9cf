/**
 * Allocation problems and answers as JSON, for {@code fakegpu allocate}. {@code ProblemStream} reads problems, {@code Solver} solves each
 * with this project's allocator, and {@code ProblemAnswer} is written. The program in {@code hack/oracle} uses the same format for
 * upstream's allocator, so that the answers can be compared. {@code docs/allocation-problems.md} describes the fields.
 */
@NullMarked
package dev.fakegpu.engine.problemfile;

import org.jspecify.annotations.NullMarked;
