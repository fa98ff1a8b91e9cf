package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.Labels;
import dev.fakegpu.testing.EventWrites;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests many waiting claims whose reason changes often. */
@Tag("long")
class EventRateIT extends CompanionCluster {

    private static final int WAITING = 200;
    private static final int BURST = 5;
    private static final int CHANGES = 10;

    @AutoClose
    private final EventWrites writes =
            new EventWrites(controlPlane.controlPlane().config());

    @Override
    KubernetesClient clientOfCompanion() {
        return writes.client();
    }

    @Test
    void eventsAreLimitedAndTheLatestReasonIsOnEveryClaim() {
        // Given
        deleteSlice(OTHER_NODE + "-it");
        taint(0);
        IntStream.range(0, WAITING)
                .forEach(number -> createClaim("waiting-" + number, "labels: {fakegpu.dev/allocate: \"true\"}"));
        awaitReason(0);
        int before = writes.count();
        long begin = System.nanoTime();

        // When
        IntStream.rangeClosed(1, CHANGES).forEach(change -> {
            taint(change);
            awaitReason(change);
        });

        // Then
        assertThat(writes.count() - before)
                .isBetween(WAITING, WAITING * (BURST - 1 + startedMinutes(begin))); // one was written before
    }

    /** After the burst there may be one write per minute; on a busy machine, the test takes more than a minute. */
    private static int startedMinutes(long begin) {
        return (int) Duration.ofNanos(System.nanoTime() - begin).toMinutes() + 1;
    }

    /** Taints all devices of the only slice; the reason contains the value of the taint. */
    private void taint(int value) {
        var taint = new DeviceTaintBuilder()
                .withKey("change")
                .withValue("number-" + value)
                .withEffect("NoSchedule")
                .build();
        changeSlice("it-a-it", slice -> {
            slice.getSpec().getDevices().forEach(device -> device.setTaints(List.of(COMPANION_ONLY, taint)));
            return slice;
        });
    }

    private void awaitReason(int value) {
        await(() -> assertThat(claims())
                .hasSize(WAITING)
                .allSatisfy(claim -> assertThat(claim.getMetadata().getAnnotations())
                        .hasEntrySatisfying(
                                Labels.NOT_ALLOCATED,
                                reason -> assertThat(reason).contains("number-" + value + ":"))));
    }
}
