package dev.fakegpu.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.ClusterState;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.Explainer;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Remedy;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.PoolLayout;
import dev.fakegpu.hardware.slices.PoolTarget;
import dev.fakegpu.hardware.slices.Retention;
import dev.fakegpu.testing.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests a change of a FakeGpu to another model while claims hold MIG devices. */
class DeferredChangesTest {

    private static final String DRIVER = "gpu.example.com";
    private static final String BEFORE =
            "{model: A100-SXM4-40GB, allocator: KubeScheduler, partitions: {whole: false, mig: {profiles: [1g.5gb]}}}";
    private static final String AFTER = "{model: H100-80GB-HBM3, allocator: KubeScheduler}";
    private static final NodeSelection NODE = new NodeSelection.NodeName("node-1");
    private static final ClaimRef ONE = new ClaimRef("default", "one", "uid-one");
    private static final ClaimRef OTHER = new ClaimRef("default", "other", "uid-other");

    private final FakeGpu fakeGpu = fakeGpu(AFTER);
    private final Inventory before = inventory(fakeGpu(BEFORE));
    private final List<String> used = before.devices().stream()
            .map(device -> device.name())
            .filter(name -> name.contains("mig"))
            .limit(2)
            .toList();
    private final List<Slice> published = PoolLayout.slices(
            target(fakeGpu),
            Retention.of(
                            inventory(fakeGpu),
                            new Retention.Published(before.counterSets(), before.devices()),
                            Set.copyOf(used))
                    .inventory());
    private final DeferredChanges changes = new DeferredChanges(() -> List.of(fakeGpu), Specs.PLANNER);

    @Test
    void claimsThatDelayTheChangeAreNamed() {
        Explanation explanation = explain(changes);
        assertThat(explanation.remedy()).as(explanation.sentence()).isEqualTo(new Remedy.Release(List.of(ONE, OTHER)));
        assertThat(explanation.sentence())
                .doesNotContain("never fits")
                .contains("release claims default/one, default/other");
        assertThat(explain(PendingChanges.NONE).remedy()).isNull();
    }

    @Test
    void thePoolIsAsTheSpecSaysWhenNothingIsInUse() {
        assertThat(changes.slices(target(fakeGpu).pool(), published, name -> false))
                .hasValue(PoolLayout.slices(target(fakeGpu), inventory(fakeGpu)));
    }

    @Test
    void deviceInUseDefersAllChanges() {
        assertThat(changes.slices(target(fakeGpu).pool(), published, used.get(0)::equals)
                        .orElseThrow())
                .flatMap(Slice::devices)
                .extracting(device -> device.name())
                .containsExactly(used.get(0));
    }

    @Test
    void withoutDeferredChangesNothingIsReported() {
        List<Slice> current = PoolLayout.slices(target(fakeGpu), inventory(fakeGpu));
        assertThat(changes.slices(target(fakeGpu).pool(), current, name -> false))
                .isEmpty();
        var other = new DeferredChanges(List::of, Specs.PLANNER);
        assertThat(other.slices(target(fakeGpu).pool(), published, name -> false))
                .as("a pool of nobody")
                .isEmpty();
    }

    private Explanation explain(PendingChanges pending) {
        var pool = target(fakeGpu).pool();
        var held = List.of(
                new AllocatedDevice(pool.device(used.get(0)), ONE, null, null),
                new AllocatedDevice(pool.device(used.get(1)), OTHER, null, null));
        var classes = Map.of(
                "gpu",
                new DeviceClass(
                        "gpu",
                        List.of("device.driver == '%1$s' && device.attributes['%1$s'].type == 'gpu'".formatted(DRIVER)),
                        List.of()));
        var context = AllocationContext.of(
                new ClusterState(published, classes, held),
                new Selectors(),
                new AllocatorOptions(GroupsGate.ON, GroupPolicy.SNAPSHOT, List.of()));
        var claim = new Claim(
                new ClaimRef("default", "waiting", "uid-waiting"),
                List.of(DeviceRequest.exactly("gpu", "gpu", List.of(), 1, List.of())),
                List.of(),
                List.of());
        return new Explainer(context, SearchLimit.none(), pending, OtherDevices.NONE)
                .explain(List.of(new NodeInfo("node-1", Map.of())), List.of(claim));
    }

    private static PoolTarget target(FakeGpu fakeGpu) {
        return PoolTarget.of(fakeGpu.getSpec(), "sample", NODE);
    }

    private static Inventory inventory(FakeGpu fakeGpu) {
        return Specs.PLANNER.plan(fakeGpu.getSpec(), "sample", "node-1").published(fakeGpu.getSpec());
    }

    private static FakeGpu fakeGpu(String spec) {
        return TestObjects.fakeGpu("{name: sample}", "spec: " + spec);
    }
}
