/** Whole scenarios: the packaged operator as a process with its production rights, against a real control plane. */
@NullMarked
package dev.fakegpu.e2e;

import org.jspecify.annotations.NullMarked;
