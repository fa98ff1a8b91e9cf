package dev.fakegpu.kube.client;

import dev.fakegpu.dra.wire.CompactSlice;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Creates slices and reads back only their metadata, since the watch reports the rest in any case. Reading the response for a large slice
 * takes both sides as long as writing it.
 */
record SliceCreation(KubernetesClient client) {

    private static final String PATH = "apis/resource.k8s.io/v1/resourceslices?fieldManager=%s&fieldValidation=Ignore";
    private static final String METADATA =
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    private static final long SECONDS = 60;

    CompactSlice create(CompactSlice slice, String fieldManager) {
        String server = client.getMasterUrl().toString();
        var request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(server + (server.endsWith("/") ? "" : "/") + PATH.formatted(fieldManager))
                .header("Accept", METADATA)
                .post("application/json", client.getKubernetesSerialization().asJson(slice))
                .build();
        try {
            HttpResponse<String> response =
                    client.getHttpClient().sendAsync(request, String.class).get(SECONDS, TimeUnit.SECONDS);
            if (!response.isSuccessful()) {
                throw failure(response);
            }
            var metadata = client.getKubernetesSerialization()
                    .unmarshal(response.body(), GenericKubernetesResource.class)
                    .getMetadata();
            metadata.setManagedFields(List.of());
            return slice.asStoredWith(metadata);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KubernetesClientException.launderThrowable(e);
        } catch (ExecutionException | TimeoutException e) {
            throw KubernetesClientException.launderThrowable(e);
        }
    }

    private KubernetesClientException failure(HttpResponse<String> response) {
        try {
            Status status = client.getKubernetesSerialization().unmarshal(response.body(), Status.class);
            return new KubernetesClientException(status.getMessage(), response.code(), status);
        } catch (RuntimeException e) { // not a response of the API server
            return new KubernetesClientException(response.body(), response.code(), null);
        }
    }
}
