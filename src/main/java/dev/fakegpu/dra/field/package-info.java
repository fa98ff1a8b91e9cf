/**
 * The fields of the types of {@code resource.k8s.io} that slices consist of, each once: its name, its type, and how to get, read and write
 * its value.
 *
 * <ul>
 *   <li>In: values of {@link dev.fakegpu.dra}, or JSON.
 *   <li>Out: the same as JSON or values, and lists of fields for code that compares, checks or shares parts of slices.
 *   <li>This package must never know a FakeGpu, an allocator or a client.
 * </ul>
 */
@NullMarked
package dev.fakegpu.dra.field;

import org.jspecify.annotations.NullMarked;
