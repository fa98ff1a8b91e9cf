package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.cluster.validation.ApiValidation;
import dev.fakegpu.cluster.validation.FieldError;
import dev.fakegpu.e2e.bench.ObjectMutations.Mutated;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.kube.manifest.ManifestFields;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import dev.fakegpu.testing.ProjectFiles;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compares the validation of random mistakes with that of a real API server in a dry run. Writes a row of a table to standard output, and
 * differences to standard error: one of each kind, sorted by the number and length of the changes.
 *
 * <p>Arguments: the number of objects with mistakes, the seed, and the version of Kubernetes, such as {@code v1.37.1}.
 */
final class ValidationBench {

    private static final int UNPROCESSABLE = 422;
    private static final int MAX_SHOWN = 60;

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
            Set.of("deviceclass", "devicetaintrule", "node", "priorityclass", "resourceslice");

    private final KubernetesClient client;
    private final KubernetesVersion version;

    /**
     * The result of one side.
     *
     * @param isReadable false if fields have wrong names or types
     */
    private record Verdict(boolean isReadable, List<FieldError> errors) {

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

    private record Compared(Mutated mutated, Verdict ours, Verdict theirs) {

        boolean isEqual() {
            return ours.isRefused() == theirs.isRefused();
        }

        boolean isReadByBoth() {
            return ours.isReadable() && theirs.isReadable();
        }

        boolean hasEqualPaths() {
            return ours.paths().equals(theirs.paths());
        }

        /** Differences of the same kind have the same text. */
        String difference() {
            var only = new ArrayList<String>();
            theirs.errors().forEach(error -> only.add((ours.paths().contains(error.path()) ? "" : "-") + shape(error)));
            ours.errors().forEach(error -> only.add((theirs.paths().contains(error.path()) ? "" : "+") + shape(error)));
            only.removeIf(each -> !each.startsWith("-") && !each.startsWith("+"));
            String read =
                    (ours.isReadable() ? "" : "unreadable here ") + (theirs.isReadable() ? "" : "unreadable there ");
            return mutated.object().path("kind").asText() + " " + read + String.join(" ", new TreeSet<>(only));
        }

        private static String shape(FieldError error) {
            return error.path().replaceAll("\\[[^]]*]", "[]") + ":"
                    + error.what().split(":", 2)[0];
        }

        int size() {
            return mutated.edits().size() * 1000
                    + String.join("", mutated.edits()).length();
        }

        @Override
        public String toString() {
            return mutated.object().path("kind").asText() + ": " + String.join("; ", mutated.edits())
                    + "\n    API server: " + theirs + "\n    here: " + ours;
        }
    }

    private ValidationBench(KubernetesClient client, KubernetesVersion version) {
        this.client = client;
        this.version = version;
    }

    public static void main(String... arguments) throws IOException {
        int number = Integer.parseInt(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        String program = arguments[2];
        KubernetesVersion version = version(program);
        List<JsonNode> objects = objects(version);
        var mutations = new ObjectMutations(
                objects.stream().map(object -> known(object, version)).toList(), objects, seed);
        List<Mutated> mutated =
                IntStream.range(0, number).mapToObj(i -> mutations.next()).toList();
        try (var controlPlane = ControlPlane.start(
                ControlPlaneOptions.apiServerOnly().version(program).featureGates(gates(version)))) {
            var bench = new ValidationBench(withoutRetries(controlPlane.client()), version);
            bench.allowAdminAccess();
            List<Compared> compared =
                    mutated.parallelStream().map(bench::compare).toList();
            differences(compared);
            System.out.println("| " + program.substring(1) + " " + row(compared, seed));
        }
        System.exit(0); // otherwise the threads of clients keep the process alive
    }

    private static KubernetesClient withoutRetries(KubernetesClient client) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(client.getConfiguration())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    private static KubernetesVersion version(String program) {
        return Arrays.stream(KubernetesVersion.values())
                .filter(version -> program.startsWith("v" + version + "."))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(program + " is not a known version"));
    }

    private static String gates(KubernetesVersion version) {
        return GATES.entrySet().stream()
                .filter(gate -> gate.getValue() <= version.minor())
                .map(gate -> gate.getKey() + "=true")
                .collect(Collectors.joining(","));
    }

    private static List<JsonNode> objects(KubernetesVersion version) throws IOException {
        var objects = new ArrayList<JsonNode>();
        for (String file : List.of("refused.yaml", "versions.yaml")) {
            JsonNode cases = new YAMLMapper()
                    .readTree(ProjectFiles.resolve("src/test/resources/validation/" + file)
                            .toFile());
            cases.path("objects").forEach(object -> {
                if (isServed(object, version)) {
                    objects.add(object);
                }
            });
        }
        return objects;
    }

    /** The object without the fields that the version does not have, and without attributes that have no value then. */
    private static JsonNode known(JsonNode object, KubernetesVersion version) {
        JsonNode known =
                ManifestFields.readable(object, type(object), "", version).readable();
        known.path("spec").path("devices").forEach(device -> {
            if (device.path("attributes") instanceof ObjectNode attributes) {
                attributes.removeIf(JsonNode::isEmpty);
            }
        });
        return known;
    }

    private static Class<? extends HasMetadata> type(JsonNode object) {
        return KnownKind.of(object).orElseThrow().type();
    }

    /** Whether the version serves the kind in the version in which it is read. */
    private static boolean isServed(JsonNode object, KubernetesVersion version) {
        return KnownKind.unserved(
                        object.path("kind").asText(), object.path("apiVersion").asText(), version)
                .isEmpty();
    }

    private void allowAdminAccess() {
        client.namespaces().withName("default").edit(namespace -> {
            namespace.getMetadata().getLabels().put("resource.kubernetes.io/admin-access", "true");
            return namespace;
        });
    }

    private static String row(List<Compared> all, long seed) {
        long refused = all.stream().filter(each -> each.theirs().isRefused()).count();
        long equal = all.stream().filter(Compared::isEqual).count();
        List<Compared> bothRefuse = all.stream()
                .filter(each -> each.isReadByBoth()
                        && each.ours().isRefused()
                        && each.theirs().isRefused())
                .toList();
        long paths = bothRefuse.stream().filter(Compared::hasEqualPaths).count();
        long words = bothRefuse.stream()
                .filter(each -> each.ours().sentences().equals(each.theirs().sentences()))
                .count();
        return String.format(
                Locale.ROOT,
                "| %d | %d | %d | %d | %d | %d | %.2f%% | %d | %.2f%% |",
                seed,
                all.size(),
                refused,
                all.size() - equal,
                bothRefuse.size(),
                paths,
                100.0 * paths / bothRefuse.size(),
                words,
                100.0 * words / bothRefuse.size());
    }

    private static void differences(List<Compared> all) {
        Map<String, List<Compared>> byKind = new TreeMap<>();
        all.stream()
                .filter(each -> !each.isEqual() || each.isReadByBoth() && !each.hasEqualPaths())
                .sorted(Comparator.comparingInt(Compared::size))
                .forEach(each -> byKind.computeIfAbsent(each.difference(), ignored -> new ArrayList<>())
                        .add(each));
        byKind.values().stream()
                .sorted(Comparator.comparingInt(same -> same.get(0).size()))
                .limit(MAX_SHOWN)
                .forEach(same -> System.err.println(
                        same.size() + " x " + (same.get(0).isEqual() ? "paths " : "VERDICT ") + same.get(0)));
        System.err.println(byKind.size() + " kinds of differences");
    }

    private Compared compare(Mutated mutated) {
        return new Compared(mutated, ours(mutated.object()), theirs(mutated.object()));
    }

    private Verdict ours(JsonNode object) {
        return ManifestFields.readable(object, type(object), "", version)
                        .problems()
                        .isEmpty()
                ? new Verdict(true, ApiValidation.errors(object, version))
                : Verdict.UNREADABLE;
    }

    /** The API server's errors about fields; its later errors, for example about a missing node or priority class, are ignored. */
    private Verdict theirs(JsonNode object) {
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
                case HttpURLConnection.HTTP_FORBIDDEN -> new Verdict(true, List.of());
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
                .map(ValidationBench::error)
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
