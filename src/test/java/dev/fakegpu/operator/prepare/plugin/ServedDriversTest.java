package dev.fakegpu.operator.prepare.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which drivers are registered while slices on the node are added and removed. */
class ServedDriversTest implements ClockJumpTests {

    private static final String EXAMPLE = "gpu.example.com";
    private static final String NVIDIA = "gpu.nvidia.com";

    private final MutableClock clock = new MutableClock("2026-01-31T12:00:00Z");
    private final List<String> done = new ArrayList<>();
    private final Set<String> inUse = new HashSet<>();
    private final Set<String> broken = new HashSet<>();
    private final Set<String> silent = new HashSet<>();
    private @Nullable Set<String> published = Set.of();
    private Runnable whileItCloses = () -> {};

    private final ServedDrivers drivers =
            new ServedDrivers(() -> Optional.ofNullable(published), FakeDriver::new, clock);

    private final class FakeDriver implements ServedDrivers.Driver {

        private final String name;

        FakeDriver(String name) {
            this.name = name;
        }

        @Override
        public void start() throws IOException {
            if (broken.contains(name)) {
                throw new IOException("read-only file system");
            }
            done.add("start " + name);
        }

        @Override
        public boolean serves() {
            return !silent.contains(name);
        }

        @Override
        public boolean isInUse() {
            return inUse.contains(name);
        }

        @Override
        public void removeAbandoned() throws IOException {
            if (broken.contains(name)) {
                throw new IOException("read-only file system");
            }
            done.add("removed abandoned claims of " + name);
        }

        @Override
        public void healthChanged() {
            done.add("health of " + name);
        }

        @Override
        public void close() {
            whileItCloses.run();
            done.add("close " + name);
        }
    }

    @Test
    void aDriverComesWithItsFirstSliceAndGoesSomeTimeAfterItsLast() {
        // When
        publish(EXAMPLE);
        publish(EXAMPLE, NVIDIA);

        // Then
        assertThat(done).containsExactly("start " + EXAMPLE, "start " + NVIDIA);

        // When
        publish(EXAMPLE);
        pass(9);

        // Then
        assertThat(done).hasSize(2);

        // When
        pass(1);

        // Then
        assertThat(done).endsWith("start " + NVIDIA, "close " + NVIDIA);
    }

    /** A kubelet deletes the slices of its node when it starts. */
    @Test
    void aDriverStaysWhileItsSlicesArePublishedAgain() {
        publish(EXAMPLE);

        publish();
        pass(9);
        publish(EXAMPLE);
        pass(9);

        assertThat(done).containsExactly("start " + EXAMPLE);
    }

    @Test
    void oneDriverThatFailsKeepsNoOtherFromRemovingAbandonedClaims() {
        // Given
        publish(EXAMPLE, NVIDIA);
        broken.add(EXAMPLE);

        // When
        drivers.removeAbandoned();

        // Then
        assertThat(done).endsWith("removed abandoned claims of " + NVIDIA);
    }

    @Test
    void aDriverStaysUntilTheKubeletHasUnpreparedItsClaims() {
        // Given
        publish(EXAMPLE);
        inUse.add(EXAMPLE);

        // When
        publish();
        pass(3600);

        // Then
        assertThat(done).containsExactly("start " + EXAMPLE);

        // When
        inUse.clear();
        pass(1);

        // Then
        assertThat(done).endsWith("close " + EXAMPLE);
    }

    @Test
    void aClaimThatIsPreparedWhileItsDriverEndsBringsTheDriverBack() {
        // Given
        publish(EXAMPLE);
        whileItCloses = () -> inUse.add(EXAMPLE);

        // When
        publish();
        pass(10);
        pass(1);

        // Then
        assertThat(done).containsExactly("start " + EXAMPLE, "close " + EXAMPLE, "start " + EXAMPLE);
    }

    @Test
    void preparedClaimsAreServedBeforeSlicesAreKnown() {
        // Given
        published = null;
        inUse.add(EXAMPLE);

        // When
        drivers.start(List.of(EXAMPLE, NVIDIA));
        pass(3600);

        // Then
        assertThat(done).containsExactlyInAnyOrder("start " + EXAMPLE, "start " + NVIDIA);

        // When
        publish();

        // Then
        assertThat(done).hasSize(3).endsWith("close " + NVIDIA);
    }

    @Test
    void aDriverThatCannotBeServedIsTriedAgainAndDoesNotHarmOthers() {
        // Given
        broken.add(EXAMPLE);

        // When
        publish(EXAMPLE, NVIDIA);

        // Then
        assertThat(done).containsExactlyInAnyOrder("close " + EXAMPLE, "start " + NVIDIA);
        assertThat(drivers.respond()).isTrue();

        // When
        broken.clear();
        pass(1);

        // Then
        assertThat(done).endsWith("start " + EXAMPLE);
    }

    @Test
    void aDriverThatCannotBeServedIsForgottenWithItsSlices() {
        // Given
        broken.add(EXAMPLE);
        publish(EXAMPLE);

        // When
        publish();
        pass(10);
        broken.clear();
        pass(1);

        // Then
        assertThat(done).isNotEmpty().containsOnly("close " + EXAMPLE);
    }

    @Test
    void unresponsiveDriverIsReported() {
        publish(EXAMPLE, NVIDIA);

        silent.add(NVIDIA);

        assertThat(drivers.respond()).isFalse();
    }

    @Test
    void changesOfHealthReachTheDriver() {
        publish(EXAMPLE);

        drivers.healthChanged(EXAMPLE);
        drivers.healthChanged(NVIDIA);

        assertThat(done).containsExactly("start " + EXAMPLE, "health of " + EXAMPLE);
    }

    @Test
    void nothingIsServedOnceItIsClosed() {
        publish(EXAMPLE);

        drivers.close();
        drivers.update();

        assertThat(done).containsExactly("start " + EXAMPLE, "close " + EXAMPLE);
    }

    private void publish(String... names) {
        published = Set.of(names);
        drivers.update();
    }

    private void pass(int seconds) {
        clock.advance(Duration.ofSeconds(seconds));
        drivers.update();
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        publish(EXAMPLE);
        publish();
        return ServedDrivers.LINGER;
    }

    @Override
    public boolean isOver() {
        drivers.update();
        return done.contains("close " + EXAMPLE);
    }
}
