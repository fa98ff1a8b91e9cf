package dev.fakegpu.operator.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StartDelayTest implements ClockJumpTests {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final AtomicBoolean urgent = new AtomicBoolean(true);
    private final StartDelay startDelay =
            new StartDelay(new YieldPolicy(namespace -> namespace.equals("busy") && urgent.get(), clock));

    @Test
    void noDelayWithoutUrgentWork() {
        urgent.set(false);
        assertThat(startDelay.delays(pod("a"))).isFalse();
    }

    @Test
    void delaysWhileWorkIsUrgent() {
        assertThat(startDelay.delays(pod("a"))).isTrue();
        urgent.set(false);
        assertThat(startDelay.delays(pod("a"))).isFalse();
    }

    /** Otherwise anybody could slow down the pods of everybody. */
    @Test
    void doesNotWaitForWorkForOtherNamespaces() {
        assertThat(startDelay.delays(pod("other", "c"))).isFalse();
    }

    @Test
    void delaysEachPodByAtMostFiveSeconds() {
        // Given
        startDelay.delays(pod("a"));
        clock.advance(Duration.ofMillis(4999));
        startDelay.delays(pod("b"));

        // When
        boolean before = startDelay.delays(pod("a"));
        clock.advance(Duration.ofMillis(1));

        // Then
        assertThat(before).isTrue();
        assertThat(startDelay.delays(pod("a"))).isFalse();
        assertThat(startDelay.delays(pod("b"))).isTrue();
    }

    @Test
    void forgetsOtherPods() {
        // Given
        startDelay.delays(pod("a"));
        clock.advance(Duration.ofSeconds(5));

        // When
        startDelay.retain(Set.of());

        // Then
        assertThat(startDelay.delays(pod("a"))).isTrue();
    }

    private static Pod pod(String uid) {
        return pod("busy", uid);
    }

    private static Pod pod(String namespace, String uid) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withUid(uid)
                .endMetadata()
                .build();
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        startDelay.delays(pod("a"));
        return Duration.ofSeconds(5);
    }

    @Override
    public boolean isOver() {
        return !startDelay.delays(pod("a"));
    }
}
