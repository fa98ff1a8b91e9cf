/**
 * What a scheduler knows about the cluster. The input is events of informers and the decisions that are still being written. The output is
 * nodes with their resources, the slices that the scheduler may allocate from, the devices that are held ({@code AssumeCache}), and when
 * each node changed ({@code NodeGenerations}). This package knows nothing about pending items. Only the scheduling thread uses it.
 */
@NullMarked
package dev.fakegpu.operator.schedule.cache;

import org.jspecify.annotations.NullMarked;
