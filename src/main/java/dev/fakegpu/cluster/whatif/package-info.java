/**
 * Answers what would happen if objects were created, changed or deleted: {@link dev.fakegpu.cluster.whatif.Changes} is the question, and
 * {@link dev.fakegpu.cluster.whatif.WhatIf} is the answer, as values, text and JSON. {@code simulate.change.PlayedChanges} computes the
 * answer: it applies the changes to a copy of the cluster.
 */
@NullMarked
package dev.fakegpu.cluster.whatif;

import org.jspecify.annotations.NullMarked;
