package dev.fakegpu.operator.schedule.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.dra.wire.MixinsAnnotation;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.AskedDrivers;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Tests which FakeGpus are reported as belonging to another allocator, and which devices are omitted because of mixins. */
class ManagedSlicesTest {

    /** A client that receives no requests. */
    private static final KubernetesClient CLIENT = new KubernetesClientBuilder().build();

    private static final AskedDrivers ANY = new AskedDrivers(Set.of(), true);

    private static final AllocatorOptions OPTIONS =
            new AllocatorOptions(GroupsGate.ON, GroupPolicy.SNAPSHOT, List.of());

    private final ClusterWatch cluster = new ClusterWatch(CLIENT, "any", "any");
    private final ManagedSlices slices = new ManagedSlices(
            cluster, new AllocatorHandover(cluster, Ticker.SYSTEM), SchedulerProfile.COMPANION, OPTIONS, MixinsGate.ON);

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @Test
    void slicesOfAnotherAllocatorAreNotManaged() {
        published("KubeScheduler");

        assertThat(slices.notManagedOn(List.of(new NodeInfo("node", Map.of())), ANY))
                .containsExactly("gpus");
        assertThat(slices.notManagedOn(List.of(new NodeInfo("other", Map.of())), ANY))
                .isEmpty();
        var ofOthers = new AskedDrivers(Set.of("nic.example.com"), false);
        assertThat(slices.notManagedOn(List.of(new NodeInfo("node", Map.of())), ofOthers))
                .isEmpty();
    }

    @Test
    void sliceOfTheCompanionIsNeitherManagedNorForeignUntilItIsPublished() {
        published("Companion");
        slices.refresh();

        assertThat(slices.isManaged(new PoolId("gpu.example.com", "node/gpus")))
                .as("not yet")
                .isFalse();
        assertThat(slices.notManagedOn(List.of(new NodeInfo("node", Map.of())), ANY))
                .isEmpty();
    }

    /** Whether a slice is omitted depends on all slices of its pool, regardless of which one changed. */
    @Test
    void disabledGateOmitsDevicesWhoseCounterSetHasMixins() {
        var all = new AllocatorHandover(cluster, Ticker.SYSTEM, slice -> true);
        var managed = new ManagedSlices(cluster, all, SchedulerProfile.COMPANION, OPTIONS, MixinsGate.OFF);
        var device = new DeviceId("gpu.example.com", "pool", "gpu-0");
        cluster.slices().written(slice("devices", "", """
                devices: [{name: gpu-0, consumesCounters: [{counterSet: gpu, counters: {slots: {value: "1"}}}]}]
                """));
        managed.refresh(Set.of("devices"));
        assertThat(managed.device(device, null)).isPresent();

        cluster.slices().written(slice("counters", """
                mixins: {counterSet: [{name: m, counters: {slots: {value: "7"}}}]}
                sharedCounters: [{name: gpu, includes: [m]}]
                """, """
                sharedCounters: [{name: gpu, counters: {slots: {value: "7"}}}]
                """));
        managed.refresh(Set.of("counters"));

        assertThat(managed.device(device, null)).isEmpty();
        assertThat(managed.withoutMixins().get("counters").counterSets()).containsExactly("gpu");
        assertThat(managed.withoutMixins().get("devices").dependents()).containsOnlyKeys("gpu-0");

        // When: the counter set moves to another pool
        cluster.slices()
                .written(slice("counters", "", "")
                        .edit()
                        .editSpec()
                        .withNewPool()
                        .withName("elsewhere")
                        .withGeneration(1L)
                        .withResourceSliceCount(1L)
                        .endPool()
                        .endSpec()
                        .editMetadata()
                        .withResourceVersion("2")
                        .endMetadata()
                        .build());
        managed.refresh(Set.of("counters"));

        // Then
        assertThat(managed.device(device, null)).isPresent();
        assertThat(managed.withoutMixins().get("counters").counterSets()).isEmpty();

        managed.use(OPTIONS, MixinsGate.ON);
        managed.refresh();

        assertThat(managed.device(device, null)).isPresent();
        assertThat(managed.withoutMixins()).isEmpty();
    }

    /** There are many slices, and most changes affect only one pool. */
    @Test
    void onlyTheSlicesOfPoolsThatChangedAreReadWithoutMixins() {
        var all = new AllocatorHandover(cluster, Ticker.SYSTEM, slice -> true);
        var managed = new ManagedSlices(cluster, all, SchedulerProfile.COMPANION, OPTIONS, MixinsGate.OFF);
        cluster.slices().written(slice("one", "", "devices: [{name: gpu-0}]"));
        cluster.slices()
                .written(slice("other", "", "devices: [{name: gpu-0}]")
                        .edit()
                        .editSpec()
                        .editPool()
                        .withName("elsewhere")
                        .endPool()
                        .endSpec()
                        .build());
        managed.refresh();
        var before = managed.withoutMixins().get("other");

        cluster.slices()
                .written(slice("one", "", "devices: [{name: gpu-1}]")
                        .edit()
                        .editMetadata()
                        .withResourceVersion("2")
                        .endMetadata()
                        .build());
        assertThat(managed.refresh(Set.of("one")))
                .extracting(ManagedSlices.PoolChange::pool)
                .containsExactly(new PoolId("gpu.example.com", "pool"));

        assertThat(managed.withoutMixins().get("other")).isSameAs(before);
        assertThat(managed.device(new DeviceId("gpu.example.com", "pool", "gpu-1"), null))
                .isPresent();
    }

    /** Otherwise the results of selectors for its devices, which are cached by identity, would have to be computed again. */
    @Test
    void aSliceThatIsTheSameWithoutMixinsIsNotReadAgain() {
        var all = new AllocatorHandover(cluster, Ticker.SYSTEM, slice -> true);
        var managed = new ManagedSlices(cluster, all, SchedulerProfile.COMPANION, OPTIONS, MixinsGate.OFF);
        for (int i = 0; i < 4; i++) {
            cluster.slices().written(slice("slice-" + i, "", "devices: [{name: gpu-%d}]".formatted(i)));
        }
        managed.refresh();
        List<Slice> before = managed.index().slices(new PoolId("gpu.example.com", "pool"));

        cluster.slices()
                .written(slice("slice-2", "", "devices: [{name: gpu-7}]")
                        .edit()
                        .editMetadata()
                        .withResourceVersion("2")
                        .endMetadata()
                        .build());
        managed.refresh(Set.of("slice-2"));

        assertThat(managed.index().slices(new PoolId("gpu.example.com", "pool")))
                .usingElementComparator((one, other) -> one == other ? 0 : 1)
                .hasSize(4)
                .containsAll(before.stream()
                        .filter(slice -> !slice.name().equals("slice-2"))
                        .toList());
    }

    private static ResourceSlice slice(String name, String withMixins, String spec) {
        String pool = """
                driver: gpu.example.com
                nodeName: node
                pool: {name: pool, generation: 1, resourceSliceCount: 2}
                """;
        ResourceSlice slice = new ResourceSliceBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid(name)
                .withResourceVersion("1")
                .endMetadata()
                .withSpec(Serialization.unmarshal(pool + spec, ResourceSliceSpec.class))
                .build();
        if (!withMixins.isEmpty()) {
            String json = Serialization.asJson(Serialization.unmarshal(pool + withMixins, Map.class));
            slice.getMetadata().setAnnotations(Map.of(MixinsAnnotation.KEY, json));
        }
        return slice;
    }

    private void published(String allocator) {
        cluster.fakeGpus().written(Serialization.unmarshal("""
                        apiVersion: fakegpu.dev/v1alpha1
                        kind: FakeGpu
                        metadata: {name: gpus, uid: gpus, generation: 1, resourceVersion: "1"}
                        spec: {nodes: {names: [node]}, model: L40S, allocator: %s}
                        """.formatted(allocator), FakeGpu.class));
        cluster.slices().written(Serialization.unmarshal("""
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceSlice
                        metadata:
                          name: gpus
                          uid: slice
                          resourceVersion: "2"
                          ownerReferences: [{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, name: gpus, uid: gpus}]
                        spec:
                          driver: gpu.example.com
                          nodeName: node
                          pool: {name: node/gpus, generation: 1, resourceSliceCount: 1}
                          devices: [{name: gpu-0}]
                        """, ResourceSlice.class));
    }
}
