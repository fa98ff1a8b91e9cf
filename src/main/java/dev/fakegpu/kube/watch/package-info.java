/**
 * The current state of the cluster: {@link dev.fakegpu.kube.watch.ClusterWatch} has one informer per kind for the whole process, {@link
 * dev.fakegpu.kube.watch.ObjectStore} applies our own writes at once and calls listeners. {@link dev.fakegpu.kube.watch.ParsedSlices}, {@link
 * dev.fakegpu.kube.watch.SliceCache} and {@link dev.fakegpu.kube.watch.PodClaims} are views of it; {@link dev.fakegpu.kube.watch.ObjectLookup} is what
 * those need that only look objects up. {@link dev.fakegpu.kube.watch.UnreadableObjects} are those with fields that cannot be read, and {@link
 * dev.fakegpu.kube.watch.WatchedBytes} counts.
 */
@NullMarked
package dev.fakegpu.kube.watch;

import org.jspecify.annotations.NullMarked;
