package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fault to inject into the kubelet's calls to the driver, or into devices at some point in time. The package
 * {@code dev.fakegpu.operator.prepare.fault} lists all classes that handle faults.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "!has(self.effect) || self.effect != 'Delay' || has(self.delay)",
        message = "delay must be set with effect Delay")
@ValidationRule(
        value = "!has(self.effect) || self.effect != 'Hang' || !has(self.delay)",
        message = "delay does not go with effect Hang: no answer comes at all")
@ValidationRule(
        value = "!has(self.message) || !has(self.effect) || self.effect == 'Fail'",
        message = "message goes with effect Fail only")
@ValidationRule(
        value = "has(self.health) == (has(self.effect) && self.effect == 'Health')",
        message = "effect Health and health go together")
@ValidationRule(
        value = "has(self.taint) == (has(self.effect) && self.effect == 'Taint')",
        message = "effect Taint and taint go together")
@ValidationRule(
        value =
                "(has(self.effect) && self.effect in ['Health', 'Taint']) || (!has(self.after) && !has(self.at) && !has(self.since) && !has(self.for))",
        message = "after, at, since and for go with effects Health and Taint only")
@ValidationRule(
        value = "!has(self.effect) || !(self.effect in ['Health', 'Taint']) || (!has(self.when) && !has(self.delay) &&"
                + " (!has(self.operation) || self.operation == 'Prepare'))",
        message = "operation, when and delay are about calls, and do not go with effects Health and Taint")
@ValidationRule(
        value =
                "!has(self.effect) || self.effect != 'WrongDevice' || !has(self.operation) || self.operation == 'Prepare'",
        message = "effect WrongDevice goes with operation Prepare only")
@ValidationRule(value = "!has(self.after) || !has(self.at)", message = "after and at exclude each other")
@ValidationRule(
        value = "!has(self.since) || self.since != 'Prepared' || !has(self.at)",
        message = "at does not go with since Prepared")
@ValidationRule(
        value =
                "!has(self.claims) || !has(self.effect) || !(self.effect in ['Health', 'Taint']) || (has(self.since) && self.since == 'Prepared')",
        message = "claims goes with effects Health and Taint since Prepared only")
public record FaultSpec(
        @JsonPropertyDescription(
                "A DNS label that is unique in the FakeGpu. Events and conditions name the fault by it.")
        @Required
        @Size(min = 1, max = 63) String name,

        @JsonPropertyDescription(
                "The call that the fault affects. Prepare (default): NodePrepareResources, so that the pod does not start."
                        + " Unprepare: NodeUnprepareResources, so that the pod does not terminate.")
        @Default("Prepare")
        Operation operation,

        @JsonPropertyDescription("Affects only claims that have one of these devices allocated. Default: all devices.")
        @Nullable DevicesSelector devices,

        @JsonPropertyDescription("Affects only claims with these labels. Default: all claims.") @Nullable ClaimsSelector claims,

        @JsonPropertyDescription(
                "Which of the matching calls are affected. Default: all, until the fault is removed from the spec.")
        @Nullable When when,

        @JsonPropertyDescription(
                "What happens. To a call: Fail (default): the driver returns an error. Hang: it does not respond, and the kubelet"
                        + " gives up after 45 s. Delay: it responds late, but correctly. WrongDevice: it prepares other devices of"
                        + " the pool than the allocated ones. To devices: Health: their health changes as described in health."
                        + " Taint: they get the taint described in taint.")
        @Default("Fail")
        Effect effect,

        @JsonPropertyDescription(
                "How long the driver takes to respond: 1ms to 999ms, or 1s to 44s. Required with effect Delay; not allowed with"
                        + " Hang, Health and Taint.")
        @Pattern(FaultSpec.DELAY) @Nullable String delay,

        @JsonPropertyDescription("Text of the error, after the name of the fault. Only with effect Fail.")
        @Size(min = 1, max = 256) @Nullable String message,

        @JsonPropertyDescription("The health that the devices get. Only with effect Health.") @Nullable HealthChange health,

        @JsonPropertyDescription("The taint that the devices get. Only with effect Taint.") @Nullable TaintChange taint,

        @JsonPropertyDescription(
                "Time between the event named in since and the change of the devices: a number of at most five digits and"
                        + " a unit (s, m or h), for example 30s. Default: no delay. Only with effects Health and Taint.")
        @Pattern(FaultSpec.AFTER) @Nullable String after,

        @JsonPropertyDescription(
                "When the devices change, in RFC 3339, for example 2026-01-31T12:00:00Z. Replaces after. Only with effects"
                        + " Health and Taint.")
        @Size(max = 35) @Nullable String at,

        @JsonPropertyDescription(
                "The event that after counts from. Applied (default): the fault was added to the spec or edited. Prepared:"
                        + " a device was prepared; each device has its own time, and it recovers when it is unprepared. Only with"
                        + " effects Health and Taint.")
        @Nullable Since since,

        @JsonProperty("for")
        @JsonPropertyDescription(
                "How long the devices stay changed: a number from 1 to 99999 and a unit (s, m or h), for example 30s. Default:"
                        + " until the fault is removed from the spec. Only with effects Health and Taint.")
        @Pattern(FaultSpec.FOR) @Nullable String lasts)
        implements FaultTiming {

    /** Shorter than the kubelet's timeout of 45 s. */
    public static final String DELAY = "^([1-9][0-9]{0,2}ms|([1-9]|[1-3][0-9]|4[0-4])s)$";

    /** A pattern for durations: at most five digits and a unit. */
    public static final String AFTER = "^(0|[1-9][0-9]{0,4})[smh]$";

    /** A pattern for durations longer than zero: at most five digits and a unit. */
    public static final String FOR = "^[1-9][0-9]{0,4}[smh]$";

    /** The event from which {@code after} is counted. */
    public enum Since {
        Applied,
        Prepared
    }

    /** An entry of {@code spec.health} without its devices. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @ValidationRule(
            value = "has(self.xid) == (self.state in ['XidError', 'XidWarning'])",
            message = "xid must be set for the states XidError and XidWarning, and for them only")
    public record HealthChange(
            @JsonPropertyDescription("As in spec.health.") @Required
            HealthSpec.State state,

            @JsonPropertyDescription("Number of the XID error, 1 to 999.") @Min(1) @Max(999) @Nullable Integer xid) {}

    /** An entry of {@code spec.taints} without its devices. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record TaintChange(
            @JsonPropertyDescription("Key of the taint: a label name, for example example.com/maintenance.")
            @Required
            @Size(min = 1, max = 317) String key,

            @JsonPropertyDescription("Value of the taint: a label value. Default: empty.") @Size(max = 63) @Nullable String value,

            @JsonPropertyDescription("None, NoSchedule or NoExecute, as in spec.taints.") @Required
            TaintSpec.Effect effect) {}

    /** The calls NodePrepareResources and NodeUnprepareResources. */
    public enum Operation {
        Prepare,
        Unprepare
    }

    /** What happens to the call or the devices. */
    public enum Effect {
        Fail,
        Hang,
        Delay,
        WrongDevice,
        Health,
        Taint
    }

    /** Which calls are affected: by number or by probability. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @ValidationRule(
            value = "[has(self.first), has(self.everyNth), has(self.nth), has(self.from) || has(self.to),"
                    + " has(self.probability)].exists_one(set, set)",
            message = "exactly one of first, everyNth, nth, from/to and probability must be set")
    @ValidationRule(
            value = "!has(self.from) || !has(self.to) || self.from <= self.to",
            fieldPath = ".from",
            message = "from must not be greater than to")
    @ValidationRule(value = "!has(self.seed) || has(self.probability)", message = "seed goes with probability only")
    public record When(
            @JsonPropertyDescription(
                    "The first N calls for each claim, 1 to 1000000. Retries of the kubelet count as calls.")
            @Min(1) @Max(1000000) @Nullable Integer first,

            @JsonPropertyDescription(
                    "Every Nth matching call of all claims, 1 to 1000000: with 3, the third, sixth and so on. Retries of the"
                            + " kubelet count as calls.")
            @Min(1) @Max(1000000) @Nullable Integer everyNth,

            @JsonPropertyDescription(
                    "Only the Nth matching call of all claims, 1 to 1000000: with 2, only the second. Retries of the kubelet count"
                            + " as calls.")
            @Min(1) @Max(1000000) @Nullable Integer nth,

            @JsonPropertyDescription(
                    "The first affected call, 1 to 1000000, counted over the matching calls of all claims. Retries of the"
                            + " kubelet count as calls. Default: 1 if to is set.")
            @Min(1) @Max(1000000) @Nullable Integer from,

            @JsonPropertyDescription(
                    "The last affected call, 1 to 1000000 and at least from, counted over the matching calls of all claims."
                            + " Retries of the kubelet count as calls. Default: no end if from is set.")
            @Min(1) @Max(1000000) @Nullable Integer to,

            @JsonPropertyDescription(
                    "Percentage of calls, 0 to 100. Whether a call is affected is computed from the seed, the fault's name,"
                            + " the claim's namespace and name, and how many calls there were for the claim, so applying the same"
                            + " manifests again gives the same result.")
            @Min(0) @Max(100) @Nullable Integer probability,

            @JsonPropertyDescription("Seed of the computation; another seed selects other calls. Default: 0.") @Nullable Long seed) {}

    /** A label selector. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @ValidationRule(
            value = "!has(self.matchExpressions) || self.matchExpressions.all(e, e.operator in"
                    + " ['In', 'NotIn', 'Exists', 'DoesNotExist'])",
            message = "operator must be In, NotIn, Exists or DoesNotExist")
    public record ClaimsSelector(
            @JsonPropertyDescription("Labels that the claim must have, with their values.") @Size(max = 16) Map<String, String> matchLabels,

            @JsonPropertyDescription("Requirements on labels; the operators are In, NotIn, Exists and DoesNotExist.")
            @Size(max = 16) List<NodeSelectorSpec.Requirement> matchExpressions) {

        public ClaimsSelector {
            matchLabels = Defaults.map(matchLabels);
            matchExpressions = Defaults.list(matchExpressions);
        }
    }

    public FaultSpec {
        operation = Objects.requireNonNullElse(operation, Operation.Prepare);
        effect = Objects.requireNonNullElse(effect, Effect.Fail);
    }

    /** {@code devices} with its default. */
    public DevicesSelector selected() {
        return Objects.requireNonNullElse(devices, DevicesSelector.ALL);
    }
}
