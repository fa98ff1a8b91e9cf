package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fault of simulated nodes. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "has(self.delay) == (self.effect == 'SlowKubelet')",
        message = "effect SlowKubelet and delay go together")
@ValidationRule(value = "!has(self.after) || !has(self.at)", message = "after and at exclude each other")
public record NodeFaultSpec(
        @JsonPropertyDescription(
                "A DNS label that is unique in the FakeGpu, also among spec.faults. Events and conditions name the fault by"
                        + " it.")
        @Required
        @Size(min = 1, max = 63) String name,

        @JsonPropertyDescription("Names of the nodes that fail. Default: all of this FakeGpu.") @Size(max = 64) List<String> nodes,

        @JsonPropertyDescription(
                "What happens. NotReady: the kubelet reports that the node is not ready. Gone: the node is deleted, as if its"
                        + " machine were deleted, and created again afterwards. Cordoned: the node is unschedulable. SlowKubelet:"
                        + " pods start late, by the time in delay.")
        @Required
        Effect effect,

        @JsonPropertyDescription(
                "How long a pod waits until the kubelet starts it: a number from 1 to 99999 and a unit (s, m or h). Only with"
                        + " effect SlowKubelet, and required there.")
        @Pattern(FaultSpec.FOR) @Nullable String delay,

        @JsonPropertyDescription(
                "Time between the moment when the fault was added to the spec or edited, and its effect: a number of at most"
                        + " five digits and a unit (s, m or h), for example 30s. Default: no delay.")
        @Pattern(FaultSpec.AFTER) @Nullable String after,

        @JsonPropertyDescription("When the nodes fail, in RFC 3339, for example 2026-01-31T12:00:00Z. Replaces after.")
        @Size(max = 35) @Nullable String at,

        @JsonProperty("for")
        @JsonPropertyDescription(
                "How long the nodes fail: a number from 1 to 99999 and a unit (s, m or h), for example 5m. Default: until the"
                        + " fault is removed from the spec.")
        @Pattern(FaultSpec.FOR) @Nullable String lasts)
        implements FaultTiming {

    public NodeFaultSpec {
        nodes = Defaults.list(nodes);
    }

    /** What happens to the nodes. */
    public enum Effect {
        NotReady,
        Gone,
        Cordoned,
        SlowKubelet
    }

    /** Whether a node of the FakeGpu fails. */
    public boolean selects(String node) {
        return nodes.isEmpty() || nodes.contains(node);
    }
}
