package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceCapacity.RequestPolicy;
import dev.fakegpu.dra.Quantity;
import java.util.List;

/** Rules about capacities and the policies by which several claims share them (KEP-5075). */
final class CapacityChecks {

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
    private static final Rule DEFAULT_ABOVE = Rule.error(
            Scope.SLICE,
            "policy-default-above-capacity",
            "The API server accepts it, but claims that ask for no amount never get the device.",
            "Lower the default, or publish the right capacity.",
            Sources.allocator("a request without an amount takes the default; KEP-5075"));
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

    static final List<Rule> RULES = List.of(TWICE, NEGATIVE, DEFAULT_ABOVE, NO_POLICY, UNLIMITED);

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
        if (policy == null && shared) {
            add(NO_POLICY, "", "has no requestPolicy, but the device has allowMultipleAllocations");
        } else if (policy != null && shared) {
            check(policy);
        }
    }

    /** If there are values or a range, the API server compares the default with them. */
    private void check(RequestPolicy policy) {
        Quantity byDefault = policy.defaultValue();
        boolean isFree = policy.validValues().isEmpty() && policy.validRange() == null;
        if (isFree && byDefault != null && byDefault.compareTo(capacity.value()) > 0) {
            add(DEFAULT_ABOVE, ".requestPolicy.default", byDefault + " is more than the capacity " + capacity.value());
        }
    }

    private void add(Rule rule, String field, String message) {
        findings.add(rule, device.at("capacity[" + name + "]" + field), message);
    }
}
