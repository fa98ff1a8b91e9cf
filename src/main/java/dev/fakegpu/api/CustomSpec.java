package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.fakegpu.dra.Limits;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Hardware that is not in the catalog. Every node of the FakeGpu has all of it. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CustomSpec(
        @JsonPropertyDescription(
                "Entries that are written once and included by name in devices and counter sets (KEP-5234). Includes are"
                        + " resolved before anything is published: later includes override earlier ones, and an object's own entries"
                        + " override all of them.")
        @Nullable MixinsSpec mixins,

        @JsonPropertyDescription(
                "Counters that devices share, at most 512 sets per node, including those that repeat adds. Usually one set per"
                        + " physical device.")
        @Size(max = 512) List<CounterSet> counterSets,

        @JsonPropertyDescription("The devices of each node, 1 to 4096 including those that repeat adds.")
        @Required
        @Size(min = 1, max = 4096) List<Device> devices) {

    /** Maximum number of indexes of one entry. */
    public static final int MAX_REPEAT = 3;

    public CustomSpec {
        counterSets = Defaults.list(counterSets);
        devices = Defaults.list(devices);
    }

    /** {@code mixins} with its default: no mixins. */
    public MixinsSpec mixinsOrNone() {
        return Objects.requireNonNullElse(mixins, MixinsSpec.NONE);
    }

    /** The number of entries that {@code repeat} makes: one for each combination of the indexes; 1 without indexes. */
    public static long copies(List<Repeat> repeat) {
        return repeat.stream()
                .mapToLong(index -> Objects.requireNonNullElse(index.count(), 1))
                .reduce(1, Math::multiplyExact);
    }

    /** An index of a repeated entry. */
    public record Repeat(
            @JsonPropertyDescription(
                    "Name of the index: lowercase letters and digits, starting with a letter, for example slice.")
            @Required
            @Pattern(Repeat.NAME) @Size(min = 1, max = 16) String name,

            @JsonPropertyDescription("The index goes from 0 to count - 1. 1 to 4096.") @Required @Min(1) @Max(4096) Integer count) {

        /** Also limits what can be a placeholder. */
        public static final String NAME = "^[a-z][a-z0-9]*$";
    }

    /** Named counters. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record CounterSet(
            @JsonPropertyDescription("Name of the set, a DNS label that is unique in this FakeGpu.")
            @Required
            @Size(min = 1, max = Limits.LABEL) String name,

            @JsonPropertyDescription(
                    "Creates a counter set for each combination of these indexes, at most 3, for example [{name: die, count: 2}]."
                            + " {die} stands for the index in the name, which must contain it, in includes, and in names of"
                            + " counters. The last index changes fastest. Default: one counter set.")
            @Size(max = MAX_REPEAT) List<Repeat> repeat,

            @JsonPropertyDescription("Names of counterSet mixins, at most 8.") @Size(max = Limits.INCLUDES) List<String> includes,

            @JsonPropertyDescription(
                    "The total of each counter, for example memory: 40Gi. 1 to 32 counters including those of mixins; names"
                            + " are DNS labels.")
            @Size(max = Limits.COUNTERS) Map<String, Quantity> counters) {

        public CounterSet {
            repeat = Defaults.list(repeat);
            includes = Defaults.list(includes);
            counters = Defaults.map(counters);
        }
    }

    /** One device. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Device(
            @JsonPropertyDescription("Name of the device, a DNS label that is unique in this FakeGpu.")
            @Required
            @Size(min = 1, max = Limits.LABEL) String name,

            @JsonPropertyDescription(
                    "Creates a device for each combination of these indexes, at most 3: for example, [{name: die, count: 2},"
                            + " {name: slice, count: 4}] creates 8 devices. {die} stands for the index in the name, which must"
                            + " contain all of them, in strings and versions of attributes, in includes, counterSet, names of"
                            + " counters, compatibilityGroups, nodeName and networkData. The last index changes fastest. Default:"
                            + " one device.")
            @Size(max = MAX_REPEAT) List<Repeat> repeat,

            @JsonPropertyDescription("Names of device mixins, at most 8.") @Size(max = Limits.INCLUDES) List<String> includes,

            @JsonPropertyDescription(
                    "Attributes by name, each with exactly one of string, int, bool, version or a list of one of these. At"
                            + " most 32 attributes and capacities together, including those of mixins.")
            @Size(max = Limits.ATTRIBUTES_AND_CAPACITIES) Map<String, AttributeSpec> attributes,

            @JsonPropertyDescription(
                    "Capacities by name, for example memory: 10Gi. At most 32 attributes and capacities together, including"
                            + " those of mixins.")
            @Size(max = Limits.ATTRIBUTES_AND_CAPACITIES) Map<String, Quantity> capacity,

            @JsonPropertyDescription(
                    "Amounts of a capacity that requests can consume, by the name of one of the device's own capacities. Only"
                            + " with allowMultipleAllocations.")
            @Size(max = Limits.ATTRIBUTES_AND_CAPACITIES) Map<String, RequestPolicySpec> requestPolicies,

            @JsonPropertyDescription(
                    "Whether several requests can share the device, each taking a part of its capacities (KEP-5075). Default: false.")
            @Nullable Boolean allowMultipleAllocations,

            @JsonPropertyDescription(
                    "What the device consumes from counter sets while it is allocated, at most 2 entries.")
            @Size(max = Limits.CONSUMPTIONS) List<CounterConsumption> consumesCounters,

            @JsonPropertyDescription("Taints of this device in addition to spec.taints; at most 16 in total.")
            @Size(max = Limits.TAINTS) List<DeviceTaint> taints,

            @JsonPropertyDescription("Binding conditions of this device. They replace spec.binding.") @Nullable BindingSpec binding,

            @JsonPropertyDescription(
                    "The only node that can use the device. At most one of nodeName, nodeSelector and allNodes can be set, only"
                            + " for network-attached devices (spec.nodes.all or spec.nodes.nodeSelector); it overrides spec.nodes.")
            @Size(min = 1, max = Limits.SUBDOMAIN) @Nullable String nodeName,

            @JsonPropertyDescription("The nodes that can use the device.") @Nullable NodeSelectorSpec nodeSelector,

            @JsonPropertyDescription("true: every node can use the device.") @Nullable Boolean allNodes,

            @JsonPropertyDescription(
                    "The cpu, memory or hugepages-<size> of the node that the device takes, by resource (KEP-5517). Schedulers"
                            + " count it for pods that use the device. Needs the API server's feature gate"
                            + " DRANodeAllocatableResources.")
            @Size(max = 8) Map<String, NodeAllocatableResource> nodeAllocatableResources,

            @JsonPropertyDescription(
                    "Makes the device a network interface, which the status of a claim describes while the device is prepared"
                            + " (KEP-4817).")
            @Nullable NetworkDataSpec networkData) {

        public Device {
            repeat = Defaults.list(repeat);
            includes = Defaults.list(includes);
            attributes = Defaults.map(attributes);
            capacity = Defaults.map(capacity);
            requestPolicies = Defaults.map(requestPolicies);
            consumesCounters = Defaults.list(consumesCounters);
            taints = Defaults.list(taints);
            nodeAllocatableResources = Defaults.map(nodeAllocatableResources);
        }

        /** One of the devices that {@code repeat} makes, with the fields that can depend on the indexes. */
        public Device copy(
                String newName,
                List<String> newIncludes,
                Map<String, AttributeSpec> newAttributes,
                List<CounterConsumption> newConsumption,
                @Nullable String newNodeName,
                @Nullable NetworkDataSpec newNetworkData) {
            return new Device(
                    newName,
                    List.of(),
                    newIncludes,
                    newAttributes,
                    capacity,
                    requestPolicies,
                    allowMultipleAllocations,
                    newConsumption,
                    taints,
                    binding,
                    newNodeName,
                    nodeSelector,
                    allNodes,
                    nodeAllocatableResources,
                    newNetworkData);
        }
    }

    /** How a device counts against a resource of its node. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record NodeAllocatableResource(
            @JsonPropertyDescription("If the device is such a resource: how much of it.") @Nullable Mapping mapping,

            @JsonPropertyDescription("The additional amount of the resource that pods with the device need.") @Nullable Overhead overhead) {

        /** The amount: either the fields of the capacity, or {@code deviceMultiplier}. */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        public record Mapping(
                @JsonPropertyDescription(
                        "Name of a capacity of the device, of which the consumed amount is multiplied.")
                @Size(max = Limits.DOMAIN + 1 + Limits.IDENTIFIER) @Nullable String capacityKey,

                @JsonPropertyDescription("Amount of the resource for each unit of the capacity. Needs capacityKey.")
                @Nullable Quantity capacityMultiplier,

                @JsonPropertyDescription("Amount of the resource for each allocated device. Without capacityKey.")
                @Nullable Quantity deviceMultiplier) {}

        /** The amounts for each pod and each container. */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        public record Overhead(
                @JsonPropertyDescription("Amount for each pod that uses the claim.") @Nullable Quantity perPod,

                @JsonPropertyDescription("Amount for each container that refers to the claim.") @Nullable Quantity perContainer) {}
    }

    /** A taint of one device. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceTaint(
            @JsonPropertyDescription("Key of the taint: a label name.") @Required @Size(min = 1, max = 317) String key,

            @JsonPropertyDescription("Value of the taint: a label value. Default: empty.") @Size(max = 63) @Nullable String value,

            @JsonPropertyDescription("None, NoSchedule or NoExecute.") @Required
            TaintSpec.Effect effect,

            @JsonPropertyDescription(
                    "When the taint was added, in RFC 3339. Default: when the API server first stores the taint.")
            @Size(max = 35) @Nullable String timeAdded) {}

    /** What a device consumes from one counter set. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record CounterConsumption(
            @JsonPropertyDescription("Name of one of the counterSets.") @Required @Size(min = 1, max = Limits.LABEL) String counterSet,

            @JsonPropertyDescription("Names of counterConsumption mixins, at most 8.") @Size(max = Limits.INCLUDES) List<String> includes,

            @JsonPropertyDescription(
                    "The amount of each counter that the device consumes. 1 to 32 counters of that set, including those of"
                            + " mixins.")
            @Size(max = Limits.COUNTERS) Map<String, Quantity> counters,

            @JsonPropertyDescription(
                    "KEP-5963 compatibility groups, at most 2. Devices on one counter set can be allocated together only if"
                            + " they all share a group or none of them has a group. This describes the hardware; spec.compatibility says"
                            + " whether the groups are published.")
            @Size(max = Limits.GROUPS) List<String> compatibilityGroups) {

        public CounterConsumption {
            includes = Defaults.list(includes);
            counters = Defaults.map(counters);
            compatibilityGroups = Defaults.list(compatibilityGroups);
        }
    }
}
