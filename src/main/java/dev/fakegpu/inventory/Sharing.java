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
 * The portions in which a whole GPU is shared, as NVIDIA's DRA driver publishes them ({@code consumable_shares.go}). Its driver
 * leaves out all capacities but memory then. Here they stay, for selectors, and no share takes of them unless it asks: without a
 * policy the first share would take all.
 */
final class Sharing {

    private static final String MEMORY = "memory";
    private static final String SHARES = "shares";
    private static final Quantity STEP = Quantity.ofMebibytes(1);
    private static final Quantity NOTHING = Quantity.of(0);

    private Sharing() {}

    static Map<String, DeviceCapacity> portions(Map<String, DeviceCapacity> capacity, SharingSpec sharing) {
        var portions = new LinkedHashMap<String, DeviceCapacity>();
        capacity.forEach((name, all) -> portions.put(
                name,
                new DeviceCapacity(
                        all.value(),
                        name.equals(MEMORY)
                                ? memory(all.value(), sharing)
                                : range(NOTHING, NOTHING, all.value(), Quantity.ONE))));
        if (sharing.shares() != null) {
            Quantity shares = Quantity.of(sharing.shares());
            portions.put(SHARES, new DeviceCapacity(shares, range(Quantity.ONE, Quantity.ONE, shares, Quantity.ONE)));
        }
        return portions;
    }

    private static RequestPolicy memory(Quantity all, SharingSpec sharing) {
        if (sharing.memory() != null) {
            return Capacities.read(Objects.requireNonNull(sharing.memory()));
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
