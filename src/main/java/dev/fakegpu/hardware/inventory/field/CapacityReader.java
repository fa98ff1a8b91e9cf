package dev.fakegpu.hardware.inventory.field;

import dev.fakegpu.api.RequestPolicySpec;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.util.Suggestion;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validates the syntax of a FakeGpu's capacities and their request policies, and converts them. */
public final class CapacityReader {
    private CapacityReader() {}

    /** @param field the path of the object that has both maps */
    public static void check(
            String field,
            Map<String, io.fabric8.kubernetes.api.model.Quantity> capacity,
            Map<String, RequestPolicySpec> policies,
            Problems problems) {
        capacity.forEach((name, value) -> {
            String at = field + ".capacity[" + name + "]";
            problems.unlessMatches(Syntax.QUALIFIED_NAME, at, name);
            QuantityReader.check(at, value, problems);
        });
        policies.forEach((name, policy) -> {
            String at = field + ".requestPolicies[" + name + "]";
            if (!capacity.containsKey(name)) {
                problems.add(
                        at,
                        name,
                        "is not a capacity beside it" + Suggestion.hint(name, capacity.keySet()),
                        Problems.oneOf(capacity.keySet(), "no request policy, for there is no capacity here"));
            }
            check(at, policy, problems);
        });
    }

    /** Checks only that the quantities can be parsed. {@link PolicyCheck} checks their values. */
    public static void check(String field, @Nullable RequestPolicySpec policy, Problems problems) {
        if (policy == null) {
            problems.add(field, "", "is empty", "default, with validValues or validRange");
            return;
        }
        checkOptional(field + ".default", policy.defaultValue(), problems);
        for (int i = 0; i < policy.validValues().size(); i++) {
            QuantityReader.check(
                    field + ".validValues[" + i + "]", policy.validValues().get(i), problems);
        }
        if (policy.validRange() != null) {
            QuantityReader.check(field + ".validRange.min", policy.validRange().min(), problems);
            checkOptional(field + ".validRange.max", policy.validRange().max(), problems);
            checkOptional(field + ".validRange.step", policy.validRange().step(), problems);
        }
    }

    private static void checkOptional(
            String field, io.fabric8.kubernetes.api.model.@Nullable Quantity quantity, Problems problems) {
        if (quantity != null) {
            QuantityReader.check(field, quantity, problems);
        }
    }

    public static Map<String, DeviceCapacity> read(
            Map<String, io.fabric8.kubernetes.api.model.Quantity> capacity, Map<String, RequestPolicySpec> policies) {
        var capacities = new LinkedHashMap<String, DeviceCapacity>();
        capacity.forEach((name, value) -> capacities.put(
                name,
                new DeviceCapacity(
                        QuantityReader.of(value), policies.containsKey(name) ? read(policies.get(name)) : null)));
        return capacities;
    }

    public static DeviceCapacity.RequestPolicy read(RequestPolicySpec policy) {
        RequestPolicySpec.Range range = policy.validRange();
        return new DeviceCapacity.RequestPolicy(
                optional(policy.defaultValue()),
                policy.validValues().stream().map(QuantityReader::of).toList(),
                range == null
                        ? null
                        : new DeviceCapacity.Range(
                                optional(range.min()), optional(range.max()), optional(range.step())));
    }

    private static @Nullable Quantity optional(io.fabric8.kubernetes.api.model.@Nullable Quantity quantity) {
        return quantity == null ? null : QuantityReader.of(quantity);
    }
}
