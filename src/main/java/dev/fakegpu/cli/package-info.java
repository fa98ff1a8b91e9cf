/**
 * The command line {@code fakegpu}, built with picocli: one class {@code *Command} for each subcommand, registered in {@code Subcommands}.
 * {@code Manifests} is the option {@code -f}, {@code Output} the option {@code -o}. {@code FakeGpus} and {@code ResourceSlices} turn
 * manifests into values; {@code MixinSlices} does so for slices with the mixins of KEP-5234. An {@link
 * dev.fakegpu.cli.input.InvalidInputException} becomes messages on standard error and exit code 1.
 *
 * <ul>
 *   <li>In: arguments, files, a kubeconfig.
 *   <li>Out: text, JSON or YAML, and an exit code.
 *   <li>It must never compute an answer of its own: what it prints comes from the rooms that the operator uses, so that it is what a
 *       cluster does. No other room knows it.
 * </ul>
 */
@NullMarked
package dev.fakegpu.cli;

import org.jspecify.annotations.NullMarked;
