package dev.fakegpu.operator.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.TestObjects;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StartDelayTest implements ClockJumpTests {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final AtomicBoolean urgent = new AtomicBoolean(true);
    private final ObjectStore<Node> nodes = new ObjectStores().nodes();
    private final StartDelay startDelay =
            new StartDelay(new YieldPolicy(namespace -> namespace.equals("busy") && urgent.get(), clock), clock, nodes);

    @Test
    void noDelayWithoutUrgentWork() {
        urgent.set(false);
        assertThat(startDelay.remaining(pod("a"))).isZero();
    }

    @Test
    void delaysWhileWorkIsUrgent() {
        assertThat(startDelay.remaining(pod("a"))).isPositive();
        urgent.set(false);
        assertThat(startDelay.remaining(pod("a"))).isZero();
    }

    /** Otherwise one namespace could slow down the pods of all others. */
    @Test
    void doesNotWaitForWorkForOtherNamespaces() {
        assertThat(startDelay.remaining(pod("other", "c"))).isZero();
    }

    @Test
    void delaysEachPodByAtMostFiveSeconds() {
        // Given
        startDelay.remaining(pod("a"));
        clock.advance(Duration.ofMillis(4999));
        startDelay.remaining(pod("b"));

        // When
        Duration before = startDelay.remaining(pod("a"));
        clock.advance(Duration.ofMillis(1));

        // Then
        assertThat(before).isPositive();
        assertThat(startDelay.remaining(pod("a"))).isZero();
        assertThat(startDelay.remaining(pod("b"))).isPositive();
    }

    @Test
    void aSlowKubeletStartsPodsLate() {
        // Given
        urgent.set(false);
        nodes.written(node("1", "20s"));
        Duration atFirst = startDelay.remaining(pod("a"));

        // When
        clock.advance(Duration.ofSeconds(15));

        // Then
        assertThat(atFirst).hasSeconds(20);
        assertThat(startDelay.remaining(pod("a"))).hasSeconds(5);
        nodes.written(node("2", "5s"));
        assertThat(startDelay.remaining(pod("a"))).isZero();
    }

    @Test
    void ignoresAnInvalidDelay() {
        urgent.set(false);
        nodes.written(node("1", "soon"));
        assertThat(startDelay.remaining(pod("a"))).isZero();
    }

    private static Node node(String version, String delay) {
        return TestObjects.node(
                "{name: node, uid: node, resourceVersion: '%s', annotations: {fakegpu.dev/start-delay: %s}}"
                        .formatted(version, delay));
    }

    @Test
    void forgetsOtherPods() {
        // Given
        startDelay.remaining(pod("a"));
        clock.advance(Duration.ofSeconds(5));

        // When
        startDelay.retain(Set.of());

        // Then
        assertThat(startDelay.remaining(pod("a"))).isPositive();
    }

    private static Pod pod(String uid) {
        return pod("busy", uid);
    }

    private static Pod pod(String namespace, String uid) {
        return TestObjects.pod("{namespace: %s, uid: %s}".formatted(namespace, uid), "spec: {nodeName: node}");
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        startDelay.remaining(pod("a"));
        return Duration.ofSeconds(5);
    }

    @Override
    public boolean isOver() {
        return startDelay.remaining(pod("a")).isZero();
    }
}
