package dev.fakegpu.engine.allocate;

import static dev.fakegpu.engine.allocate.Hardware.NODE;
import static dev.fakegpu.engine.allocate.Hardware.claim;
import static dev.fakegpu.engine.allocate.Hardware.device;
import static dev.fakegpu.engine.allocate.Hardware.options;
import static dev.fakegpu.engine.allocate.Hardware.pool;
import static dev.fakegpu.engine.allocate.Hardware.request;
import static dev.fakegpu.engine.allocate.Hardware.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A pod may have any number of claims with up to 32 requests each, so the depth of the search must not be limited by the thread's stack.
 */
class DeepSearchTest {

    private static final int CLAIMS = 40;
    private static final int REQUESTS = CLAIMS * 32;

    /** A recursive search would need more than a kilobyte for each request. */
    private static final long SMALL_STACK = 256 << 10;

    @Test
    void findsDevicesForManyRequests() throws InterruptedException {
        Outcome outcome = onSmallStack("true");

        assertThat(Hardware.devices(outcome))
                .hasSize(REQUESTS)
                .startsWith("d0", "d1")
                .endsWith("d" + (REQUESTS - 1));
    }

    @Test
    void undoesManyPicks() throws InterruptedException {
        assertThat(onSmallStack("false")).isEqualTo(new Outcome.None());
    }

    /** @param last the selector of the last request of the last claim */
    private static @Nullable Outcome onSmallStack(String last) throws InterruptedException {
        Device[] all =
                IntStream.range(0, REQUESTS).mapToObj(i -> device("d" + i)).toArray(Device[]::new);
        var allocator = new Allocator(AllocationContext.of(
                state(pool(List.of(), all)), Hardware.SELECTORS, options(GroupsGate.ON, GroupPolicy.SNAPSHOT)));
        var outcome = new AtomicReference<@Nullable Outcome>();
        var thread =
                new Thread(null, () -> outcome.set(allocator.allocate(NODE, claims(last))), "small stack", SMALL_STACK);
        thread.setUncaughtExceptionHandler((failed, e) -> {});
        thread.start();
        thread.join();
        return outcome.get();
    }

    private static List<Claim> claims(String last) {
        return IntStream.range(0, CLAIMS)
                .mapToObj(claim -> claim(
                        "c" + claim,
                        IntStream.range(0, 32)
                                .mapToObj(i -> request("r" + i, claim == CLAIMS - 1 && i == 31 ? last : "true", 1))
                                .toArray(DeviceRequest[]::new)))
                .toList();
    }
}
