/**
 * Converts between the client's model of {@code resource.k8s.io/v1} and the values of {@link dev.fakegpu.dra}: {@link
 * dev.fakegpu.dra.wire.SliceReader} and {@link dev.fakegpu.dra.wire.SliceWriter} for ResourceSlices, {@link
 * dev.fakegpu.dra.wire.ClaimReader} for claims and device classes, {@link dev.fakegpu.dra.wire.Allocations} and {@link
 * dev.fakegpu.dra.wire.DeviceStatuses} for a claim's status, and {@link dev.fakegpu.dra.wire.GroupsAnnotation} for compatibility
 * groups that the API server does not keep. The fields of
 * slices are mapped by the table in {@link dev.fakegpu.dra.field}, all others only here.
 *
 * <p>Packages that make decisions see only the values. Packages that read and write API objects, such as {@code schedule}, {@code publish},
 * {@code prepare} and {@code watch}, use the client's objects and convert them here.
 */
@NullMarked
package dev.fakegpu.dra.wire;

import org.jspecify.annotations.NullMarked;
