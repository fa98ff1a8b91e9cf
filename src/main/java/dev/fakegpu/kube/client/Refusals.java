package dev.fakegpu.kube.client;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Why a write failed, and whether it would fail again. */
public final class Refusals {

    /** Limits the number of causes, since causes can form a cycle. */
    private static final int MAX_CAUSES = 10;

    private static final int TOO_MANY_REQUESTS = 429;

    /** {@code v1.NamespaceTerminatingCause} of k8s.io/api. */
    private static final String NAMESPACE_TERMINATING = "NamespaceTerminating";

    /** {@code ErrRequestTooLarge} of etcd's {@code rpctypes}, and what gRPC says in the API server of an even larger request to etcd. */
    private static final List<String> TOO_LARGE =
            List.of("etcdserver: request is too large", "trying to send message larger than max");

    private Refusals() {}

    /** Whether the same write would be refused again. */
    public static boolean isRefusal(KubernetesClientException e) {
        return isTooLarge(e)
                || e.getCode() >= HttpURLConnection.HTTP_BAD_REQUEST
                        && e.getCode() < HttpURLConnection.HTTP_INTERNAL_ERROR
                        && e.getCode() != TOO_MANY_REQUESTS
                        && e.getCode() != HttpURLConnection.HTTP_CONFLICT
                        && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND;
    }

    /**
     * Whether etcd does not store the object because of its size, which the API server reports as its own error. Upstream: {@code
     * isTooLargeError} in {@code rest.go} of the API server.
     */
    private static boolean isTooLarge(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_INTERNAL_ERROR
                && TOO_LARGE.stream().anyMatch(message(e)::contains);
    }

    /** Whether the API server did not answer in time. It may still be working on the request, and would do so again after a retry. */
    public static boolean isTimeout(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_GATEWAY_TIMEOUT
                || Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                        .limit(MAX_CAUSES)
                        .anyMatch(TimeoutException.class::isInstance);
    }

    /** Whether an object could not be created because its namespace is being deleted, together with everything in it. */
    public static boolean isNamespaceTerminating(KubernetesClientException e) {
        var status = e.getStatus();
        return status != null
                && status.getDetails() != null
                && status.getDetails().getCauses().stream()
                        .anyMatch(cause -> NAMESPACE_TERMINATING.equals(cause.getReason()));
    }

    /** The API server's own message, without the request and details that the client adds. */
    public static String message(KubernetesClientException e) {
        var status = e.getStatus();
        return String.valueOf(status == null || status.getMessage() == null ? e.getMessage() : status.getMessage());
    }
}
