/**
 * The kubelet plugin of a node with a kubelet: DRA drivers on Unix sockets.
 *
 * <p>{@link dev.fakegpu.operator.prepare.plugin.KubeletPlugin} wires it: {@code ServedDrivers} decides which drivers there are, and {@code
 * DriverPlugin} is one of them. A call arrives at {@code DriverService}; {@code ClaimPreparer} reads the claim and the devices ({@code
 * ClusterAccess}), applies injected faults, validates, and stores the result in {@code NodeState}: the checkpoint and the files for
 * containers. The contents of these files ({@code Checkpoint}, {@code CdiSpec}, {@code DeviceInfoFile}) are computed without files, sockets
 * or a client.
 */
@NullMarked
package dev.fakegpu.operator.prepare.plugin;

import org.jspecify.annotations.NullMarked;
