/**
 * The current state of the cluster: {@link dev.fakegpu.watch.ClusterWatch} has one informer per kind for the whole process, {@link
 * dev.fakegpu.watch.ObjectStore} applies our own writes at once and calls listeners. {@link dev.fakegpu.watch.ParsedSlices}, {@link
 * dev.fakegpu.watch.SliceCache} and {@link dev.fakegpu.watch.PodClaims} are views of it; {@link dev.fakegpu.watch.ObjectLookup} is what
 * those need that only look objects up. {@link dev.fakegpu.watch.UnreadableObjects} are those with fields that cannot be read, and {@link
 * dev.fakegpu.watch.WatchedBytes} counts.
 */
@NullMarked
package dev.fakegpu.watch;

import org.jspecify.annotations.NullMarked;
