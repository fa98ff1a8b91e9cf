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
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Where GPUs are. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(value = "!has(self.all) || self.all", message = "all must be true or left out")
@ValidationRule(
        value = "[has(self.names), has(self.selector), has(self.simulated), has(self.all), has(self.nodeSelector)]"
                + ".exists_one(set, set)",
        message = "exactly one of names, selector, simulated, all and nodeSelector must be set")
public record NodesSpec(
        @JsonPropertyDescription(
                "Names of existing nodes, 1 to 1000. Each node gets a pool <node>/<FakeGpu>; a name without a node waits for it.")
        @Size(min = 1, max = 1000) List<String> names,

        @JsonPropertyDescription(
                "Existing nodes by their labels. Nodes are followed as they come, go and change labels.")
        @Nullable LabelSelector selector,

        @JsonPropertyDescription(
                "Nodes that exist for this FakeGpu only. They are kept Ready and pods bound to them seem to run, but no kubelet is"
                        + " behind them. They are removed together with the FakeGpu.")
        @Nullable Simulated simulated,

        @JsonPropertyDescription(
                "true: network-attached devices that every node reaches. There is one pool, named like the FakeGpu.")
        @Nullable Boolean all,

        @JsonPropertyDescription(
                "Network-attached devices that matching nodes reach. There is one pool, named like the FakeGpu; exactly one term.")
        @Nullable NodeSelectorSpec nodeSelector) {

    public NodesSpec {
        names = names == null ? List.of() : List.copyOf(names);
    }

    /** Whether the devices belong to no node: there is one pool for all nodes that reach them. */
    @JsonIgnore
    public boolean isNetworkAttached() {
        return Boolean.TRUE.equals(all) || nodeSelector != null;
    }

    /** Nodes without a machine. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Simulated(
            @JsonPropertyDescription(
                    "How many nodes, 1 to 1000. They are named <FakeGpu>-node-0, <FakeGpu>-node-1 and so on.")
            @Required
            @Min(1) @Max(1000) Integer count,

            @JsonPropertyDescription(
                    "Whether the nodes carry the taint fakegpu.dev/simulated:NoSchedule, so that no ordinary pod lands where nothing"
                            + " really runs. NoSchedule (default): pods for kube-scheduler need a toleration; the companion looks past it."
                            + " None: no taint.")
            @Nullable Taint taint) {

        /** The taint of simulated nodes. */
        public enum Taint {
            NoSchedule,
            None
        }

        public boolean tainted() {
            return taint != Taint.None;
        }

        /** What the nodes are called. */
        public List<String> names(String fakeGpuName) {
            return IntStream.range(0, count)
                    .mapToObj(index -> fakeGpuName + "-node-" + index)
                    .toList();
        }
    }
}
