package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceCapacity.Range;
import dev.fakegpu.dra.DeviceCapacity.RequestPolicy;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.inventory.Syntax;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Rules about capacities and the policies by which several claims share them (KEP-5075). */
final class CapacityChecks {

    private static final String REFUSED = "The API server refuses the slice.";

    private static final Rule NAME = Rule.error(
            Scope.SLICE,
            "invalid-capacity-name",
            REFUSED,
            "Use a C identifier of at most " + Limits.IDENTIFIER + " characters, optionally after a domain and /.",
            Sources.validation("validateQualifiedName"));
    private static final Rule TWICE = Rule.warning(
            Scope.SLICE,
            "capacity-declared-twice",
            "A name without a domain is in the driver's domain, so CEL sees one capacity and takes either value; a request takes the value of"
                    + " the name as the request writes it.",
            "Keep one of them, the one without the domain.",
            Sources.types("Device.capacity; k8s.io/dynamic-resource-allocation/cel"));
    private static final Rule NEGATIVE = Rule.warning(
            Scope.SLICE,
            "negative-capacity",
            "The API server accepts it, but no request for this capacity ever matches.",
            "Publish what the device has.",
            Sources.validation("validateMultiAllocatableDeviceCapacity, which accepts any quantity"));
    private static final Rule NOT_SHARED = Rule.error(
            Scope.SLICE,
            "policy-without-sharing",
            REFUSED,
            "Set allowMultipleAllocations on the device, or remove requestPolicy.",
            Sources.validation("validateSingleAllocatableDeviceCapacity"));
    private static final Rule BOTH = Rule.error(
            Scope.SLICE,
            "policy-with-values-and-range",
            REFUSED,
            "Keep one of validValues and validRange.",
            Sources.validation("validateRequestPolicy"));
    private static final Rule NO_DEFAULT = Rule.error(
            Scope.SLICE,
            "policy-without-default",
            REFUSED,
            "Set the amount that a claim gets if it asks for none.",
            Sources.validation("validateValidRequestValues"));
    private static final Rule DEFAULT = Rule.error(
            Scope.SLICE,
            "policy-default-not-allowed",
            "The API server refuses the slice; claims without a request could never be served.",
            "Choose a default among validValues, or within validRange and on a step.",
            Sources.validation("validateRequestPolicyValidValues, validateRequestPolicyRange"));
    private static final Rule VALUES = Rule.error(
            Scope.SLICE,
            "policy-values-unordered",
            REFUSED,
            "List each value once, in ascending order.",
            Sources.validation("validateRequestPolicyValidValues"));
    private static final Rule TOO_MANY = Rule.error(
            Scope.SLICE,
            "policy-with-too-many-values",
            REFUSED,
            "Use validRange with a step.",
            Sources.types("CapacityRequestPolicyDiscreteMaxOptions = " + Limits.POLICY_VALUES));
    private static final Rule ABOVE = Rule.error(
            Scope.SLICE,
            "policy-above-capacity",
            REFUSED,
            "Lower the value, or publish the right capacity.",
            Sources.validation("validateRequestPolicyValidValues, validateRequestPolicyRange"));
    private static final Rule DEFAULT_ABOVE = Rule.error(
            Scope.SLICE,
            "policy-default-above-capacity",
            "The API server accepts it, but claims that ask for no amount never get the device.",
            "Lower the default, or publish the right capacity.",
            Sources.allocator("a request without an amount takes the default; KEP-5075"));
    private static final Rule RANGE = Rule.error(
            Scope.SLICE,
            "policy-range-invalid",
            REFUSED,
            "Set min, and a max that is not below it.",
            Sources.validation("validateRequestPolicyRange"));
    private static final Rule STEP = Rule.error(
            Scope.SLICE,
            "policy-step-invalid",
            REFUSED,
            "Use a step above 0 that leads from min to max, and from min to at least one more amount.",
            Sources.validation("validateRequestPolicyRange, validateRequestPolicyRangeStep"));
    private static final Rule NO_POLICY = Rule.warning(
            Scope.SLICE,
            "shared-capacity-without-policy",
            "A claim that asks for no amount takes all of the capacity, so the device is shared only if every claim names an amount.",
            "Give the capacity a requestPolicy with a default.",
            Sources.kep("5075 (consumable capacity)") + "; " + Sources.types("CapacityRequestPolicy.default"));
    private static final Rule UNLIMITED = Rule.warning(
            Scope.SLICE,
            "unlimited-sharing",
            "Nothing limits the number of claims that share the device.",
            "Publish a capacity that each claim takes a part of, or remove allowMultipleAllocations.",
            Sources.kep("5075 (consumable capacity)"));

    static final List<Rule> RULES = List.of(
            NAME,
            TWICE,
            NEGATIVE,
            NOT_SHARED,
            BOTH,
            NO_DEFAULT,
            DEFAULT,
            VALUES,
            TOO_MANY,
            ABOVE,
            DEFAULT_ABOVE,
            RANGE,
            STEP,
            NO_POLICY,
            UNLIMITED);

    private final CheckedDevice device;
    private final Violations findings;
    private final String name;
    private final DeviceCapacity capacity;

    private CapacityChecks(CheckedDevice device, Violations findings, String name, DeviceCapacity capacity) {
        this.device = device;
        this.findings = findings;
        this.name = name;
        this.capacity = capacity;
    }

    static void check(CheckedDevice device, Violations findings) {
        boolean shared = device.device().allowMultipleAllocations();
        if (shared && device.device().capacity().isEmpty()) {
            findings.add(UNLIMITED, device.at("allowMultipleAllocations"), "is set, but the device has no capacity");
        }
        device.device()
                .capacity()
                .forEach((name, capacity) -> new CapacityChecks(device, findings, name, capacity).check(shared));
    }

    private void check(boolean shared) {
        if (!Syntax.QUALIFIED_NAME.matches(name.toLowerCase(Locale.ROOT))) {
            add(NAME, "", Words.quoted(name) + " is not " + Syntax.QUALIFIED_NAME.description());
        }
        String own = device.slice().pool().driver() + "/";
        DeviceCapacity twin =
                name.startsWith(own) ? device.device().capacity().get(name.substring(own.length())) : null;
        if (twin != null && !twin.equals(capacity)) {
            add(TWICE, "", "is %s, but without the domain %s".formatted(capacity.value(), twin.value()));
        }
        if (capacity.value().signum() < 0) {
            add(NEGATIVE, ".value", capacity.value() + " is less than 0");
        }
        RequestPolicy policy = capacity.requestPolicy();
        if (policy != null && !shared) {
            add(NOT_SHARED, ".requestPolicy", "is set, but the device has no allowMultipleAllocations");
        } else if (policy != null) {
            check(policy);
        } else if (shared) {
            add(NO_POLICY, "", "has no requestPolicy, but the device has allowMultipleAllocations");
        }
    }

    private void check(RequestPolicy policy) {
        Quantity defaultValue = policy.defaultValue();
        boolean hasValues = !policy.validValues().isEmpty();
        if (hasValues && policy.validRange() != null) {
            add(BOTH, ".requestPolicy", "has validValues and validRange");
        } else if (defaultValue == null) {
            if (hasValues || policy.validRange() != null) {
                add(NO_DEFAULT, ".requestPolicy.default", "is missing");
            }
        } else if (hasValues) {
            values(defaultValue, policy.validValues());
        } else if (policy.validRange() != null) {
            range(defaultValue, policy.validRange());
        } else if (defaultValue.compareTo(capacity.value()) > 0) {
            add(
                    DEFAULT_ABOVE,
                    ".requestPolicy.default",
                    defaultValue + " is more than the capacity " + capacity.value());
        }
    }

    private void values(Quantity defaultValue, List<Quantity> values) {
        String at = ".requestPolicy.validValues";
        if (values.size() > Limits.POLICY_VALUES) {
            add(TOO_MANY, at, "has %s values, at most %s are allowed".formatted(values.size(), Limits.POLICY_VALUES));
        }
        for (int i = 0; i < values.size(); i++) {
            if (i > 0 && values.get(i).compareTo(values.get(i - 1)) <= 0) {
                add(VALUES, at + "[" + i + "]", values.get(i) + " comes after " + values.get(i - 1));
            }
            notAbove(at + "[" + i + "]", values.get(i), capacity.value());
        }
        if (values.stream().noneMatch(value -> value.compareTo(defaultValue) == 0)) {
            add(DEFAULT, ".requestPolicy.default", defaultValue + " is none of " + values);
        }
    }

    private void range(Quantity defaultValue, Range range) {
        String at = ".requestPolicy.validRange";
        Quantity min = range.min();
        Quantity max = range.max() == null ? capacity.value() : range.max();
        if (min == null) {
            add(RANGE, at + ".min", "is missing");
            return;
        }
        boolean inverted = range.max() != null && min.compareTo(range.max()) > 0;
        if (inverted) {
            add(RANGE, at, "min " + min + " is more than max " + range.max());
        }
        boolean above = notAbove(at + ".min", min, capacity.value()) | notAbove(at + ".max", max, capacity.value());
        if (inverted || above) {
            return;
        }
        if (defaultValue.compareTo(min) < 0 || defaultValue.compareTo(max) > 0) {
            add(DEFAULT, ".requestPolicy.default", "%s is not from %s to %s".formatted(defaultValue, min, max));
        } else if (range.step() != null) {
            step(defaultValue, min, range.max(), range.step());
        }
    }

    private void step(Quantity defaultValue, Quantity min, @Nullable Quantity max, Quantity step) {
        String at = ".requestPolicy.validRange.step";
        if (step.signum() <= 0) {
            add(STEP, at, step + " is not more than 0");
            return;
        }
        if (min.plus(step).compareTo(capacity.value()) > 0) {
            add(STEP, at, "one step from min " + min + " is more than the capacity " + capacity.value());
        }
        if (max != null && !isOnStep(max, min, step)) {
            add(STEP, at, "steps of %s from %s do not lead to max %s".formatted(step, min, max));
        }
        if (!isOnStep(defaultValue, min, step)) {
            add(
                    DEFAULT,
                    ".requestPolicy.default",
                    "steps of %s from %s do not lead to %s".formatted(step, min, defaultValue));
        }
    }

    private static boolean isOnStep(Quantity value, Quantity min, Quantity step) {
        return value.minus(min).value().remainder(step.value()).signum() == 0;
    }

    private boolean notAbove(String field, Quantity value, Quantity limit) {
        if (value.compareTo(limit) <= 0) {
            return false;
        }
        add(ABOVE, field, value + " is more than the capacity " + limit);
        return true;
    }

    private void add(Rule rule, String field, String message) {
        findings.add(rule, device.at("capacity[" + name + "]" + field), message);
    }
}
