package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.AttributeValue;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The values of attributes that constraints compare, by device of a pool. Thread-safe. */
public final class AttributeColumns {

    private static final int MAX_REMEMBERED = 64;

    private final List<PoolDevice> devices;
    private final Map<String, @Nullable AttributeValue[]> known = new ConcurrentHashMap<>();

    AttributeColumns(List<PoolDevice> devices) {
        this.devices = devices;
    }

    /** One element for each device; null if the device lacks the attribute. */
    public @Nullable AttributeValue[] of(String qualifiedName) {
        @Nullable AttributeValue[] column = known.get(qualifiedName);
        if (column == null) {
            if (known.size() >= MAX_REMEMBERED) {
                known.clear();
            }
            column = known.computeIfAbsent(qualifiedName, this::column);
        }
        return column;
    }

    private @Nullable AttributeValue[] column(String qualifiedName) {
        return devices.stream().map(device -> device.attribute(qualifiedName)).toArray(AttributeValue[]::new);
    }
}
