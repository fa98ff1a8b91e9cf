/**
 * Talks to an API server: {@code client} reads and writes, {@code watch} keeps objects up to date, {@code events} records events, {@code
 * manifest} reads objects that people wrote.
 *
 * <ul>
 *   <li>In: objects to write, and changes that the API server reports.
 *   <li>Out: stores of objects, parsed slices, and the outcome of each write.
 *   <li>This package must never know what an object means for an allocation, or why it is written.
 * </ul>
 */
@NullMarked
package dev.fakegpu.kube;

import org.jspecify.annotations.NullMarked;
