package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Hardware written out. Every node of the FakeGpu gets all of it. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CustomSpec(
        @JsonPropertyDescription(
                "What devices and counter sets can include by name, so that it is written once (KEP-5234). It is put in before"
                        + " anything is published: later includes override earlier ones, and an object's own values override all.")
        @Nullable MixinsSpec mixins,

        @JsonPropertyDescription("What devices share, at most 512 sets per node. Usually one set per physical device.")
        @Size(max = 512) List<CounterSet> counterSets,

        @JsonPropertyDescription("The devices of each node, 1 to 4096.") @Required @Size(min = 1, max = 4096) List<Device> devices) {

    /** KEP-5234: the number of mixins that one object may include. */
    public static final int MAX_INCLUDES = 8;

    public CustomSpec {
        counterSets = orEmpty(counterSets);
        devices = orEmpty(devices);
    }

    /** The mixins; none where none are written. */
    public MixinsSpec mixinsOrNone() {
        return Objects.requireNonNullElse(mixins, MixinsSpec.NONE);
    }

    /** Named counters. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record CounterSet(
            @JsonPropertyDescription("Name of the set, a DNS label that is unique in this FakeGpu.")
            @Required
            @Size(min = 1, max = 63) String name,

            @JsonPropertyDescription("Names of counterSet mixins, at most 8.") @Size(max = MAX_INCLUDES) List<String> includes,

            @JsonPropertyDescription(
                    "What there is of each counter, with the included ones 1 to 32 counters by name (a DNS label), for example"
                            + " memory: 40Gi.")
            @Size(max = 32) Map<String, Quantity> counters) {

        public CounterSet {
            includes = orEmpty(includes);
            counters = orNone(counters);
        }
    }

    /** One device. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Device(
            @JsonPropertyDescription("Name of the device, a DNS label that is unique in this FakeGpu.")
            @Required
            @Size(min = 1, max = 63) String name,

            @JsonPropertyDescription("Names of device mixins, at most 8.") @Size(max = MAX_INCLUDES) List<String> includes,

            @JsonPropertyDescription(
                    "Attributes by name, each with exactly one of string, int, bool and version, or a list of them. With the"
                            + " capacities and what is included at most 32.")
            @Size(max = 32) Map<String, AttributeSpec> attributes,

            @JsonPropertyDescription(
                    "Capacities by name, for example memory: 10Gi. With the attributes and what is included at most 32.")
            @Size(max = 32) Map<String, Quantity> capacity,

            @JsonPropertyDescription(
                    "In which portions capacities are given away, by the name of one of the device's own capacities. With"
                            + " allowMultipleAllocations only.")
            @Size(max = 32) Map<String, RequestPolicySpec> requestPolicies,

            @JsonPropertyDescription(
                    "Whether several requests can share the device, each taking a part of its capacities (KEP-5075). Default: false.")
            @Nullable Boolean allowMultipleAllocations,

            @JsonPropertyDescription(
                    "What the device takes from counter sets while it is allocated, at most 2 entries.")
            @Size(max = 2) List<CounterConsumption> consumesCounters,

            @JsonPropertyDescription("Taints of this device, beside those of spec.taints; together at most 16.")
            @Size(max = 16) List<DeviceTaint> taints,

            @JsonPropertyDescription("Instead of spec.binding.") @Nullable BindingSpec binding,

            @JsonPropertyDescription(
                    "The only node that reaches the device. This, nodeSelector and allNodes go with network-attached devices only"
                            + " (spec.nodes.all or spec.nodes.nodeSelector), at most one of them, instead of what spec.nodes says.")
            @Size(min = 1, max = 253) @Nullable String nodeName,

            @JsonPropertyDescription("The nodes that reach the device.") @Nullable NodeSelectorSpec nodeSelector,

            @JsonPropertyDescription("true: every node reaches the device.") @Nullable Boolean allNodes) {

        public Device {
            includes = orEmpty(includes);
            attributes = orNone(attributes);
            capacity = orNone(capacity);
            requestPolicies = orNone(requestPolicies);
            consumesCounters = orEmpty(consumesCounters);
            taints = orEmpty(taints);
        }
    }

    /** A taint of one device. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceTaint(
            @JsonPropertyDescription("A label name.") @Required @Size(min = 1, max = 317) String key,

            @JsonPropertyDescription("A label value. Default: empty.") @Size(max = 63) @Nullable String value,

            @JsonPropertyDescription("None, NoSchedule or NoExecute.") @Required
            TaintSpec.Effect effect,

            @JsonPropertyDescription(
                    "When the taint was added, in RFC 3339. Default: when the API server first stores it.")
            @Size(max = 35) @Nullable String timeAdded) {}

    /** What a device takes from one counter set. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record CounterConsumption(
            @JsonPropertyDescription("Name of one of the counterSets.") @Required @Size(min = 1, max = 63) String counterSet,

            @JsonPropertyDescription("Names of counterConsumption mixins, at most 8.") @Size(max = MAX_INCLUDES) List<String> includes,

            @JsonPropertyDescription("How much of each counter, with the included ones 1 to 32 counters of that set.")
            @Size(max = 32) Map<String, Quantity> counters,

            @JsonPropertyDescription(
                    "KEP-5963 compatibility groups, at most 2: devices can be allocated on one counter set only if they all share"
                            + " a group, or all have none. This is what the hardware can do; spec.compatibility says whether it is"
                            + " published.")
            @Size(max = 2) List<String> compatibilityGroups) {

        public CounterConsumption {
            includes = orEmpty(includes);
            counters = orNone(counters);
            compatibilityGroups = orEmpty(compatibilityGroups);
        }
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    private static <T> Map<String, T> orNone(@Nullable Map<String, T> map) {
        return map == null ? Map.of() : map;
    }
}
