package dev.fakegpu.operator.prepare;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.inventory.Inventory;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The GPUs behind the pools of a node, as their FakeGpus model them; compatibility groups are included even if they are not published. */
public record ModeledHardware(Map<PoolId, Inventory> pools) {

    public ModeledHardware {
        pools = Map.copyOf(pools);
    }

    public Optional<Device> device(DeviceId id) {
        return Optional.ofNullable(pools.get(id.poolId())).stream()
                .flatMap(inventory -> inventory.devices().stream())
                .filter(device -> device.name().equals(id.device()))
                .findFirst();
    }

    /** The devices of a pool in publishing order; empty for an unknown pool. */
    public List<Device> devices(PoolId pool) {
        var inventory = pools.get(pool);
        return inventory == null ? List.of() : inventory.devices();
    }

    /** The value of a counter; zero if the set or the counter does not exist. */
    public Quantity total(PoolId pool, String counterSet, String counter) {
        return Optional.ofNullable(pools.get(pool)).stream()
                .flatMap(inventory -> inventory.counterSets().stream())
                .filter(set -> set.name().equals(counterSet))
                .map(CounterSet::counters)
                .map(counters -> counters.getOrDefault(counter, Quantity.ZERO))
                .findFirst()
                .orElse(Quantity.ZERO);
    }
}
