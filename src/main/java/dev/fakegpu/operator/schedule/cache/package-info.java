/**
 * What a scheduler knows about the cluster. In go events of informers and the decisions that are still being written; out come nodes with
 * their resources, the slices that it may allocate from, the devices that are held ({@code AssumeCache}), and which nodes changed since when
 * ({@code NodeGenerations}). It never knows what is pending. Only the scheduling thread uses it.
 */
@NullMarked
package dev.fakegpu.operator.schedule.cache;

import org.jspecify.annotations.NullMarked;
