/**
 * The answers of {@code nvidia-smi} in a container. Pure: at preparation, {@link dev.fakegpu.operator.prepare.smi.SmiAnswers} writes all
 * that is known about a device. It uses the lines of the device's info file, and the tables {@code fields.txt} and {@code views.txt} in the
 * resources of this package, which are the only lists of fields and lines and name their sources. The script {@code nvidia-smi} selects
 * among these answers, and adds what is known only in the container: the numbers of GPUs and MIG devices, how many there are, and the time.
 */
@NullMarked
package dev.fakegpu.operator.prepare.smi;

import org.jspecify.annotations.NullMarked;
