package dev.fakegpu.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class AllocatorOwnershipTest {

    /** Nothing is asked of it. */
    private static final KubernetesClient CLIENT = new KubernetesClientBuilder().build();

    private final ClusterWatch cluster = new ClusterWatch(CLIENT, "any", "any");
    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final AllocatorOwnership ownership = new AllocatorOwnership(cluster, clock);
    private int version;

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @Test
    void devicesWithTheTaintAreTheCompanionsAtOnce() {
        fakeGpu("Companion", 1, 0, true);
        slice(true);

        assertThat(ownership.slices()).hasSize(1);
        assertThat(ownership.nextDue()).isEmpty();
    }

    @Test
    void itStopsAsSoonAsTheSpecSaysSo() {
        fakeGpu("Companion", 1, 1, true);
        slice(true);
        assertThat(ownership.slices()).hasSize(1);

        fakeGpu("KubeScheduler", 2, 1, true);

        assertThat(ownership.slices()).isEmpty();
    }

    @Test
    void othersHaveTimeToWriteWhatTheyDecidedBeforeTheTaint() {
        // Given
        fakeGpu("KubeScheduler", 1, 1, true);
        slice(false);
        ownership.slices();

        // When
        fakeGpu("Companion", 2, 1, true);
        assertThat(ownership.slices()).isEmpty();
        clock.advance(AllocatorOwnership.SINCE_OTHERS);
        assertThat(ownership.slices()).isEmpty();
        slice(true);
        fakeGpu("Companion", 2, 2, true);
        assertThat(ownership.slices()).isEmpty();
        assertThat(ownership.nextDue()).contains(clock.instant().plus(AllocatorOwnership.SINCE_OTHERS));

        // Then
        clock.advance(AllocatorOwnership.SINCE_OTHERS);
        assertThat(ownership.slices()).hasSize(1);
        assertThat(ownership.nextDue()).isEmpty();
    }

    /** What was published before stays, without a taint: kube-scheduler gives it away. */
    @Test
    void devicesOfARefusedSpecStayWithTheOthers() {
        fakeGpu("KubeScheduler", 1, 1, true);
        slice(false);
        ownership.slices();

        fakeGpu("Companion", 2, 2, false);
        clock.advance(AllocatorOwnership.SINCE_OTHERS.multipliedBy(2));

        assertThat(ownership.slices()).isEmpty();
    }

    @Test
    void whereTheApiServerDropsTaintsTheyAreTheCompanionsOncePublished() {
        fakeGpu("Companion", 1, 0, true);
        slice(false);
        assertThat(ownership.slices()).isEmpty();

        fakeGpu("Companion", 1, 1, true);
        assertThat(ownership.slices()).hasSize(1);

        fakeGpu("Companion", 2, 1, true);
        assertThat(ownership.slices()).as("while a change is being published").hasSize(1);
    }

    /** The publisher may be about to take the taint away: it has been told that it may. */
    @Test
    void whatWasLetGoComesBackOnlyAfterALaterGenerationIsPublished() {
        // Given
        fakeGpu("KubeScheduler", 2, 1, true);
        slice(true);
        ownership.letGo(cluster.fakeGpus().get(null, "gpus").orElseThrow());
        assertThat(ownership.slices()).isEmpty();

        // When
        fakeGpu("Companion", 3, 2, true);
        clock.advance(AllocatorOwnership.SINCE_OTHERS);

        // Then
        assertThat(ownership.slices()).isEmpty();

        // When
        fakeGpu("Companion", 3, 3, true);
        ownership.slices();
        clock.advance(AllocatorOwnership.SINCE_OTHERS);

        // Then
        assertThat(ownership.slices()).hasSize(1);
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
        cluster.slices()
                .written(Serialization.unmarshal(
                        """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: gpus, uid: slice, resourceVersion: "%d", labels: {fakegpu.dev/fakegpu: gpus}}
                spec:
                  driver: gpu.example.com
                  devices:
                  - {name: gpu-0, taints: [{key: other, effect: NoSchedule}%s]}
                """.formatted(
                                ++version,
                                tainted ? ", {key: fakegpu.dev/allocator, value: companion, effect: NoSchedule}" : ""),
                        ResourceSlice.class));
    }
}
