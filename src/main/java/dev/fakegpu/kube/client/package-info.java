/**
 * How this project talks to the API server through Fabric8's client, where the client's defaults are not safe with objects that others
 * write:
 * <ul>
 *   <li>{@link dev.fakegpu.kube.client.ClientSerialization} reads every object that the API server accepts, and keeps opaque JSON unchanged;
 *   <li>{@link dev.fakegpu.kube.client.UnreadableFields} marks those of which a field could not be read, and {@link
 *       dev.fakegpu.kube.client.KeptObjects} leaves out what nobody uses;
 *   <li>{@link dev.fakegpu.kube.client.Informers} keep watching, whatever fails;
 *   <li>{@link dev.fakegpu.kube.client.ObjectPatch} writes exactly what changed, {@link dev.fakegpu.kube.client.ClaimBytes} even where JSON cannot,
 *       and {@link dev.fakegpu.kube.client.Refusals} tells which failures are final;
 *   <li>{@link dev.fakegpu.kube.client.DeleteByUid} deletes an object, but never a successor of the same name.
 * </ul>
 */
@NullMarked
package dev.fakegpu.kube.client;

import org.jspecify.annotations.NullMarked;
