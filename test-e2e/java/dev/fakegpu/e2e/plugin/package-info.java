/**
 * Tests of the kubelet plugin on nodes with a real kubelet: {@code KubeletPluginE2E} with a kubelet on this machine, and {@code KindE2E} on
 * a kind cluster. Both are skipped if the environment does not name such a node.
 */
@NullMarked
package dev.fakegpu.e2e.plugin;

import org.jspecify.annotations.NullMarked;
