/**
 * Reads the input that users give to a command: files, standard input, folders. The input is YAML or JSON. The output is FakeGpus, slices
 * and other objects, or an {@code InvalidInputException} that names the file and the line. This package knows nothing about the commands or
 * a cluster.
 */
@NullMarked
package dev.fakegpu.cli.input;

import org.jspecify.annotations.NullMarked;
