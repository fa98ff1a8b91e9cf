package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.Quantity;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Caches the capacity that requests would consume from the devices of a pool, across allocations. Thread-safe. */
public final class ConsumedCapacityCache {

    private static final int MAX_REMEMBERED = 64;

    private final List<PoolDevice> devices;
    private final Map<Key, Column> known = new ConcurrentHashMap<>();

    ConsumedCapacityCache(List<PoolDevice> devices) {
        this.devices = devices;
    }

    /** Takes over what is known of devices with the same capacity, in the same pool before it changed. */
    void keep(ConsumedCapacityCache before) {
        before.known.forEach((key, column) -> {
            Column kept = new Column(key);
            for (int i = 0; i < Math.min(devices.size(), before.devices.size()); i++) {
                kept.consumed[i] = devices.get(i).hasCapacityOf(before.devices.get(i)) ? column.consumed[i] : null;
            }
            known.put(key, kept);
        });
    }

    private record Key(@Nullable Map<String, Quantity> requests, CapacityRounding rounding) {}

    /** What one request would consume from each device, computed when it is first needed. */
    public final class Column {
        private final Key key;
        private final @Nullable ConsumedCapacity[] consumed = new ConsumedCapacity[devices.size()];

        private Column(Key key) {
            this.key = key;
        }

        public ConsumedCapacity of(int device) {
            ConsumedCapacity ofDevice = consumed[device];
            if (ofDevice == null) {
                ofDevice =
                        ConsumedCapacity.of(key.requests(), devices.get(device).device(), key.rounding());
                // If threads race, they write equal immutable values.
                consumed[device] = ofDevice;
            }
            return ofDevice;
        }
    }

    /** @param requests the requested amounts by name of the capacity; null for none */
    public Column of(@Nullable Map<String, Quantity> requests, CapacityRounding rounding) {
        var key = new Key(requests, rounding);
        Column column = known.get(key);
        if (column == null) {
            if (known.size() >= MAX_REMEMBERED) {
                known.clear();
            }
            column = known.computeIfAbsent(key, Column::new);
        }
        return column;
    }
}
