/**
 * End-to-end tests: the packaged operator as a process with its production rights, with real Kubernetes components. There is one package
 * for each topic; {@code support} has shared code.
 */
@NullMarked
package dev.fakegpu.e2e;

import org.jspecify.annotations.NullMarked;
