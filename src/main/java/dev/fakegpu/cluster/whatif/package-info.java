/**
 * What would happen if objects were created, changed or deleted: {@link dev.fakegpu.cluster.whatif.Changes} is the question and {@link
 * dev.fakegpu.cluster.whatif.WhatIf} the answer, as values, text and JSON. {@code simulate.change.PlayedChanges} finds the answer: it makes the
 * changes in a copy of the cluster.
 */
@NullMarked
package dev.fakegpu.cluster.whatif;

import org.jspecify.annotations.NullMarked;
