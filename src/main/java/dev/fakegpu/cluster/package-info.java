/**
 * Answers questions about a cluster and writes nothing: {@code snapshot} reads a cluster once, {@code fit} knows what besides devices keeps
 * pods off nodes, {@code holdings} who holds which device, {@code pending} why something waits, {@code whatif} what a change would lead to,
 * and {@code check} what is wrong with published slices and classes.
 *
 * <ul>
 *   <li>In: objects of a cluster, or of a file, with what could not be read of them.
 *   <li>Out: answers as values, text and JSON.
 *   <li>It must never write to a cluster, and never know the parts of the operator.
 * </ul>
 */
@NullMarked
package dev.fakegpu.cluster;

import org.jspecify.annotations.NullMarked;
