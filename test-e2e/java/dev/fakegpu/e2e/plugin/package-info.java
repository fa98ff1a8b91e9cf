/**
 * The kubelet plugin on nodes with a real kubelet: {@code KubeletPluginE2E} with a kubelet on this machine, {@code KindE2E} on a
 * cluster of kind. Both are skipped where the environment does not name such a node.
 */
@NullMarked
package dev.fakegpu.e2e.plugin;

import org.jspecify.annotations.NullMarked;
