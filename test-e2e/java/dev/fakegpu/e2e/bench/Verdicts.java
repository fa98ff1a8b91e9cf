package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cluster.validation.ApiValidation;
import dev.fakegpu.cluster.validation.FieldError;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.kube.manifest.ManifestFields;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What this project and a real API server, in a dry run, say about objects. */
final class Verdicts {

    private static final int UNPROCESSABLE = 422;

    /** The gates of all fields that are validated and are off by default in some versions, with the first minor version that has them. */
    private static final Map<String, Integer> GATES = new TreeMap<>(Map.ofEntries(
            Map.entry("DRAConsumableCapacity", 34),
            Map.entry("DRADeviceBindingConditions", 34),
            Map.entry("DRADeviceTaints", 34),
            Map.entry("DRAExtendedResource", 34),
            Map.entry("DRAPartitionableDevices", 34),
            Map.entry("DRADeviceCompatibilityGroups", 37),
            Map.entry("DRAListTypeAttributes", 36),
            Map.entry("DRANodeAllocatableResources", 36),
            Map.entry("DRAOptionalNodeOperations", 37),
            Map.entry("DRAPartitionableDevicesType", 37),
            Map.entry("DRAResourcePoolStatus", 36)));

    private static final Set<String> CLUSTER_SCOPED =
            Set.of("deviceclass", "devicetaintrule", "namespace", "node", "priorityclass", "resourceslice");

    private final KubernetesClient client;
    private final KubernetesVersion version;

    /**
     * The result of one side.
     *
     * @param isReadable false if fields have wrong names or types
     */
    record Verdict(boolean isReadable, List<FieldError> errors) {

        static final Verdict UNREADABLE = new Verdict(false, List.of());

        boolean isRefused() {
            return !isReadable || !errors.isEmpty();
        }

        TreeSet<String> paths() {
            var paths = new TreeSet<String>();
            errors.forEach(error -> paths.add(error.path()));
            return paths;
        }

        TreeSet<String> sentences() {
            var sentences = new TreeSet<String>();
            errors.forEach(error -> sentences.add(error.sentence()));
            return sentences;
        }

        @Override
        public String toString() {
            return isReadable ? errors.isEmpty() ? "accepted" : String.join("\n      ", sentences()) : "unreadable";
        }
    }

    /** @param client of an API server of this version with its {@linkplain #gates gates}; its default namespace then allows admin access */
    Verdicts(KubernetesClient client, KubernetesVersion version) {
        allowAdminAccess(client);
        this.client = withoutRetries(client);
        this.version = version;
    }

    /** The gates of all fields that are validated. */
    static String gates(KubernetesVersion version) {
        return GATES.entrySet().stream()
                .filter(gate -> gate.getValue() <= version.minor())
                .map(gate -> gate.getKey() + "=true")
                .collect(Collectors.joining(","));
    }

    static Class<? extends HasMetadata> type(JsonNode object) {
        return KnownKind.of(object).orElseThrow().type();
    }

    private static KubernetesClient withoutRetries(KubernetesClient client) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(client.getConfiguration())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    private static void allowAdminAccess(KubernetesClient client) {
        client.namespaces().withName("default").edit(namespace -> {
            namespace.getMetadata().getLabels().put("resource.kubernetes.io/admin-access", "true");
            return namespace;
        });
    }

    /** What is wrong according to this project. */
    Verdict here(JsonNode object) {
        return ManifestFields.readable(object, type(object), "", version)
                        .problems()
                        .isEmpty()
                ? new Verdict(true, ApiValidation.errors(object, version))
                : Verdict.UNREADABLE;
    }

    /** The API server's errors about fields; its later errors, for example about a missing node or an existing name, are ignored. */
    Verdict ofApiServer(JsonNode object) {
        try {
            client.raw(url(object), "POST", object.toString());
            return new Verdict(true, List.of());
        } catch (KubernetesClientException e) {
            if (e.getCause() instanceof IOException && !isUnanswered(e)) {
                return Verdict.UNREADABLE; // the API server panicked, and closed the connection
            }
            return switch (e.getCode()) {
                case UNPROCESSABLE -> new Verdict(true, errors(e));
                case HttpURLConnection.HTTP_BAD_REQUEST -> Verdict.UNREADABLE;
                case HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_CONFLICT -> new Verdict(true, List.of());
                default -> throw e;
            };
        }
    }

    /** Whether no connection was made, or the API server took too long. */
    private static boolean isUnanswered(Throwable error) {
        return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
                .anyMatch(each -> each instanceof ConnectException
                        || each instanceof InterruptedIOException
                        || each instanceof TimeoutException);
    }

    private static List<FieldError> errors(KubernetesClientException refusal) {
        return refusal.getStatus().getDetails().getCauses().stream()
                .map(Verdicts::error)
                .toList();
    }

    private static FieldError error(StatusCause cause) {
        return new FieldError(String.valueOf(cause.getField()), String.valueOf(cause.getMessage()));
    }

    private static String url(JsonNode object) {
        String version = object.path("apiVersion").asText();
        String kind = object.path("kind").asText().toLowerCase(Locale.ROOT);
        boolean isInNamespace = !CLUSTER_SCOPED.contains(kind);
        return (version.equals("v1") ? "/api/" : "/apis/") + version + (isInNamespace ? "/namespaces/default/" : "/")
                + kind + (kind.endsWith("s") ? "es" : "s") + "?dryRun=All&fieldValidation=Strict";
    }
}
