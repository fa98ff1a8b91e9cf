/**
 * The command line {@code fakegpu}, built with picocli: one class {@code *Command} for each subcommand, registered in {@code Subcommands}.
 * {@code Manifests} is the option {@code -f}, and {@code Output} is the option {@code -o}. {@code FakeGpus} and {@code ResourceSlices} turn
 * manifests into values; {@code MixinSlices} does so for slices that have the mixins of KEP-5234. An {@link
 * dev.fakegpu.cli.input.InvalidInputException} becomes messages on standard error and exit code 1.
 *
 * <ul>
 *   <li>In: arguments, files, a kubeconfig.
 *   <li>Out: text, JSON or YAML, and an exit code.
 *   <li>It must never compute an answer of its own: what it prints comes from the rooms that the operator uses, so that it matches what a
 *       cluster does. No other room uses it.
 * </ul>
 */
@NullMarked
package dev.fakegpu.cli;

import org.jspecify.annotations.NullMarked;
