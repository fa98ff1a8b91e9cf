package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.kube.watch.ObjectLookup;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a cluster at a point in time, by kind, and what could not be read. It is immutable as long as the objects are not changed.
 * Lists are sorted by namespace and name.
 *
 * <p>The objects must be as the API server stores them: with UID, creation timestamp and defaults.
 */
public final class ClusterObjects {

    /** No objects, with nothing that could not be read. */
    public static final ClusterObjects NONE = new ClusterObjects(new EnumMap<>(ObjectKind.class), List.of());

    private final Map<ObjectKind, Map<String, HasMetadata>> byKind;
    private final List<Unseen> unseen;

    private ClusterObjects(Map<ObjectKind, Map<String, HasMetadata>> byKind, List<Unseen> unseen) {
        this.byKind = byKind;
        this.unseen = List.copyOf(unseen);
    }

    /**
     * All objects of the kinds in snapshots; other objects are omitted.
     *
     * @param objects if two have the same kind, namespace and name, the later one is used
     */
    public static ClusterObjects of(Collection<? extends HasMetadata> objects) {
        return NONE.with(objects);
    }

    /** Returns a copy with more objects, which replace those with the same kind, namespace and name. */
    public ClusterObjects with(Collection<? extends HasMetadata> more) {
        Map<ObjectKind, Map<String, HasMetadata>> all = new EnumMap<>(ObjectKind.class);
        byKind.forEach((kind, objects) -> all.put(kind, new TreeMap<>(objects)));
        more.forEach(object -> ObjectKind.of(object)
                .ifPresent(kind ->
                        all.computeIfAbsent(kind, ignored -> new TreeMap<>()).put(key(object), object)));
        return new ClusterObjects(all, unseen);
    }

    /** Returns a copy without some objects. */
    public ClusterObjects without(Predicate<HasMetadata> removed) {
        Map<ObjectKind, Map<String, HasMetadata>> rest = new EnumMap<>(ObjectKind.class);
        byKind.forEach((kind, objects) -> {
            var kept = new TreeMap<>(objects);
            kept.values().removeIf(removed);
            rest.put(kind, kept);
        });
        return new ClusterObjects(rest, unseen);
    }

    /** Returns a copy with more that could not be read. */
    public ClusterObjects withUnseen(List<Unseen> more) {
        return new ClusterObjects(
                byKind, Stream.concat(unseen.stream(), more.stream()).toList());
    }

    /** What could not be read. */
    public List<Unseen> unseen() {
        return unseen;
    }

    /** Whether all objects of a kind are known, in every namespace. */
    public boolean isComplete(ObjectKind kind) {
        return unseen.stream().noneMatch(each -> each.kind() == kind && each.cause() == Unseen.Cause.FORBIDDEN);
    }

    /** Whether all objects of a kind in a namespace are known. */
    public boolean isComplete(ObjectKind kind, String namespace) {
        return unseen.stream()
                .noneMatch(each -> each.kind() == kind
                        && each.cause() == Unseen.Cause.FORBIDDEN
                        && namespace.equals(each.namespace()));
    }

    /** One text for each object with fields that cannot be read, such as {@code Pod ns/a: field spec.priority cannot be read: …}. */
    public List<String> unreadable() {
        return byKind.values().stream()
                .flatMap(objects -> objects.values().stream())
                .flatMap(object ->
                        UnreadableFields.of(object)
                                .map(fields -> object.getKind() + " " + title(object) + ": " + fields)
                                .stream())
                .toList();
    }

    /** The objects of all kinds. */
    public List<HasMetadata> all() {
        return byKind.values().stream()
                .flatMap(objects -> objects.values().stream())
                .toList();
    }

    public List<ResourceSlice> slices() {
        return list(ObjectKind.SLICES, ResourceSlice.class);
    }

    public List<DeviceClass> deviceClasses() {
        return list(ObjectKind.CLASSES, DeviceClass.class);
    }

    public List<ResourceClaim> claims() {
        return list(ObjectKind.CLAIMS, ResourceClaim.class);
    }

    public List<ResourceClaimTemplate> claimTemplates() {
        return list(ObjectKind.CLAIM_TEMPLATES, ResourceClaimTemplate.class);
    }

    public List<DeviceTaintRule> taintRules() {
        return list(ObjectKind.TAINT_RULES, DeviceTaintRule.class);
    }

    public List<Pod> pods() {
        return list(ObjectKind.PODS, Pod.class);
    }

    public List<ResourceQuota> quotas() {
        return list(ObjectKind.QUOTAS, ResourceQuota.class);
    }

    public List<PodGroup> podGroups() {
        return list(ObjectKind.POD_GROUPS, PodGroup.class);
    }

    public List<PodDisruptionBudget> disruptionBudgets() {
        return list(ObjectKind.DISRUPTION_BUDGETS, PodDisruptionBudget.class);
    }

    public List<Node> nodes() {
        return list(ObjectKind.NODES, Node.class);
    }

    public List<Namespace> namespaces() {
        return list(ObjectKind.NAMESPACES, Namespace.class);
    }

    public List<FakeGpu> fakeGpus() {
        return list(ObjectKind.FAKE_GPUS, FakeGpu.class);
    }

    /** The operator's ConfigMap, if there is one. */
    public Optional<ConfigMap> settings() {
        return named(ClusterWatch.SETTINGS, list(ObjectKind.SETTINGS, ConfigMap.class));
    }

    /** The operator's Deployment, if there is one. */
    public Optional<Deployment> operator() {
        return named(ClusterReader.OPERATOR_DEPLOYMENT, list(ObjectKind.OPERATOR, Deployment.class));
    }

    /** Objects of files can have any name and namespace. */
    private static <T extends HasMetadata> Optional<T> named(String name, List<T> objects) {
        return objects.stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst();
    }

    public Optional<Pod> pod(@Nullable String namespace, String name) {
        return lookup(ObjectKind.PODS, Pod.class).get(namespace, name);
    }

    public Optional<ResourceClaim> claim(@Nullable String namespace, String name) {
        return lookup(ObjectKind.CLAIMS, ResourceClaim.class).get(namespace, name);
    }

    public Optional<PodGroup> podGroup(@Nullable String namespace, String name) {
        return lookup(ObjectKind.POD_GROUPS, PodGroup.class).get(namespace, name);
    }

    /** The group that the pod names, if it exists. */
    public Optional<PodGroup> podGroup(Pod pod) {
        return PodGroup.nameFor(pod).flatMap(name -> podGroup(pod.getMetadata().getNamespace(), name));
    }

    public Optional<FakeGpu> fakeGpu(String name) {
        return lookup(ObjectKind.FAKE_GPUS, FakeGpu.class).get(null, name);
    }

    private <T extends HasMetadata> ObjectLookup<T> lookup(ObjectKind kind, Class<T> type) {
        Map<String, HasMetadata> objects = byKind.getOrDefault(kind, Map.of());
        return (namespace, name) -> Optional.ofNullable(objects.get(key(namespace, name)))
                .filter(object -> isUsable(kind, object))
                .map(type::cast);
    }

    private <T extends HasMetadata> List<T> list(ObjectKind kind, Class<T> type) {
        var usable = new ArrayList<T>();
        byKind.getOrDefault(kind, Map.of()).values().stream()
                .filter(object -> isUsable(kind, object))
                .forEach(object -> usable.add(type.cast(object)));
        return List.copyOf(usable);
    }

    private static boolean isUsable(ObjectKind kind, HasMetadata object) {
        return kind.keepsUnreadable() || UnreadableFields.isReadable(object);
    }

    private static String key(HasMetadata object) {
        return key(object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    private static String key(@Nullable String namespace, String name) {
        return Objects.requireNonNullElse(namespace, "") + "/" + name;
    }

    private static String title(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return (namespace == null ? "" : namespace + "/") + object.getMetadata().getName();
    }
}
