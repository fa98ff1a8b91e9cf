/**
 * The current state of the cluster. {@link dev.fakegpu.kube.watch.ClusterWatch} has one informer per kind for the whole process.
 * {@link dev.fakegpu.kube.watch.ObjectStore} applies our own writes at once and calls listeners.
 * {@link dev.fakegpu.kube.watch.ParsedSlices}, {@link dev.fakegpu.kube.watch.SliceCache} and {@link dev.fakegpu.kube.watch.PodClaims} are
 * views of it; {@link dev.fakegpu.kube.watch.ObjectLookup} is for code that only looks up objects.
 * {@link dev.fakegpu.kube.watch.UnreadableObjects} tracks objects with fields that cannot be read, and
 * {@link dev.fakegpu.kube.watch.WatchedBytes} measures how much is kept.
 */
@NullMarked
package dev.fakegpu.kube.watch;

import org.jspecify.annotations.NullMarked;
