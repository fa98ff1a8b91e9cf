package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The nodes that have the GPUs. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(value = "!has(self.all) || self.all", message = "all must be true or left out")
@ValidationRule(
        value = "[has(self.names), has(self.selector), has(self.simulated), has(self.all), has(self.nodeSelector)]"
                + ".exists_one(set, set)",
        message = "exactly one of names, selector, simulated, all and nodeSelector must be set")
@ValidationRule(
        value = "!has(self.preparation) || has(self.names) || has(self.selector)",
        message = "preparation can be set only with names or selector")
public record NodesSpec(
        @JsonPropertyDescription(
                "Names of existing nodes, 1 to 1000. Each node gets its own pool. Nodes that do not exist yet get theirs"
                        + " when they appear.")
        @Size(min = 1, max = 1000) List<String> names,

        @JsonPropertyDescription(
                "Selects existing nodes by their labels. Pools are added and removed as nodes appear, disappear and change"
                        + " labels.")
        @Nullable LabelSelector selector,

        @JsonPropertyDescription(
                "Creates nodes for this FakeGpu. The operator keeps them Ready and reports pods bound to them as running, but no"
                        + " kubelet runs. They are deleted together with the FakeGpu.")
        @Nullable Simulated simulated,

        @JsonPropertyDescription(
                "true: network-attached devices that every node can use. They form one pool with the name of the FakeGpu.")
        @Nullable Boolean all,

        @JsonPropertyDescription(
                "Network-attached devices that matching nodes can use; exactly one term. They form one pool with the name"
                        + " of the FakeGpu.")
        @Nullable NodeSelectorSpec nodeSelector,

        @JsonPropertyDescription(
                "What prepares claims on existing nodes (names or selector). KubeletPlugin (default): the kubelet plugin on each"
                        + " node. Simulated: the operator, which then also runs the pods with claims; only on KWOK nodes (annotation"
                        + " kwok.x-k8s.io/node: fake) without a kubelet.")
        @Nullable Preparation preparation) {

    public NodesSpec {
        names = Defaults.list(names);
    }

    /** The faults of simulated nodes; empty for other nodes. */
    @JsonIgnore
    public List<NodeFaultSpec> nodeFaults() {
        return simulated == null ? List.of() : simulated.faults();
    }

    /** A copy with other faults of the simulated nodes. */
    public NodesSpec withNodeFaults(List<NodeFaultSpec> faults) {
        return simulated == null
                ? this
                : new NodesSpec(names, selector, simulated.with(faults), all, nodeSelector, preparation);
    }

    /** The component that prepares the claims of pods on existing nodes. */
    public enum Preparation {
        KubeletPlugin,
        Simulated
    }

    /** Whether the operator prepares claims on those nodes that {@link KwokNode KWOK keeps}. */
    @JsonIgnore
    public boolean isPreparationSimulated() {
        return preparation == Preparation.Simulated;
    }

    /** Whether the devices are not tied to nodes: one pool serves all nodes that can use them. */
    @JsonIgnore
    public boolean isNetworkAttached() {
        return Boolean.TRUE.equals(all) || nodeSelector != null;
    }

    /** Nodes that the operator creates and that have no machine. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Simulated(
            @JsonPropertyDescription(
                    "Number of nodes, 1 to 5000. They are named <FakeGpu>-node-0, <FakeGpu>-node-1 and so on.")
            @Required
            @Min(1) @Max(5000) Integer count,

            @JsonPropertyDescription(
                    "Whether the nodes have the taint fakegpu.dev/simulated:NoSchedule, which keeps ordinary pods off nodes where"
                            + " no containers run. NoSchedule (default): pods that kube-scheduler schedules need a toleration; pods"
                            + " of the companion do not. None: no taint.")
            @Nullable Taint taint,

            @JsonPropertyDescription(
                    "At most 32 labels of the nodes, in addition to those of the operator. Labels of the domains kubernetes.io,"
                            + " k8s.io and fakegpu.dev are not allowed, except those of topology.kubernetes.io,"
                            + " node-role.kubernetes.io, node-restriction.kubernetes.io and feature.node.kubernetes.io. Other labels"
                            + " of the nodes are kept.")
            @Size(max = 32) Map<String, String> labels,

            @JsonPropertyDescription(
                    "At most 32 amounts by resource: cpu, memory, ephemeral-storage, pods, hugepages-<size>, or a name with a"
                            + " domain such as example.com/dongle. They become capacity and allocatable of the nodes;"
                            + " memory of huge pages is not allocatable otherwise. Default: cpu 256, memory 2Ti,"
                            + " ephemeral-storage 4Ti and pods 1000. Other resources of the nodes are kept.")
            @Size(max = 32) Map<String, Quantity> capacity,

            @JsonPropertyDescription("At most 16 faults of the nodes, each at some point in time.") @Size(max = 16) List<NodeFaultSpec> faults) {

        private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");

        public Simulated {
            labels = Defaults.map(labels);
            capacity = Defaults.map(capacity);
            faults = Defaults.list(faults);
        }

        Simulated with(List<NodeFaultSpec> otherFaults) {
            return new Simulated(count, taint, labels, capacity, otherFaults);
        }

        /** A copy that also has these amounts for resources that {@code capacity} does not name. */
        public Simulated withMore(Map<String, Quantity> amounts) {
            var all = new TreeMap<>(amounts);
            all.putAll(capacity);
            return new Simulated(count, taint, labels, all, faults);
        }

        /** The taint of simulated nodes. */
        public enum Taint {
            NoSchedule,
            None
        }

        public boolean tainted() {
            return taint != Taint.None;
        }

        /** The names of the nodes. */
        public List<String> names(String fakeGpuName) {
            String prefix = prefix(fakeGpuName);
            return IntStream.range(0, count).mapToObj(index -> prefix + index).toList();
        }

        /** Whether the node is one of {@link #names}. */
        public boolean hasName(String fakeGpuName, String node) {
            String prefix = prefix(fakeGpuName);
            if (!node.startsWith(prefix)) {
                return false;
            }
            String index = node.substring(prefix.length());
            return INDEX.matcher(index).matches() && Integer.parseInt(index) < count;
        }

        private static String prefix(String fakeGpuName) {
            return fakeGpuName + "-node-";
        }
    }
}
