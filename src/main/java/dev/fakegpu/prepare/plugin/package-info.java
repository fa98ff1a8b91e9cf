/**
 * The kubelet plugin of a node with a kubelet: DRA driver on Unix sockets, with the preparer's validation behind
 * NodePrepareResources. What a checkpoint, a CDI file and a device's sheet contain, and what is prepared, is decided without files
 * and sockets ({@code Checkpoint}, {@code CdiSpec}, {@code DeviceInfoFile}, {@code DeviceHealths}); the rest of the package is about
 * those.
 */
@NullMarked
package dev.fakegpu.prepare.plugin;

import org.jspecify.annotations.NullMarked;
