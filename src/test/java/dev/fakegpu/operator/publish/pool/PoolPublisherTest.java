package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.server.SchedulerGate;
import dev.fakegpu.operator.publish.server.ServerFeatures;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolPublisherTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryCluster apiServer = new MemoryCluster(time);

    /** What the watch has reported: not everything. */
    private final ObjectStores seen = new ObjectStores();

    private final FakeGpuPublisher publisher = new FakeGpuPublisher(
            apiServer,
            seen,
            Specs.PLANNER,
            ServerFeatures.fixed(ServedFields.ALL, SchedulerGate.Unknown, time),
            new PublishOptions(Publish.Never, () -> false, ClaimNaming.Full, Optional.empty()),
            PublishPace.onCaller(time));

    @Test
    void aSliceThatIsGoneBeforeTheWatchReportsItIsCreatedAgain() {
        // Given
        seen.nodes()
                .written(new NodeBuilder()
                        .withNewMetadata()
                        .withName("node-1")
                        .withUid("node-1")
                        .withResourceVersion("1")
                        .endMetadata()
                        .build());
        publisher.publish(fakeGpu(1), time.instant());
        apiServer.list(ResourceSlice.class).forEach(apiServer::delete); // as a kubelet does that starts

        // When
        var result = publisher.publish(fakeGpu(2), time.instant());

        // Then
        assertThat(result.pools().changed()).isTrue();
        assertThat(apiServer.list(ResourceSlice.class)).singleElement().satisfies(slice -> {
            assertThat(slice.getSpec().getDevices()).hasSize(2);
            assertThat(seen.slices().list()).containsExactly(slice);
        });
    }

    private static FakeGpu fakeGpu(int count) {
        return TestObjects.fakeGpu(
                "{name: heir, uid: heir-uid, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z'}",
                "spec: {deviceClasses: Unmanaged, model: LATEST-GPU-MODEL, count: %s, nodes: {names: [node-1]}}"
                        .formatted(count));
    }
}
