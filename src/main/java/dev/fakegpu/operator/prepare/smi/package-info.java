/**
 * What {@code nvidia-smi} answers in a container. Pure: {@link dev.fakegpu.operator.prepare.smi.SmiAnswers} writes at preparation all that is
 * known of a device, from the lines of its info file and the tables {@code fields.txt} and {@code views.txt} in the resources of this
 * package, which are the only lists of fields and lines, with their sources. The script {@code nvidia-smi} selects among these answers, and
 * knows what is known only in the container: the numbers of GPUs and MIG devices, how many there are, and the time.
 */
@NullMarked
package dev.fakegpu.operator.prepare.smi;

import org.jspecify.annotations.NullMarked;
