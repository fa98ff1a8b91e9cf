package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeapLimitTest {

    private static final long MAX = 100L << 20;

    private final AtomicLong used = new AtomicLong();
    private final AtomicLong inUse = new AtomicLong();
    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger collections = new AtomicInteger();
    private final HeapLimit limit = new HeapLimit(List.of(pool()), now::get, this::collect);

    /** The memory in use after a collection. */
    private long collected;

    @Test
    void thereIsRoomUntilFourFifthsAreInUse() {
        used.set(MAX * 8 / 10);
        assertThat(limit.reached()).isEmpty();

        used.set(MAX * 9 / 10);
        assertThat(limit.reached())
                .hasValue(
                        "90 of 100 MiB of the operator's memory for long-lived objects are in use; raise the memory limit of its"
                                + " Deployment, or publish fewer nodes or partitions");
    }

    @Test
    void freedMemoryIsNoticed() {
        used.set(MAX);
        collected = MAX;
        assertThat(limit.reached()).isPresent();
        assertThat(collections).hasValue(0);

        now.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertThat(limit.reached()).isPresent();
        assertThat(limit.reached()).isPresent();
        assertThat(collections).hasValue(1);

        now.addAndGet(TimeUnit.MINUTES.toNanos(1));
        collected = 0;
        assertThat(limit.reached()).isEmpty();
    }

    @Test
    void memoryAddedSinceTheLastCollectionCounts() {
        inUse.set(MAX * 9 / 10);
        assertThat(limit.reached()).isEmpty(); // all of it was garbage
        assertThat(collections).hasValue(1);

        collected = MAX * 9 / 10;
        inUse.set(MAX * 9 / 10);
        assertThat(limit.reached()).isPresent();
        assertThat(collections).hasValue(2);
        assertThat(limit.reached()).isPresent();
        assertThat(collections).hasValue(2);
    }

    private void collect() {
        collections.incrementAndGet();
        used.set(collected);
        inUse.set(collected);
    }

    private MemoryPoolMXBean pool() {
        return (MemoryPoolMXBean) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {MemoryPoolMXBean.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getUsage" -> new MemoryUsage(0, inUse.get(), MAX, MAX);
                    case "getCollectionUsage" -> new MemoryUsage(0, used.get(), MAX, MAX);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
