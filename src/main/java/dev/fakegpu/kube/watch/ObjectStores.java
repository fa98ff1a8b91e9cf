package dev.fakegpu.kube.watch;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.TaintRule;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.TaintRuleReader;
import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The known objects of a cluster, with one store per kind: those that {@link ClusterWatch} watches, or those of a cluster in memory. */
public class ObjectStores {

    /** The name of the ConfigMap that overrides startup settings. */
    public static final String SETTINGS = "fakegpu-operator";

    /** Stands for the node of slices that name no node. */
    private static final String ANY_NODE = "";

    private final ObjectStore<FakeGpu> fakeGpus = ObjectStore.ofReadable();
    private final ObjectStore<Node> nodes = new ObjectStore<>();
    private final ObjectStore<ResourceSlice> slices = ObjectStore.ofReadable();
    private final ParsedSlices parsedSlices = new ParsedSlices(slices);
    private final ObjectStore<DeviceClass> deviceClasses = ObjectStore.ofReadable();
    private final ObjectStore<DeviceTaintRule> taintRules = ObjectStore.ofReadable();
    private final ObjectStore<ResourceClaim> claims = new ObjectStore<>();
    private final ObjectStore<Namespace> namespaces = new ObjectStore<>();
    private final ObjectStore<Pod> pods = new ObjectStore<>();
    private final ObjectStore<PodGroup> podGroups = ObjectStore.ofReadable();
    private final ObjectStore<ConfigMap> catalogFiles = ObjectStore.ofReadable();
    private final ObjectStore<ConfigMap> settings = ObjectStore.ofReadable();

    private final ObjectStore.Index<PoolId, ResourceClaim> claimsByPool = claims.index(ObjectStores::pools);
    private final ObjectStore.Index<PoolId, ResourceSlice> slicesByPool = slices.index(ObjectStores::pool);
    private final ObjectStore.Index<String, ResourceSlice> slicesByNode = slices.index(ObjectStores::node);
    private final ObjectStore.Index<String, ResourceSlice> foreignSlicesByDriver =
            slices.index(ObjectStores::driverIfForeign);
    private final ObjectStore.Index<String, Pod> podsByGroup = pods.index(pod -> PodGroup.nameFor(pod)
            .map(name -> Set.of(key(pod.getMetadata().getNamespace(), name)))
            .orElseGet(Set::of));
    private final ObjectStore.Index<String, Pod> kubeletPluginsByNode =
            pods.index(pod -> kubeletPluginNode(pod).map(Set::of).orElseGet(Set::of));
    private final Set<String> kubeletPluginNamespaces;
    private volatile boolean knowsPodGroups;

    /**
     * @param operatorNamespace Helm installs the kubelet plugin in this namespace, too; the manifests in {@code config} use a separate one
     */
    public ObjectStores(String operatorNamespace) {
        kubeletPluginNamespaces = Set.copyOf(List.of(Labels.KUBELET_PLUGIN, operatorNamespace));
    }

    public ObjectStores() {
        this(Labels.KUBELET_PLUGIN);
    }

    private static Set<PoolId> pools(ResourceClaim claim) {
        return Allocations.devices(claim).stream().map(DeviceId::poolId).collect(Collectors.toUnmodifiableSet());
    }

    private static Set<PoolId> pool(ResourceSlice slice) {
        return slice.getSpec() == null || slice.getSpec().getPool() == null
                ? Set.of()
                : Set.of(SliceReader.pool(slice));
    }

    private static Set<String> node(ResourceSlice slice) {
        return slice.getSpec() == null
                ? Set.of()
                : Set.of(Objects.requireNonNullElse(slice.getSpec().getNodeName(), ANY_NODE));
    }

    private static Set<String> driverIfForeign(ResourceSlice slice) {
        return slice.getSpec() == null
                        || slice.getSpec().getNodeName() == null
                        || FakeGpuOwner.name(slice).isPresent()
                ? Set.of()
                : Set.of(slice.getSpec().getDriver());
    }

    /** The node of a kubelet plugin's pod; empty for other pods and for pods without a node. */
    public Optional<String> kubeletPluginNode(Pod pod) {
        return isKubeletPlugin(pod) ? Optional.ofNullable(pod.getSpec().getNodeName()) : Optional.empty();
    }

    /**
     * Whether the pod is one of a kubelet plugin. The label does not suffice, since anyone may set it on a pod; but only those who may
     * create pods in the plugin's namespace can use the plugin's ServiceAccount.
     */
    private boolean isKubeletPlugin(Pod pod) {
        return pod.getMetadata().getLabels() != null
                && Labels.KUBELET_PLUGIN.equals(pod.getMetadata().getLabels().get(Labels.APP))
                && kubeletPluginNamespaces.contains(pod.getMetadata().getNamespace())
                && pod.getSpec() != null
                && Labels.KUBELET_PLUGIN.equals(pod.getSpec().getServiceAccountName());
    }

    /** The pods of kubelet plugins on a node; during an upgrade there are two. */
    public List<Pod> kubeletPlugins(String node) {
        return kubeletPluginsByNode.get(node);
    }

    public ObjectStore<FakeGpu> fakeGpus() {
        return fakeGpus;
    }

    public ObjectStore<Node> nodes() {
        return nodes;
    }

    public ObjectStore<ResourceSlice> slices() {
        return slices;
    }

    /** The slices of the node, and the slices that are not for a single node. */
    public List<ResourceSlice> slicesFor(String node) {
        return Stream.concat(slicesByNode.get(node).stream(), slicesByNode.get(ANY_NODE).stream())
                .toList();
    }

    /** The slices of a driver that are for a single node and do not belong to a FakeGpu. */
    public List<ResourceSlice> foreignSlices(String driver) {
        return foreignSlicesByDriver.get(driver);
    }

    /** The slices of the given pools. */
    public Stream<ResourceSlice> slicesIn(Set<PoolId> pools) {
        return pools.stream().flatMap(pool -> slicesByPool.get(pool).stream());
    }

    public ParsedSlices parsedSlices() {
        return parsedSlices;
    }

    public ObjectStore<DeviceClass> deviceClasses() {
        return deviceClasses;
    }

    /**
     * The DeviceTaintRules; empty if the API server does not serve them. {@code v1beta2} (Kubernetes 1.36) is converted to {@code v1},
     * which is identical.
     */
    public ObjectStore<DeviceTaintRule> taintRules() {
        return taintRules;
    }

    /** The rules that have a device selector, sorted by name. */
    public List<TaintRule> readTaintRules() {
        return taintRules.list().stream()
                .sorted(Comparator.comparing(rule -> rule.getMetadata().getName()))
                .flatMap(rule -> TaintRuleReader.read(rule).stream())
                .toList();
    }

    public ObjectStore<ResourceClaim> claims() {
        return claims;
    }

    /** The claims that hold devices of any of the given pools. */
    public List<ResourceClaim> holdersIn(Collection<PoolId> pools) {
        var holders = new HashMap<String, ResourceClaim>();
        pools.stream()
                .flatMap(pool -> claimsByPool.get(pool).stream())
                .forEach(claim -> holders.put(claim.getMetadata().getUid(), claim));
        return List.copyOf(holders.values());
    }

    public ObjectStore<Namespace> namespaces() {
        return namespaces;
    }

    public ObjectStore<Pod> pods() {
        return pods;
    }

    /** Whether the store has all PodGroups; otherwise a missing one may exist, because PodGroups are not read. */
    public boolean knowsPodGroups() {
        return knowsPodGroups;
    }

    /** Declares that the store has, or is about to have, all PodGroups. */
    public void readPodGroups() {
        knowsPodGroups = true;
    }

    public ObjectStore<PodGroup> podGroups() {
        return podGroups;
    }

    /** The group of a pod; empty if it has none, or if the group is not known. */
    public Optional<PodGroup> podGroup(Pod pod) {
        return PodGroup.nameFor(pod)
                .flatMap(name -> podGroups.get(pod.getMetadata().getNamespace(), name));
    }

    /** The pods that refer to a PodGroup, whether or not it exists. */
    public List<Pod> podsOfGroup(String namespace, String name) {
        return podsByGroup.get(key(namespace, name));
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    /** The ConfigMaps that add models to the catalog, all in one namespace. */
    public ObjectStore<ConfigMap> catalogFiles() {
        return catalogFiles;
    }

    /** The ConfigMap {@value #SETTINGS} in the operator's namespace, if it exists. */
    public ObjectStore<ConfigMap> settings() {
        return settings;
    }
}
