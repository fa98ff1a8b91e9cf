package dev.fakegpu.operator.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.hardware.slices.PoolLayout;
import dev.fakegpu.hardware.slices.PoolTarget;
import dev.fakegpu.hardware.slices.Retention;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The slices that FakeGpus publish once devices with deferred changes are released. */
public final class DeferredChanges implements PendingChanges {

    private final Supplier<? extends Collection<FakeGpu>> fakeGpus;
    private final InventoryPlanner planner;

    public DeferredChanges(Supplier<? extends Collection<FakeGpu>> fakeGpus, InventoryPlanner planner) {
        this.fakeGpus = fakeGpus;
        this.planner = planner;
    }

    @Override
    public Optional<List<Slice>> slices(PoolId pool, List<Slice> published, Predicate<String> isInUse) {
        boolean isPending =
                published.stream().flatMap(slice -> slice.devices().stream()).anyMatch(Retention::isPending);
        if (!isPending) {
            return Optional.empty();
        }
        NodeSelection nodes = published.get(0).nodes();
        return fakeGpus.get().stream()
                .filter(fakeGpu -> target(fakeGpu, nodes).pool().equals(pool))
                .filter(fakeGpu -> planner.check(
                                fakeGpu.getSpec(), fakeGpu.getMetadata().getName())
                        .isEmpty())
                .findFirst()
                .map(fakeGpu -> slices(fakeGpu, published, isInUse));
    }

    private List<Slice> slices(FakeGpu fakeGpu, List<Slice> published, Predicate<String> isInUse) {
        var spec = fakeGpu.getSpec();
        PoolTarget target = target(fakeGpu, published.get(0).nodes());
        var desired = planner.plan(spec, fakeGpu.getMetadata().getName())
                .on(target.nodeName())
                .published(spec);
        var now = Retention.Published.of(published);
        Set<String> used = now.devices().stream()
                .map(device -> device.name())
                .filter(isInUse)
                .collect(Collectors.toSet());
        return PoolLayout.slices(target, Retention.of(desired, now, used).inventory());
    }

    private static PoolTarget target(FakeGpu fakeGpu, NodeSelection nodes) {
        return PoolTarget.of(fakeGpu.getSpec(), fakeGpu.getMetadata().getName(), nodes);
    }
}
