package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
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

/** Something that goes wrong on purpose: when the kubelet calls the driver for a claim, or with devices at a moment. */
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
                "(has(self.effect) && self.effect in ['Health', 'Taint']) || (!has(self.after) && !has(self.at) && !has(self.since))",
        message = "after, at and since go with effects Health and Taint only")
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
        @JsonPropertyDescription("A DNS label, unique in the FakeGpu; events and conditions name the fault by it.")
        @Required
        @Size(min = 1, max = 63) String name,

        @JsonPropertyDescription(
                "Which call. Prepare (default): NodePrepareResources, so that the pod does not start. Unprepare:"
                        + " NodeUnprepareResources, so that the pod does not go.")
        @Default("Prepare")
        Operation operation,

        @JsonPropertyDescription("Calls for claims with one of these devices. Default: all devices.") @Nullable DevicesSelector devices,

        @JsonPropertyDescription("Calls for claims with these labels. Default: all claims.") @Nullable ClaimsSelector claims,

        @JsonPropertyDescription("Which of these calls. Default: all, until the fault is removed from the spec.")
        @Nullable When when,

        @JsonPropertyDescription(
                "Fail (default): the driver answers with an error. Hang: it does not answer, and the kubelet gives up after 45 s. Delay:"
                        + " it answers late and does its work. WrongDevice: it prepares other devices of the pool than those that were"
                        + " allocated. Not a call, but the devices change: Health, as health says; Taint, as taint says; at once, or after or at"
                        + " some time.")
        @Default("Fail")
        Effect effect,

        @JsonPropertyDescription(
                "How long the driver takes to answer: 1ms to 999ms, or 1s to 44s. Required with effect Delay, not with Hang.")
        @Pattern(FaultSpec.DELAY) @Nullable String delay,

        @JsonPropertyDescription("What the error says after the fault's name; with effect Fail.")
        @Size(min = 1, max = 256) @Nullable String message,

        @JsonPropertyDescription("What becomes of the devices; with effect Health.") @Nullable HealthChange health,

        @JsonPropertyDescription("What the devices are tainted with; with effect Taint.") @Nullable TaintChange taint,

        @JsonPropertyDescription(
                "How long after since the devices change: 0s to 86400s, or minutes (m) or hours (h); with effects Health and Taint."
                        + " Default: at once.")
        @Pattern(FaultSpec.AFTER) @Nullable String after,

        @JsonPropertyDescription(
                "When the devices change, in RFC 3339 such as 2026-01-31T12:00:00Z, instead of after; with effects Health and Taint.")
        @Size(max = 35) @Nullable String at,

        @JsonPropertyDescription(
                "What after counts from, with effects Health and Taint. Applied (default): when the fault came into the spec. Prepared:"
                        + " when a device was prepared, for each device; it recovers when it is unprepared.")
        @Nullable Since since) {

    /** Shorter than the kubelet's patience, 45 s. */
    public static final String DELAY = "^([1-9][0-9]{0,2}ms|([1-9]|[1-3][0-9]|4[0-4])s)$";

    /** At most five digits and a unit. */
    public static final String AFTER = "^(0|[1-9][0-9]{0,4})[smh]$";

    /** What {@code after} counts from. */
    public enum Since {
        Applied,
        Prepared
    }

    /** {@code spec.health[]} without the devices. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @ValidationRule(
            value = "has(self.xid) == (self.state in ['XidError', 'XidWarning'])",
            message = "xid must be set for the states XidError and XidWarning, and for them only")
    public record HealthChange(
            @JsonPropertyDescription("As in spec.health.") @Required
            HealthSpec.State state,

            @JsonPropertyDescription("Number of the XID error, 1 to 999.") @Min(1) @Max(999) @Nullable Integer xid) {}

    /** {@code spec.taints[]} without the devices. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record TaintChange(
            @JsonPropertyDescription("A label name, for example example.com/maintenance.")
            @Required
            @Size(min = 1, max = 317) String key,

            @JsonPropertyDescription("A label value. Default: empty.") @Size(max = 63) @Nullable String value,

            @JsonPropertyDescription("None, NoSchedule or NoExecute, as in spec.taints.") @Required
            TaintSpec.Effect effect) {}

    /** The kubelet's calls, without {@code Node} and {@code Resources}. */
    public enum Operation {
        Prepare,
        Unprepare
    }

    /** What becomes of a call. */
    public enum Effect {
        Fail,
        Hang,
        Delay,
        WrongDevice,
        Health,
        Taint
    }

    /** Which calls, by number or by chance. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @ValidationRule(
            value = "[has(self.first), has(self.everyNth), has(self.probability)].exists_one(set, set)",
            message = "exactly one of first, everyNth and probability must be set")
    @ValidationRule(value = "!has(self.seed) || has(self.probability)", message = "seed goes with probability only")
    public record When(
            @JsonPropertyDescription("The first so many calls for each claim.") @Min(1) @Max(1000000) @Nullable Integer first,

            @JsonPropertyDescription("Every third call with 3, and so on, counted over all claims.")
            @Min(1) @Max(1000000) @Nullable Integer everyNth,

            @JsonPropertyDescription(
                    "This many calls of a hundred, drawn for each call from the seed, the fault's name, the claim's namespace and name"
                            + " and the number of its call: the same again every time.")
            @Min(0) @Max(100) @Nullable Integer probability,

            @JsonPropertyDescription("Another seed, other calls. Default: 0.") @Nullable Long seed) {}

    /** A label selector. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @ValidationRule(
            value = "!has(self.matchExpressions) || self.matchExpressions.all(e, e.operator in"
                    + " ['In', 'NotIn', 'Exists', 'DoesNotExist'])",
            message = "operator must be In, NotIn, Exists or DoesNotExist")
    public record ClaimsSelector(
            @JsonPropertyDescription("Labels and their values.") @Size(max = 16) Map<String, String> matchLabels,

            @JsonPropertyDescription("Requirements on labels: In, NotIn, Exists, DoesNotExist.") @Size(max = 16) List<NodeSelectorSpec.Requirement> matchExpressions) {

        public ClaimsSelector {
            matchLabels = matchLabels == null ? Map.of() : matchLabels;
            matchExpressions = matchExpressions == null ? List.of() : List.copyOf(matchExpressions);
        }
    }

    public FaultSpec {
        operation = Objects.requireNonNullElse(operation, Operation.Prepare);
        effect = Objects.requireNonNullElse(effect, Effect.Fail);
    }

    /** A fault of calls. */
    public FaultSpec(
            String name,
            Operation operation,
            @Nullable DevicesSelector devices,
            @Nullable ClaimsSelector claims,
            @Nullable When when,
            Effect effect,
            @Nullable String delay,
            @Nullable String message) {
        this(name, operation, devices, claims, when, effect, delay, message, null, null, null, null, null);
    }

    /** The devices with their default. */
    public DevicesSelector selected() {
        return Objects.requireNonNullElse(devices, DevicesSelector.ALL);
    }
}
