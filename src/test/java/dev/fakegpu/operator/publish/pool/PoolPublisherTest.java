package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceFields;
import dev.fakegpu.dra.wire.MixedSlices;
import dev.fakegpu.dra.wire.MixinsAnnotation;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.server.SchedulerGate;
import dev.fakegpu.operator.publish.server.ServerFeatures;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolPublisherTest {

    /** A FakeGpu with enough devices for mixins to save space. */
    private static final String LARGE = "model: A100-SXM4-40GB, count: 8, partitions: {mig: {profiles: [All]}}";

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryCluster apiServer = new MemoryCluster(time);

    /** The objects that the watch has reported so far. */
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
        seen.nodes().written(node());
        publisher.publish(fakeGpu(1), time.instant());
        apiServer.list(ResourceSlice.class).forEach(apiServer::delete); // a kubelet does this when it starts

        // When
        var result = publisher.publish(fakeGpu(2), time.instant());

        // Then
        assertThat(result.pools().changed()).isTrue();
        assertThat(apiServer.list(ResourceSlice.class)).singleElement().satisfies(slice -> {
            assertThat(slice.getSpec().getDevices()).hasSize(2);
            assertThat(seen.slices().list()).containsExactly(slice);
        });
    }

    @Test
    void theAnnotationWithMixinsComesAndGoesWithTheSpec() throws JsonProcessingException {
        // Given
        seen.nodes().written(node());
        FakeGpu fakeGpu = fakeGpu("{%s, publish: {mixins: Annotation}}".formatted(LARGE));

        // When
        publisher.publish(fakeGpu, time.instant());

        // Then
        for (ResourceSlice slice : apiServer.list(ResourceSlice.class)) {
            JsonNode spec = new ObjectMapper()
                    .readTree(slice.getMetadata().getAnnotations().get(MixinsAnnotation.KEY));
            JsonNode object = JsonNodeFactory.instance.objectNode().set("spec", spec);
            Slice shown = MixedSlices.read(
                            object,
                            json -> SliceFields.SPEC
                                    .read(json.path("spec"))
                                    .named(slice.getMetadata().getName()))
                    .flat();
            assertThat(spec.path("mixins")).isNotEmpty();
            // The slices are compared as they are sent, because the API server adds the times of taints.
            assertThat(shown)
                    .isEqualTo(SliceReader.read(slice)
                            .mapDevices(device -> device.withTaints(device.taints().stream()
                                    .map(taint -> taint.addedAt(null))
                                    .toList())));
        }
        assertThat(publisher.publish(fakeGpu, time.instant()).pools().changed()).isFalse();

        // When
        publisher.publish(fakeGpu("{%s}".formatted(LARGE)), time.instant());

        // Then
        assertThat(apiServer.list(ResourceSlice.class))
                .isNotEmpty()
                .allSatisfy(slice ->
                        assertThat(slice.getMetadata().getAnnotations()).doesNotContainKey(MixinsAnnotation.KEY));
    }

    private static Node node() {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("node-1")
                .withUid("node-1")
                .withResourceVersion("1")
                .endMetadata()
                .build();
    }

    private static FakeGpu fakeGpu(int count) {
        return fakeGpu("{model: LATEST-GPU-MODEL, count: %s}".formatted(count));
    }

    /** @param spec the spec without nodes and classes */
    private static FakeGpu fakeGpu(String spec) {
        return TestObjects.fakeGpu(
                "{name: heir, uid: heir-uid, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z'}",
                "spec: " + spec.replaceFirst("\\{", "{deviceClasses: Unmanaged, nodes: {names: [node-1]}, "));
    }
}
