package dev.fakegpu.kube.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code EventRecorderIT} tests what is written. */
class EventRecorderTest implements ClockJumpTests {

    /** Nothing listens on this port. */
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:1")
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final EventRecorder events = new EventRecorder(client, clock, clock, "test", warnings::add);

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void failuresAreLoggedOnceAMinute() {
        // When
        for (int i = 0; i < 20; i++) {
            events.warning(pod("pod-" + i), EventReason.FailedScheduling, "no device");
        }
        clock.advance(Duration.ofMinutes(1));
        events.warning(pod("later"), EventReason.FailedScheduling, "no device");

        // Then
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(0)).startsWith("cannot record event FailedScheduling on pod-0: ");
        assertThat(warnings.get(1))
                .startsWith("cannot record event FailedScheduling on later: ")
                .endsWith("(and 19 more since the last message)");
    }

    private static Pod pod(String name) {
        return TestObjects.pod("{namespace: default, name: %1$s, uid: uid-%1$s}".formatted(name));
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        events.warning(pod("first"), EventReason.FailedScheduling, "no device");
        return Duration.ofMinutes(1);
    }

    @Override
    public boolean isOver() {
        events.warning(pod("other"), EventReason.FailedScheduling, "no device");
        return warnings.size() > 1;
    }
}
