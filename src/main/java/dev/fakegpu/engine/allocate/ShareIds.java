package dev.fakegpu.engine.allocate;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Creates IDs of shares. They are not secrets, so they do not need secure randomness. */
final class ShareIds {
    private static final long VERSION_4 = 0x4000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private ShareIds() {}

    static Supplier<String> random() {
        return () -> {
            var random = ThreadLocalRandom.current();
            long high = random.nextLong() & ~0xF000L | VERSION_4;
            long low = random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL | VARIANT;
            return new UUID(high, low).toString();
        };
    }
}
