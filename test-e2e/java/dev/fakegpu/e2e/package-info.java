/**
 * End-to-end tests: the packaged operator as a process with its production rights, against real Kubernetes components. One package for
 * each topic; {@code support} has what they share.
 */
@NullMarked
package dev.fakegpu.e2e;

import org.jspecify.annotations.NullMarked;
