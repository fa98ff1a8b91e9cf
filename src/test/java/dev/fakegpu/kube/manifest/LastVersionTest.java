package dev.fakegpu.kube.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.MutableClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LastVersionTest {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");

    @Test
    void asksOnceAMinuteAndKeepsTheVersionWhileTheServerIsAway() {
        var answers = List.of(
                Optional.<KubernetesVersion>empty(),
                Optional.of(KubernetesVersion.V1_35),
                Optional.<KubernetesVersion>empty(),
                Optional.of(KubernetesVersion.V1_36));
        var asked = new AtomicInteger();
        var version = new LastVersion(() -> answers.get(asked.getAndIncrement()), clock);

        assertThat(version.get()).isEqualTo(KubernetesVersion.NEWEST);
        clock.advance(Duration.ofSeconds(59));
        assertThat(version.get()).isEqualTo(KubernetesVersion.NEWEST);
        assertThat(asked).hasValue(1);

        clock.advance(Duration.ofSeconds(1));
        assertThat(version.get()).isEqualTo(KubernetesVersion.V1_35);
        clock.advance(Duration.ofMinutes(1));
        assertThat(version.get()).as("the server is away").isEqualTo(KubernetesVersion.V1_35);
        clock.advance(Duration.ofMinutes(1));
        assertThat(version.get()).as("it was upgraded").isEqualTo(KubernetesVersion.V1_36);
        assertThat(asked).hasValue(4);
    }
}
