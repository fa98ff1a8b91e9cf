/**
 * Answers questions about a cluster and writes nothing: {@code snapshot} reads a cluster once, {@code fit} has the reasons besides devices
 * that keep pods off nodes, {@code holdings} has the holders of devices, {@code pending} says why something is waiting, {@code whatif} says
 * what a change would lead to, and {@code check} finds problems in published slices and classes.
 *
 * <ul>
 *   <li>In: objects of a cluster or of files, with what could not be read.
 *   <li>Out: answers as values, text and JSON.
 *   <li>It must never write to a cluster, and must not use the parts of the operator.
 * </ul>
 */
@NullMarked
package dev.fakegpu.cluster;

import org.jspecify.annotations.NullMarked;
