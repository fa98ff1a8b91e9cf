package dev.fakegpu.kube.client;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/**
 * Deletes an object with its UID as a precondition ({@code DeleteOptions.preconditions.uid}), so that a deletion based on stale state
 * cannot delete a new object of the same name, such as the next pod of a StatefulSet. The client's own {@code delete()} can only send a
 * resource version, which fails after any change of the object.
 */
public final class DeleteByUid {
    private DeleteByUid() {}

    /**
     * Deletes the object with its default grace period, and its dependents in the background. Does nothing if it is gone.
     *
     * @throws KubernetesClientException if the API server refuses the deletion
     */
    public static void delete(KubernetesClient client, HasMetadata object) {
        delete(client, object, options(object).build());
    }

    /**
     * Deletes the object with grace period 0. For a pod this is the kubelet's last step, which removes it from the API server.
     *
     * @throws KubernetesClientException if the API server refuses the deletion
     */
    public static void deleteImmediately(KubernetesClient client, HasMetadata object) {
        delete(client, object, options(object).withGracePeriodSeconds(0L).build());
    }

    private static DeleteOptionsBuilder options(HasMetadata object) {
        return new DeleteOptionsBuilder()
                .withNewPreconditions()
                .withUid(object.getMetadata().getUid())
                .endPreconditions()
                .withPropagationPolicy("Background");
    }

    private static void delete(KubernetesClient client, HasMetadata object, DeleteOptions options) {
        try {
            client.raw(path(object), "DELETE", options);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND
                    && !(e.getCode() == HttpURLConnection.HTTP_CONFLICT && isReplaced(client, object))) {
                throw e;
            }
        }
    }

    private static boolean isReplaced(KubernetesClient client, HasMetadata object) {
        var stored = client.resource(object).get();
        return stored == null
                || !object.getMetadata().getUid().equals(stored.getMetadata().getUid());
    }

    private static String path(HasMetadata object) {
        String version = object.getApiVersion();
        String namespace = object.getMetadata().getNamespace();
        return (version.contains("/") ? "/apis/" : "/api/")
                + version
                + (namespace == null ? "" : "/namespaces/" + namespace)
                + "/"
                + object.getPlural()
                + "/"
                + object.getMetadata().getName();
    }
}
