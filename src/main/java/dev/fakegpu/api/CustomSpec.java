package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hardware written out. Every node of the FakeGpu gets all of it. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CustomSpec(
        @JsonPropertyDescription("What devices share, at most 512 sets per node. Usually one set per physical device.")
        @Size(max = 512) List<CounterSet> counterSets,

        @JsonPropertyDescription("The devices of each node, 1 to 4096.") @Required @Size(min = 1, max = 4096) List<Device> devices) {

    public CustomSpec {
        counterSets = orEmpty(counterSets);
        devices = orEmpty(devices);
    }

    /** Named counters. */
    public record CounterSet(
            @JsonPropertyDescription("Name of the set, a DNS label that is unique in this FakeGpu.")
            @Required
            @Size(min = 1, max = 63) String name,

            @JsonPropertyDescription(
                    "What there is of each counter, 1 to 32 counters by name (a DNS label), for example memory: 40Gi.")
            @Required
            @Size(min = 1, max = 32) Map<String, Quantity> counters) {

        public CounterSet {
            counters = counters == null ? Map.of() : counters;
        }
    }

    /** One device. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Device(
            @JsonPropertyDescription("Name of the device, a DNS label that is unique in this FakeGpu.")
            @Required
            @Size(min = 1, max = 63) String name,

            @JsonPropertyDescription(
                    "Attributes by name, each with exactly one of string, int, bool and version. With the capacities at most 32.")
            @Size(max = 32) Map<String, Attribute> attributes,

            @JsonPropertyDescription("Capacities by name, for example memory: 10Gi. With the attributes at most 32.")
            @Size(max = 32) Map<String, Quantity> capacity,

            @JsonPropertyDescription(
                    "What the device takes from counter sets while it is allocated, at most 2 entries.")
            @Size(max = 2) List<CounterConsumption> consumesCounters) {

        public Device {
            attributes = attributes == null ? Map.of() : attributes;
            capacity = capacity == null ? Map.of() : capacity;
            consumesCounters = orEmpty(consumesCounters);
        }
    }

    /** An attribute's value. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @ValidationRule(
            value = "[has(self.string), has(self.int), has(self.bool), has(self.version)].exists_one(set, set)",
            message = "exactly one of string, int, bool and version must be set")
    public record Attribute(
            @JsonProperty("string")
            @JsonPropertyDescription("A string of at most 64 characters.")
            @Size(max = 64) @Nullable String stringValue,

            @JsonProperty("int") @JsonPropertyDescription("A 64-bit integer.") @Nullable Long intValue,

            @JsonProperty("bool") @JsonPropertyDescription("true or false.") @Nullable Boolean boolValue,

            @JsonProperty("version")
            @JsonPropertyDescription("A semantic version 2.0.0 of at most 64 characters, for example 12.4.0.")
            @Size(max = 64) @Nullable String versionValue) {}

    /** What a device takes from one counter set. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record CounterConsumption(
            @JsonPropertyDescription("Name of one of the counterSets.") @Required @Size(min = 1, max = 63) String counterSet,

            @JsonPropertyDescription("How much of each counter, 1 to 32 counters of that set.")
            @Required
            @Size(min = 1, max = 32) Map<String, Quantity> counters,

            @JsonPropertyDescription(
                    "KEP-5963 compatibility groups, at most 2: devices can be allocated on one counter set only if they all share"
                            + " a group, or all have none. This is what the hardware can do; spec.compatibility says whether it is"
                            + " published.")
            @Size(max = 2) List<String> compatibilityGroups) {

        public CounterConsumption {
            counters = counters == null ? Map.of() : counters;
            compatibilityGroups = orEmpty(compatibilityGroups);
        }
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }
}
