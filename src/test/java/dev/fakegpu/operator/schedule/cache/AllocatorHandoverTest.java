package dev.fakegpu.operator.schedule.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class AllocatorHandoverTest implements ClockJumpTests {

    /** A client that receives no requests. */
    private static final KubernetesClient CLIENT = new KubernetesClientBuilder().build();

    private final ClusterWatch cluster = new ClusterWatch(CLIENT, "any", "any");
    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final AllocatorHandover handover = new AllocatorHandover(cluster, clock);
    private int version;

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @Test
    void devicesWithTheTaintAreTheCompanionsAtOnce() {
        fakeGpu("Companion", 1, 0, true);
        slice(true);

        assertThat(handover.slices()).hasSize(1);
        assertThat(handover.nextDue()).isEmpty();
    }

    /** Any user with write access to slices can copy the label, and slices of an earlier FakeGpu of the same name have it, too. */
    @Test
    void aSliceWithTheLabelOfAnotherOwnerIsNotTheCompanions() {
        fakeGpu("Companion", 1, 1, true);
        slice(true, "earlier");

        assertThat(handover.slices()).isEmpty();
    }

    @Test
    void companionReleasesDevicesWithTheSpec() {
        fakeGpu("Companion", 1, 1, true);
        slice(true);
        assertThat(handover.slices()).hasSize(1);

        fakeGpu("KubeScheduler", 2, 1, true);

        assertThat(handover.slices()).isEmpty();
    }

    @Test
    void companionWaitsForEarlierDecisionsOfOthers() {
        // Given
        fakeGpu("KubeScheduler", 1, 1, true);
        slice(false);
        handover.slices();

        // When
        fakeGpu("Companion", 2, 1, true);
        assertThat(handover.slices()).isEmpty();
        clock.advance(AllocatorHandover.GRACE_PERIOD);
        assertThat(handover.slices()).isEmpty();
        slice(true);
        fakeGpu("Companion", 2, 2, true);
        assertThat(handover.slices()).isEmpty();
        assertThat(handover.nextDue()).contains(clock.now().plus(AllocatorHandover.GRACE_PERIOD));

        // Then
        clock.advance(AllocatorHandover.GRACE_PERIOD);
        assertThat(handover.slices()).hasSize(1);
        assertThat(handover.nextDue()).isEmpty();
    }

    /** The previously published devices stay without the taint, so kube-scheduler allocates them. */
    @Test
    void devicesOfARefusedSpecStayWithTheOthers() {
        fakeGpu("KubeScheduler", 1, 1, true);
        slice(false);
        handover.slices();

        fakeGpu("Companion", 2, 2, false);
        clock.advance(AllocatorHandover.GRACE_PERIOD.multipliedBy(2));

        assertThat(handover.slices()).isEmpty();
    }

    @Test
    void withoutTaintsTheCompanionGetsDevicesOncePublished() {
        fakeGpu("Companion", 1, 0, true);
        slice(false);
        assertThat(handover.slices()).isEmpty();

        fakeGpu("Companion", 1, 1, true);
        assertThat(handover.slices()).hasSize(1);

        fakeGpu("Companion", 2, 1, true);
        assertThat(handover.slices()).as("while a change is being published").hasSize(1);
    }

    /** The publisher may be about to remove the taint, since it was permitted to. */
    @Test
    void relinquishedDevicesComeBackOnlyAfterALaterGenerationIsPublished() {
        // Given
        fakeGpu("KubeScheduler", 2, 1, true);
        slice(true);
        handover.relinquish(cluster.fakeGpus().get(null, "gpus").orElseThrow());
        assertThat(handover.slices()).isEmpty();

        // When
        fakeGpu("Companion", 3, 2, true);
        clock.advance(AllocatorHandover.GRACE_PERIOD);

        // Then
        assertThat(handover.slices()).isEmpty();

        // When
        fakeGpu("Companion", 3, 3, true);
        handover.slices();
        clock.advance(AllocatorHandover.GRACE_PERIOD);

        // Then
        assertThat(handover.slices()).hasSize(1);
    }

    private void fakeGpu(String allocator, int generation, int published, boolean accepted) {
        cluster.fakeGpus()
                .written(Serialization.unmarshal(
                        """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: gpus, uid: gpus, generation: %d, resourceVersion: "%d"}
                spec: {nodes: {names: [node]}, model: L40S, allocator: %s}
                status:
                  observedGeneration: %d
                  conditions: [{type: Accepted, status: "%s"}]
                """.formatted(generation, ++version, allocator, published, accepted ? "True" : "False"),
                        FakeGpu.class));
    }

    private void slice(boolean tainted) {
        slice(tainted, "gpus");
    }

    /** @param owner the UID of a FakeGpu; the UID of the existing one is its name */
    private void slice(boolean tainted, String owner) {
        cluster.slices()
                .written(Serialization.unmarshal(
                        """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata:
                  name: gpus
                  uid: slice
                  resourceVersion: "%d"
                  labels: {fakegpu.dev/fakegpu: gpus}
                  ownerReferences: [{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, name: gpus, uid: %s}]
                spec:
                  driver: gpu.example.com
                  devices:
                  - {name: gpu-0, taints: [{key: other, effect: NoSchedule}%s]}
                """.formatted(
                                ++version,
                                owner,
                                tainted ? ", {key: fakegpu.dev/allocator, value: companion, effect: NoSchedule}" : ""),
                        ResourceSlice.class));
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        fakeGpu("KubeScheduler", 1, 1, true);
        slice(true);
        handover.slices();
        fakeGpu("Companion", 2, 2, true);
        handover.slices();
        return AllocatorHandover.GRACE_PERIOD;
    }

    @Override
    public boolean isOver() {
        return !handover.slices().isEmpty();
    }
}
