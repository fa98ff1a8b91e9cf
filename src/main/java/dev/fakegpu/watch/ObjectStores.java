package dev.fakegpu.watch;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.TaintRule;
import dev.fakegpu.dra.wire.TaintRuleReader;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Comparator;
import java.util.List;

/** The known objects of a cluster, a store for each kind: those that {@link ClusterWatch} watches, or those of a cluster in memory. */
public class ObjectStores {

    /** Name of the ConfigMap that overrides startup settings. */
    public static final String SETTINGS = "fakegpu-operator";

    private final ObjectStore<FakeGpu> fakeGpus = ObjectStore.ofReadable();
    private final ObjectStore<Node> nodes = new ObjectStore<>();
    private final ObjectStore<ResourceSlice> slices = ObjectStore.ofReadable();
    private final ParsedSlices parsedSlices = new ParsedSlices(slices);
    private final ObjectStore<DeviceClass> deviceClasses = ObjectStore.ofReadable();
    private final ObjectStore<DeviceTaintRule> taintRules = ObjectStore.ofReadable();
    private final ObjectStore<ResourceClaim> claims = new ObjectStore<>();
    private final ObjectStore<Namespace> namespaces = new ObjectStore<>();
    private final ObjectStore<Pod> pods = new ObjectStore<>();
    private final ObjectStore<ConfigMap> catalogFiles = ObjectStore.ofReadable();
    private final ObjectStore<ConfigMap> settings = ObjectStore.ofReadable();

    public ObjectStore<FakeGpu> fakeGpus() {
        return fakeGpus;
    }

    public ObjectStore<Node> nodes() {
        return nodes;
    }

    public ObjectStore<ResourceSlice> slices() {
        return slices;
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

    /** The rules that select devices, sorted by name. */
    public List<TaintRule> readTaintRules() {
        return taintRules.list().stream()
                .sorted(Comparator.comparing(rule -> rule.getMetadata().getName()))
                .flatMap(rule -> TaintRuleReader.read(rule).stream())
                .toList();
    }

    public ObjectStore<ResourceClaim> claims() {
        return claims;
    }

    public ObjectStore<Namespace> namespaces() {
        return namespaces;
    }

    public ObjectStore<Pod> pods() {
        return pods;
    }

    /** ConfigMaps that add models, all in one namespace. */
    public ObjectStore<ConfigMap> catalogFiles() {
        return catalogFiles;
    }

    /** At most one: {@value #SETTINGS} in the operator's namespace. */
    public ObjectStore<ConfigMap> settings() {
        return settings;
    }
}
