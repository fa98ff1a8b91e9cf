package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.KeptObjects;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.server.SchedulerGate;
import dev.fakegpu.operator.publish.server.ServerFeatures;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.Deletion;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.TestObjects;
import dev.fakegpu.util.ParallelTasks;
import dev.fakegpu.util.TaskExecutors;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests how slices are written to a real API server: new ones are created, and changed ones are patched. */
class FakeGpuPublisherIT {

    private static final String WHOLE_AND_MIG = "{mig: {profiles: [1g.5gb, 3g.20gb]}}";

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = client();
    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final String uid = UUID.randomUUID().toString();
    private Optional<String> memory = Optional.empty();
    private ObjectStores cluster = new ObjectStores();
    private FakeGpuPublisher publisher = publisher();

    @AfterEach
    void removeSlices() {
        Deletion.ofEach(client, stored());
        client.close();
    }

    @Test
    void changeRemovesDevicesAndTheAnnotation() {
        nodes(1);
        publish(fakeGpu(WHOLE_AND_MIG));
        client.resources(ResourceSlice.class)
                .withName(only(devices()).getMetadata().getName())
                .edit(slice -> {
                    slice.getMetadata().getLabels().put("by-others", "kept");
                    return slice;
                });
        seen();
        assertThat(annotation()).contains("gpu-full");

        publish(fakeGpu("{whole: false, mig: {profiles: [7g.40gb]}}\ncompatibility: None"));

        var changed = only(devices());
        assertThat(names(changed)).containsExactly("gpu-0-mig-7g40gb-0-0");
        assertThat(SliceReader.read(changed).partitionTypeAttribute()).isNull();
        assertThat(changed.getMetadata().getLabels()).containsEntry("by-others", "kept");
        assertThat(changed.getMetadata().getAnnotations()).isNullOrEmpty();
        assertThat(stored())
                .allSatisfy(slice ->
                        assertThat(slice.getMetadata().getManagedFields()).isEmpty());
    }

    @Test
    void unchangedPoolIsNotWritten() {
        nodes(2);
        var first = publish(fakeGpu(WHOLE_AND_MIG));
        var versions = versions();

        var again = publish(fakeGpu(WHOLE_AND_MIG));
        publisher = publisher(); // as after a restart
        var afterRestart = publish(fakeGpu(WHOLE_AND_MIG));

        assertThat(first.changed()).isTrue();
        assertThat(again.changed()).isFalse();
        assertThat(afterRestart.changed()).isFalse();
        assertThat(versions()).isEqualTo(versions);
    }

    @Test
    void slicesThatTheWatchHasNotReportedYetArePartOfTheNextPlan() {
        nodes(1);
        publish(fakeGpu(WHOLE_AND_MIG));
        client.resource(only(devices())).delete();
        cluster = new ObjectStores();
        publisher = publisher();
        nodes(1);

        assertThatThrownBy(() -> publish(fakeGpu(WHOLE_AND_MIG)))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("already exists");
        publish(fakeGpu(WHOLE_AND_MIG));

        assertThat(stored()).hasSize(2).allSatisfy(slice -> {
            assertThat(slice.getSpec().getPool().getGeneration()).isEqualTo(2);
            assertThat(slice.getSpec().getPool().getResourceSliceCount()).isEqualTo(2);
        });
    }

    @Test
    void slicesOfAFormerFakeGpuOfTheNameAreTakenOver() {
        nodes(1);
        var former = fakeGpu("{}");
        former.getMetadata().setUid(UUID.randomUUID().toString());
        publish(former);
        cluster = new ObjectStores();
        publisher = publisher();
        nodes(1);

        publish(fakeGpu(WHOLE_AND_MIG));

        assertThat(stored()).hasSize(2).allMatch(slice -> FakeGpuOwner.owns(fakeGpu("{}"), slice));
    }

    @Test
    void foreignDeviceClassIsNotTakenOverBeforeTheWatchReportsIt() {
        nodes(1);
        var foreign = client.resource(new DeviceClassBuilder()
                        .withNewMetadata()
                        .withName("unreported.example.com")
                        .endMetadata()
                        .withNewSpec()
                        .addNewSelector()
                        .withNewCel("device.driver == 'other.example.com'")
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
        var fakeGpu = fakeGpu("{}");
        fakeGpu.setSpec(Specs.spec("{driver: unreported.example.com, model: L40S, nodes: {names: [it-node-0]}}"));
        try {
            publish(fakeGpu);

            assertThat(client.resource(foreign).require().getMetadata().getResourceVersion())
                    .isEqualTo(foreign.getMetadata().getResourceVersion());
        } finally {
            client.resource(foreign).delete();
            Deletion.ofEach(client, cluster.deviceClasses().list());
        }
    }

    @Test
    void remainingPoolsArePublishedInTheNextTurn() {
        nodes(3);
        publisher = publisher(new PublishPace(ParallelTasks.ON_CALLER, this::memoryAfterFiveSeconds, clock));

        var first = publish(fakeGpu("{}"));
        var second = publish(fakeGpu("{}"));
        var third = publish(fakeGpu("{}"));

        assertThat(List.of(first.remaining(), second.remaining(), third.remaining()))
                .containsExactly(2, 1, 0);
        assertThat(devices()).hasSize(3);
    }

    private Optional<String> memoryAfterFiveSeconds() {
        clock.advance(Duration.ofSeconds(5));
        return Optional.empty();
    }

    @Test
    void newPoolsNeedMemoryAndChangesDoNot() {
        nodes(2);
        publish(fakeGpu("{}"));
        memory = Optional.of("full");
        nodes(3);

        var limited = publish(fakeGpu(WHOLE_AND_MIG));

        assertThat(limited.limit()).isEqualTo("full");
        assertThat(limited.remaining()).isEqualTo(1);
        assertThat(devices()).hasSize(2).allMatch(slice -> names(slice).size() > 1);

        memory = Optional.empty();
        assertThat(publish(fakeGpu(WHOLE_AND_MIG)).remaining()).isZero();
        assertThat(devices()).hasSize(3);
    }

    // --- the cluster

    /** Creates the client as the operator does. */
    private static KubernetesClient client() {
        var mapper = ClientSerialization.mapper();
        KeptObjects.configure(mapper, () -> false);
        return new KubernetesClientBuilder()
                .withConfig(controlPlane.client().getConfiguration())
                .withKubernetesSerialization(new KubernetesSerialization(mapper, true))
                .build();
    }

    private FakeGpuPublisher publisher() {
        return publisher(new PublishPace(ParallelTasks.onThreads("publish", 4), () -> memory, clock));
    }

    private FakeGpuPublisher publisher(PublishPace pace) {
        var features = ServerFeatures.fixed(ServedFields.ALL, SchedulerGate.Unknown, TaskExecutors.THREADS);
        return new FakeGpuPublisher(
                ObjectClient.of(client),
                cluster,
                Specs.PLANNER,
                features,
                new PublishOptions(Publish.Never, () -> false, ClaimNaming.Full, Optional.empty()),
                pace);
    }

    private void nodes(int count) {
        IntStream.range(0, count)
                .forEach(i -> cluster.nodes()
                        .written(new NodeBuilder()
                                .withNewMetadata()
                                .withName("it-node-" + i)
                                .withUid("it-node-" + i)
                                .withResourceVersion("1")
                                .endMetadata()
                                .build()));
    }

    private FakeGpu fakeGpu(String partitions) {
        return TestObjects.fakeGpu(
                "{name: it, uid: '%s', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z'}".formatted(uid),
                """
                spec:
                  deviceClasses: Unmanaged
                  allocator: KubeScheduler
                  model: A100-SXM4-40GB
                  nodes: {names: [it-node-0, it-node-1, it-node-2]}
                  partitions: %s
                """.formatted(partitions.replace("\n", "\n  ")));
    }

    private PoolsResult publish(FakeGpu fakeGpu) {
        cluster.fakeGpus().written(fakeGpu);
        return publisher.publish(fakeGpu, Instant.EPOCH).pools();
    }

    /** Adds the stored slices to the store, as the watch would. */
    private void seen() {
        stored().forEach(cluster.slices()::written);
    }

    /** The slices of this test; other test classes use the same API server. */
    private List<ResourceSlice> stored() {
        return client.resources(ResourceSlice.class)
                .withLabel(Labels.FAKEGPU, "it")
                .list()
                .getItems();
    }

    private List<ResourceSlice> devices() {
        return stored().stream()
                .filter(slice -> !SliceReader.read(slice).devices().isEmpty())
                .toList();
    }

    private Map<String, String> versions() {
        return stored().stream()
                .collect(Collectors.toMap(
                        slice -> slice.getMetadata().getName(),
                        slice -> slice.getMetadata().getResourceVersion()));
    }

    private String annotation() {
        return GroupsAnnotation.text(only(devices()));
    }

    private static List<String> names(ResourceSlice slice) {
        return SliceReader.read(slice).devices().stream().map(Device::name).toList();
    }

    private static ResourceSlice only(List<ResourceSlice> slices) {
        assertThat(slices).hasSize(1);
        return slices.get(0);
    }
}
