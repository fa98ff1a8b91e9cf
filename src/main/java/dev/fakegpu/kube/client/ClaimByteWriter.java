package dev.fakegpu.kube.client;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayInputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** Reads and writes a claim in Kubernetes' binary encoding; see {@link ClaimBytes}. */
final class ClaimByteWriter {

    private static final long SECONDS = 10;

    private final KubernetesClient client;

    ClaimByteWriter(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Replaces the stored claim with the result of {@code change}.
     *
     * @param read the version that the change is based on; if another one is stored, the write fails with a conflict
     * @param subresource the end of the request's path: empty, or {@code /status}
     */
    ResourceClaim write(ResourceClaim read, UnaryOperator<ClaimBytes> change, String subresource) {
        String path = path(read);
        var stored = ClaimBytes.read(send(client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(path)
                .header("Accept", ClaimBytes.MEDIA_TYPE)
                .build()));
        if (!stored.isVersionOf(read)) {
            throw failure(HttpURLConnection.HTTP_CONFLICT, "the claim has changed since it was read");
        }
        byte[] changed = change.apply(stored).write();
        byte[] response = send(client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(path + subresource)
                .header("Accept", "application/json")
                .put(ClaimBytes.MEDIA_TYPE, new ByteArrayInputStream(changed), changed.length)
                .build());
        return client.getKubernetesSerialization()
                .unmarshal(new String(response, StandardCharsets.UTF_8), ResourceClaim.class);
    }

    private String path(ResourceClaim claim) {
        String server = client.getMasterUrl().toString();
        return "%s/apis/resource.k8s.io/v1/namespaces/%s/resourceclaims/%s"
                .formatted(
                        server.endsWith("/") ? server.substring(0, server.length() - 1) : server,
                        claim.getMetadata().getNamespace(),
                        claim.getMetadata().getName());
    }

    private byte[] send(HttpRequest request) {
        try {
            HttpResponse<byte[]> response =
                    client.getHttpClient().sendAsync(request, byte[].class).get(SECONDS, TimeUnit.SECONDS);
            if (!response.isSuccessful()) {
                throw failure(response.code(), new String(response.body(), StandardCharsets.UTF_8));
            }
            return response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KubernetesClientException.launderThrowable(e);
        } catch (ExecutionException | TimeoutException e) {
            throw KubernetesClientException.launderThrowable(e);
        }
    }

    private static KubernetesClientException failure(int code, String message) {
        return new KubernetesClientException(
                message,
                code,
                new StatusBuilder().withCode(code).withMessage(message).build());
    }
}
