package dev.fakegpu.client;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** Writes that the API server refuses, and would refuse again: they are invalid, or not allowed. */
public final class Refusals {

    private static final int TOO_MANY_REQUESTS = 429;

    private Refusals() {}

    /** Whether the same write would be refused again. */
    public static boolean isRefusal(KubernetesClientException e) {
        return e.getCode() >= HttpURLConnection.HTTP_BAD_REQUEST
                && e.getCode() < HttpURLConnection.HTTP_INTERNAL_ERROR
                && e.getCode() != TOO_MANY_REQUESTS
                && e.getCode() != HttpURLConnection.HTTP_CONFLICT
                && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND;
    }

    /** The API server's own words, without the request and details that the client adds. */
    public static String message(KubernetesClientException e) {
        var status = e.getStatus();
        return String.valueOf(status == null || status.getMessage() == null ? e.getMessage() : status.getMessage());
    }
}
