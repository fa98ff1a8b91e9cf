/**
 * The command line {@code fakegpu}, built with picocli: one class {@code *Command} for each subcommand, registered in {@code
 * FakeGpuCommand}. Commands parse arguments, read files and print; what they print is computed by the same packages that the operator uses,
 * so the result is the same as in a cluster.
 *
 * <p>{@code Manifests} is the option {@code -f}, {@code Output} the option {@code -o}. {@code FakeGpus} and {@code ResourceSlices} turn
 * manifests into values; {@code MixinSlices} does so for slices with the mixins of KEP-5234. An {@link
 * dev.fakegpu.cli.InvalidInputException} becomes messages on standard error and exit code 1.
 */
@NullMarked
package dev.fakegpu.cli;

import org.jspecify.annotations.NullMarked;
