/**
 * What users give to a command: files, standard input, folders. In goes YAML or JSON; out come FakeGpus, slices and other objects, or an
 * {@code InvalidInputException} that names file and line. It never knows the commands, or a cluster.
 */
@NullMarked
package dev.fakegpu.cli.input;

import org.jspecify.annotations.NullMarked;
