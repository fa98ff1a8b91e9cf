package dev.fakegpu.inventory;

import dev.fakegpu.api.RequestPolicySpec;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Capacities as a FakeGpu has them, with the request policies beside them: checks how they are written, and reads them. */
final class Capacities {
    private Capacities() {}

    /** @param field of the object that has both */
    static void check(
            String field,
            Map<String, io.fabric8.kubernetes.api.model.Quantity> capacity,
            Map<String, RequestPolicySpec> policies,
            Problems problems) {
        capacity.forEach((name, value) -> {
            String at = field + ".capacity[" + name + "]";
            problems.unlessMatches(Syntax.QUALIFIED_NAME, at, name);
            CustomQuantity.check(at, value, problems);
        });
        policies.forEach((name, policy) -> {
            String at = field + ".requestPolicies[" + name + "]";
            if (!capacity.containsKey(name)) {
                problems.add(
                        at,
                        name,
                        "is no capacity beside it" + NearMiss.hint(name, capacity.keySet()),
                        Problems.oneOf(capacity.keySet(), "no request policy, for there is no capacity here"));
            }
            check(at, policy, problems);
        });
    }

    /** Only whether the quantities are some; {@link PolicyCheck} looks at what they say. */
    static void check(String field, @Nullable RequestPolicySpec policy, Problems problems) {
        if (policy == null) {
            problems.add(field, "", "is empty", "default, with validValues or validRange");
            return;
        }
        checkOptional(field + ".default", policy.defaultValue(), problems);
        for (int i = 0; i < policy.validValues().size(); i++) {
            CustomQuantity.check(
                    field + ".validValues[" + i + "]", policy.validValues().get(i), problems);
        }
        if (policy.validRange() != null) {
            CustomQuantity.check(field + ".validRange.min", policy.validRange().min(), problems);
            checkOptional(field + ".validRange.max", policy.validRange().max(), problems);
            checkOptional(field + ".validRange.step", policy.validRange().step(), problems);
        }
    }

    private static void checkOptional(
            String field, io.fabric8.kubernetes.api.model.@Nullable Quantity quantity, Problems problems) {
        if (quantity != null) {
            CustomQuantity.check(field, quantity, problems);
        }
    }

    static Map<String, DeviceCapacity> read(
            Map<String, io.fabric8.kubernetes.api.model.Quantity> capacity, Map<String, RequestPolicySpec> policies) {
        var capacities = new LinkedHashMap<String, DeviceCapacity>();
        capacity.forEach((name, value) -> capacities.put(
                name,
                new DeviceCapacity(
                        CustomQuantity.of(value), policies.containsKey(name) ? read(policies.get(name)) : null)));
        return capacities;
    }

    static DeviceCapacity.RequestPolicy read(RequestPolicySpec policy) {
        RequestPolicySpec.Range range = policy.validRange();
        return new DeviceCapacity.RequestPolicy(
                optional(policy.defaultValue()),
                policy.validValues().stream().map(CustomQuantity::of).toList(),
                range == null
                        ? null
                        : new DeviceCapacity.Range(
                                optional(range.min()), optional(range.max()), optional(range.step())));
    }

    private static @Nullable Quantity optional(io.fabric8.kubernetes.api.model.@Nullable Quantity quantity) {
        return quantity == null ? null : CustomQuantity.of(quantity);
    }
}
