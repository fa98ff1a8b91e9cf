/**
 * Access to the API server through Fabric8's client. It replaces defaults of the client that are not safe for objects that other clients
 * write:
 * <ul>
 *   <li>{@link dev.fakegpu.kube.client.ClientSerialization} reads every object that the API server accepts, and keeps opaque JSON unchanged;
 *   <li>{@link dev.fakegpu.kube.client.UnreadableFields} marks objects with a field that could not be read, and
 *       {@link dev.fakegpu.kube.client.KeptObjects} drops unused fields;
 *   <li>{@link dev.fakegpu.kube.client.Informers} keep watching after any failure;
 *   <li>{@link dev.fakegpu.kube.client.ObjectPatch} writes only what changed, {@link dev.fakegpu.kube.client.ClaimBytes} does so where JSON
 *       cannot, and {@link dev.fakegpu.kube.client.Refusals} tells which failures are final;
 *   <li>{@link dev.fakegpu.kube.client.DeleteByUid} deletes an object, but never a successor of the same name.
 * </ul>
 */
@NullMarked
package dev.fakegpu.kube.client;

import org.jspecify.annotations.NullMarked;
