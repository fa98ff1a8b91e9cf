package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.fakegpu.dra.Limits;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;

/** Entries that several devices or counter sets include (KEP-5234). Mixins are not published. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record MixinsSpec(
        @JsonPropertyDescription("Attributes and capacities that devices can include.") @Size(max = 512) List<Device> device,

        @JsonPropertyDescription(
                "Counters that entries of consumesCounters can include, regardless of the counter set that they refer to.")
        @Size(max = 512) List<Counters> counterConsumption,

        @JsonPropertyDescription("Counters that counterSets can include.") @Size(max = 256) List<Counters> counterSet) {

    public static final MixinsSpec NONE = new MixinsSpec(List.of(), List.of(), List.of());

    public MixinsSpec {
        device = Defaults.list(device);
        counterConsumption = Defaults.list(counterConsumption);
        counterSet = Defaults.list(counterSet);
    }

    /** A device mixin. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Device(
            @JsonPropertyDescription("Name, a DNS label that is unique among device mixins.")
            @Required
            @Size(min = 1, max = 63) String name,

            @JsonPropertyDescription("Attributes by name.") @Size(max = Limits.ATTRIBUTES_AND_CAPACITIES) Map<String, AttributeSpec> attributes,

            @JsonPropertyDescription("Capacities by name.") @Size(max = Limits.ATTRIBUTES_AND_CAPACITIES) Map<String, Quantity> capacity,

            @JsonPropertyDescription("Request policies of capacities of this mixin, by the capacity's name.")
            @Size(max = Limits.ATTRIBUTES_AND_CAPACITIES) Map<String, RequestPolicySpec> requestPolicies) {

        public Device {
            attributes = Defaults.map(attributes);
            capacity = Defaults.map(capacity);
            requestPolicies = Defaults.map(requestPolicies);
        }
    }

    /** A counter-consumption or counter-set mixin. */
    public record Counters(
            @JsonPropertyDescription("Name, a DNS label that is unique among the mixins of its kind.")
            @Required
            @Size(min = 1, max = 63) String name,

            @JsonPropertyDescription("1 to 32 counters by name.") @Required @Size(min = 1, max = Limits.COUNTERS) Map<String, Quantity> counters) {

        public Counters {
            counters = Defaults.map(counters);
        }
    }
}
