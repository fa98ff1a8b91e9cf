package dev.fakegpu.inventory;

import dev.fakegpu.api.SharingSpec;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceCapacity.Range;
import dev.fakegpu.dra.DeviceCapacity.RequestPolicy;
import dev.fakegpu.dra.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The request policies of a shared GPU, as in NVIDIA's DRA driver ({@code consumable_shares.go}). That driver publishes only the memory of
 * shared GPUs. Here the other capacities are kept for selectors, with a default of 0: without a policy, the first share would consume all
 * of them.
 */
final class Sharing {

    private static final String MEMORY = "memory";
    private static final String SHARES = "shares";
    private static final Quantity STEP = Quantity.ofMebibytes(1);
    private static final Quantity NOTHING = Quantity.of(0);

    private Sharing() {}

    static Map<String, DeviceCapacity> requestPolicies(Map<String, DeviceCapacity> capacity, SharingSpec sharing) {
        var policies = new LinkedHashMap<String, DeviceCapacity>();
        capacity.forEach((name, all) -> policies.put(
                name,
                new DeviceCapacity(
                        all.value(),
                        name.equals(MEMORY)
                                ? memory(all.value(), sharing)
                                : range(NOTHING, NOTHING, all.value(), Quantity.ONE))));
        if (sharing.shares() != null) {
            Quantity shares = Quantity.of(sharing.shares());
            policies.put(SHARES, new DeviceCapacity(shares, range(Quantity.ONE, Quantity.ONE, shares, Quantity.ONE)));
        }
        return policies;
    }

    private static RequestPolicy memory(Quantity all, SharingSpec sharing) {
        if (sharing.memory() != null) {
            return CapacityReader.read(Objects.requireNonNull(sharing.memory()));
        }
        return sharing.mode() == SharingSpec.Mode.Memory
                ? range(all, STEP, all, STEP)
                : range(NOTHING, NOTHING, all, STEP);
    }

    private static RequestPolicy range(Quantity byDefault, Quantity min, Quantity max, Quantity step) {
        boolean steps = max.minus(min).compareTo(step) >= 0;
        return new RequestPolicy(byDefault, List.of(), new Range(min, max, steps ? step : null));
    }
}
