package dev.fakegpu.junit.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.dsl.Resource;

/** Creates the objects of a class. Unknown fields are refused instead of dropped. */
public final class Creation {

    private Creation() {}

    /** Creates an object that does not exist. */
    public static <T extends HasMetadata> void create(Resource<T> resource) {
        T object = resource.item();
        try {
            resource.fieldValidation(Validation.STRICT).create();
        } catch (KubernetesClientException e) {
            throw new ClusterException(
                    "%s %s is refused: %s"
                            .formatted(object.getKind(), object.getMetadata().getName(), sentence(e)),
                    e);
        }
    }

    /** The message of the API server, without the request and the other fields of the response. */
    private static String sentence(KubernetesClientException e) {
        return e.getStatus() == null || e.getStatus().getMessage() == null
                ? e.getMessage()
                : e.getStatus().getMessage();
    }
}
