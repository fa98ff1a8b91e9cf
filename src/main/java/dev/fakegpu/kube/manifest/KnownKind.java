package dev.fakegpu.kube.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.util.FieldProblem;
import dev.fakegpu.util.Suggestion;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The kinds of objects that files can contain. Each constant has the name of the {@code kind}. */
public enum KnownKind {
    FakeGpu(dev.fakegpu.api.FakeGpu.GROUP + "/" + dev.fakegpu.api.FakeGpu.VERSION, FakeGpu.class),
    Node("v1", Node.class),
    Namespace("v1", Namespace.class),
    ConfigMap("v1", ConfigMap.class),
    Pod("v1", Pod.class),
    Deployment("apps/v1", Deployment.class),
    ReplicaSet("apps/v1", ReplicaSet.class),
    ReplicationController("v1", ReplicationController.class),
    StatefulSet("apps/v1", StatefulSet.class),
    DaemonSet("apps/v1", DaemonSet.class),
    Job("batch/v1", Job.class),
    CronJob("batch/v1", CronJob.class),
    JobSet("jobset.x-k8s.io/v1alpha2", JobSet.class),
    LeaderWorkerSet("leaderworkerset.x-k8s.io/v1", LeaderWorkerSet.class),
    DeviceClass("resource.k8s.io/v1", DeviceClass.class),
    DeviceTaintRule("resource.k8s.io/v1", DeviceTaintRule.class, 37),
    PodGroup("scheduling.k8s.io/v1beta1", PodGroup.class, 37),
    PodDisruptionBudget("policy/v1", PodDisruptionBudget.class),
    LimitRange("v1", LimitRange.class),
    ResourceQuota("v1", ResourceQuota.class),
    PriorityClass("scheduling.k8s.io/v1", PriorityClass.class),
    ResourceSlice("resource.k8s.io/v1", ResourceSlice.class),
    ResourceClaim("resource.k8s.io/v1", ResourceClaim.class),
    ResourceClaimTemplate("resource.k8s.io/v1", ResourceClaimTemplate.class);

    private static final Set<KnownKind> WORKLOADS = EnumSet.of(
            Deployment,
            ReplicaSet,
            ReplicationController,
            StatefulSet,
            DaemonSet,
            Job,
            CronJob,
            JobSet,
            LeaderWorkerSet);

    private final String apiVersion;
    private final Class<? extends HasMetadata> type;
    private final int since;

    KnownKind(String apiVersion, Class<? extends HasMetadata> type) {
        this(apiVersion, type, 0);
    }

    /** @param since the first minor version of Kubernetes 1 that serves this version of the kind; 0 for older ones */
    KnownKind(String apiVersion, Class<? extends HasMetadata> type, int since) {
        this.apiVersion = apiVersion;
        this.type = type;
        this.since = since;
    }

    /** The group and version, as in {@code apiVersion}. */
    public String apiVersion() {
        return apiVersion;
    }

    /** The class into which objects of the kind are read. */
    public Class<? extends HasMetadata> type() {
        return type;
    }

    /** Whether controllers create pods for objects of this kind. */
    public static boolean isWorkload(String kind) {
        return of(kind).filter(WORKLOADS::contains).isPresent();
    }

    /** The kind with this name, in any version; empty if there is none. */
    public static Optional<KnownKind> of(String kind) {
        return Arrays.stream(values()).filter(each -> each.name().equals(kind)).findFirst();
    }

    /** The kind of the object; empty if its version is not the one that is read. */
    public static Optional<KnownKind> of(JsonNode object) {
        return of(object.path("kind").asText())
                .filter(kind -> kind.apiVersion.equals(object.path("apiVersion").asText()));
    }

    /**
     * Why an API server cannot create an object, in the words of kubectl: it does not serve the version. Empty if it does, with all of its
     * versions enabled, or if it is not known here.
     *
     * @param apiVersion as written in the object, before it is {@linkplain OlderVersion converted}
     */
    public static Optional<String> unserved(String kind, String apiVersion, KubernetesVersion server) {
        var versions = new TreeMap<>(OlderVersion.of(kind));
        of(kind).ifPresent(known -> versions.put(known.apiVersion, known.since));
        Integer since = versions.get(apiVersion);
        if (since == null || since <= server.minor()) {
            return Optional.empty();
        }
        String served = versions.entrySet().stream()
                .filter(version -> version.getValue() <= server.minor())
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
        return Optional.of(
                "apiVersion: no matches for kind \"%s\" in version \"%s\": it is in Kubernetes 1.%d or newer%s"
                        .formatted(kind, apiVersion, since, served.isEmpty() ? "" : "; allowed: " + served));
    }

    /** The names of kinds, each with its {@code apiVersion}. */
    public static Map<String, String> versions(Collection<KnownKind> kinds) {
        return kinds.stream()
                .collect(Collectors.toMap(Enum::name, KnownKind::apiVersion, (one, other) -> one, TreeMap::new));
    }

    /** The kind that the object is meant to have, in any version, even if the key is misspelled, such as {@code Kind}. */
    public static Optional<KnownKind> meant(JsonNode object) {
        String kind = object.path("kind").asText();
        return of(kind.isEmpty() ? object.path(written(object, "kind")).asText() : kind);
    }

    /** The key that is written instead of {@code key}, misspelled or in another case; {@code key} if there is none. */
    private static String written(JsonNode object, String key) {
        return object.properties().stream()
                .map(Map.Entry::getKey)
                .filter(each -> !Suggestion.hint(each, List.of(key)).isEmpty())
                .findFirst()
                .orElse(key);
    }

    private static boolean isMisspelled(JsonNode object, String key) {
        return !object.has(key) && !written(object, key).equals(key);
    }

    /**
     * The problem with {@code kind} or {@code apiVersion} of an object that probably should have one of the given kinds, with a suggestion.
     * Empty if it has one of them, or a completely different kind. {@link ManifestFields} reports other fields.
     *
     * @param versions the kinds, each with its {@code apiVersion}
     */
    public static List<String> misspelling(JsonNode object, Map<String, String> versions) {
        String kind = object.path("kind").asText();
        String version = object.path("apiVersion").asText();
        String right = versions.get(kind);
        if (right != null) {
            return misspelledVersion(object, version, right);
        }
        if (kind.isEmpty() && isMisspelled(object, "kind") && meant(object).isPresent()) {
            return List.of(FieldProblem.sentence("kind", "", "is missing", "the kind of the object"));
        }
        Optional<String> removed = RemovedKind.successor(object);
        if (removed.isPresent()) {
            return List.of(FieldProblem.sentence("kind", kind, removed.get(), ""));
        }
        var known = new TreeMap<>(versions(List.of(values())));
        known.putAll(versions);
        List<String> ofVersion = known.entrySet().stream()
                .filter(each ->
                        !Suggestion.hint(version, List.of(each.getValue())).isEmpty())
                .map(Map.Entry::getKey)
                .toList();
        String hint = of(kind).isPresent() ? "" : Suggestion.hint(kind, ofVersion);
        boolean isMeant = versions.keySet().stream().anyMatch(read -> hint.contains('"' + read + '"'));
        return isMeant ? List.of(FieldProblem.sentence("kind", kind, "is not known" + hint, "")) : List.of();
    }

    private static List<String> misspelledVersion(JsonNode object, String version, String right) {
        if (version.isEmpty()) {
            boolean isMisspelled = isMisspelled(object, "apiVersion");
            return List.of(FieldProblem.sentence(
                    isMisspelled ? written(object, "apiVersion") : "apiVersion",
                    "",
                    isMisspelled ? "is not a field (did you mean \"apiVersion\"?)" : "is missing",
                    right));
        }
        String hint = version.equals(right) ? "" : Suggestion.hint(version, List.of(right));
        if (hint.isEmpty()) {
            return List.of();
        }
        int since = meant(object).map(kind -> kind.since).orElse(0);
        return List.of(
                since == 0
                        ? FieldProblem.sentence("apiVersion", version, "is not read" + hint, "")
                        : FieldProblem.sentence(
                                "apiVersion",
                                version,
                                "is not read",
                                "%s, which is in Kubernetes 1.%d or newer".formatted(right, since)));
    }
}
