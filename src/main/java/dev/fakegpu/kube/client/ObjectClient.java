package dev.fakegpu.kube.client;

import dev.fakegpu.dra.wire.CompactSlice;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes single objects of an API server ({@link #of}), or of a cluster in memory. All methods throw
 * {@link KubernetesClientException} with the API server's status code; it is 409 if the stored object is another version than the one that
 * was read.
 */
public interface ObjectClient {

    /** The stored object of this kind, namespace and name; null if there is none. */
    <T extends HasMetadata> @Nullable T get(T object);

    /** All objects of a kind in all namespaces. */
    <T extends HasMetadata> List<T> list(Class<T> kind);

    /** Creates an object. For a slice, the field manager is the operator, and fields that the API server does not know are dropped. */
    <T extends HasMetadata> T create(T object);

    /**
     * Creates a slice like {@link #create}, but does not read its stored spec.
     *
     * @return the slice with the stored metadata, and otherwise as it was sent
     */
    ResourceSlice createUnread(CompactSlice slice);

    /**
     * Replaces a stored slice. An update costs the API server about half of what a patch costs that changes all devices.
     *
     * @param desired the slice, with the changed metadata of the version that was read
     */
    ResourceSlice replace(CompactSlice desired);

    /** Applies the object on the server, with the operator as field manager; takes over fields of other managers. */
    <T extends HasMetadata> T apply(T desired);

    /** Writes the difference, except in the status. */
    <T extends HasMetadata> T update(T before, T after);

    /** Writes only the difference in the status. */
    <T extends HasMetadata> T updateStatus(T before, T after);

    /** Changes the version of the object that is stored now. */
    <T extends HasMetadata> T edit(T stored, UnaryOperator<T> change);

    /** Merges conditions by type, and other fields by name, into the status of a pod. */
    Pod mergeStatus(Pod patch);

    void bind(Binding binding);

    /** Deletes the object with its default grace period. Does nothing if the object was deleted or replaced. */
    void delete(HasMetadata object);

    /** Deletes the object with grace period 0; for a pod this is the kubelet's last step. */
    void deleteImmediately(HasMetadata object);

    /**
     * The objects of an API server. A request that fails at once is repeated only twice, within 300 ms. By default, the client would repeat
     * it for more than 20 s, while others wait for its thread. Callers try again later.
     *
     * @see #patient
     */
    static ObjectClient of(KubernetesClient client) {
        var settings = new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                .withRequestRetryBackoffLimit(2)
                .build();
        return new ApiServerObjects(client.newClient(settings).adapt(KubernetesClient.class));
    }

    /** The objects of an API server, for writes that callers do not try again. A request that fails is repeated for more than 20 s. */
    static ObjectClient patient(KubernetesClient client) {
        return new ApiServerObjects(client);
    }
}
