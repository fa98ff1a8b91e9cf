package dev.fakegpu.allocate;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What requests would consume of the devices of a pool, kept across attempts. Safe for use by several threads. */
final class ConsumedCapacityCache {

    private static final int MAX_REMEMBERED = 64;

    private final List<PoolDevice> devices;
    private final Map<Question, Column> known = new ConcurrentHashMap<>();

    ConsumedCapacityCache(List<PoolDevice> devices) {
        this.devices = devices;
    }

    private record Question(@Nullable Map<String, Quantity> requests, boolean fractional) {}

    /** The portions of all devices for one request, each worked out when it is first asked for. */
    final class Column {
        private final Question question;
        private final @Nullable ConsumedCapacity[] portions = new ConsumedCapacity[devices.size()];

        private Column(Question question) {
            this.question = question;
        }

        ConsumedCapacity of(int device) {
            ConsumedCapacity portion = portions[device];
            if (portion == null) {
                Device asked = devices.get(device).device();
                portion = ConsumedCapacity.of(question.requests(), asked, question.fractional());
                // Whoever writes it writes the same immutable value.
                portions[device] = portion;
            }
            return portion;
        }
    }

    /** @param requests by name of the capacity, null for none */
    Column of(@Nullable Map<String, Quantity> requests, boolean fractional) {
        var question = new Question(requests, fractional);
        Column column = known.get(question);
        if (column == null) {
            if (known.size() >= MAX_REMEMBERED) {
                known.clear();
            }
            column = known.computeIfAbsent(question, Column::new);
        }
        return column;
    }
}
