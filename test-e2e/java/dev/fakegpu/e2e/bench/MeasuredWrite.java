package dev.fakegpu.e2e.bench;

import dev.fakegpu.kube.client.ObjectClient;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A kind of write of the operator, and a plain update of an equal object.
 *
 * @param name the kind of write
 * @param object a description of the object
 * @param updated the plain update
 * @param written the write as the operator does it
 */
record MeasuredWrite<T extends HasMetadata>(
        String name, String object, Way<T> updated, Function<ObjectClient, Way<T>> written) {

    /**
     * @param stored creates an object, which is not measured
     * @param write writes to the object
     */
    record Way<T>(Supplier<T> stored, Consumer<T> write) {}

    /** The size of the object before the write, in bytes of JSON. */
    int bytes(KubernetesClient client) {
        T object = updated.stored().get();
        int bytes = client.getKubernetesSerialization().asJson(object).getBytes(StandardCharsets.UTF_8).length;
        remove(client, object);
        return bytes;
    }

    void remove(KubernetesClient client, T object) {
        client.resource(object).withGracePeriod(0).delete();
        T remaining = client.resource(object).get();
        if (remaining != null) {
            T released = client.getKubernetesSerialization().clone(remaining);
            released.getMetadata().setFinalizers(List.of());
            ObjectClient.of(client).update(remaining, released);
        }
    }
}
