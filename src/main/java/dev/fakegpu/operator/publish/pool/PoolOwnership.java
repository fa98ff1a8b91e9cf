package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.slices.PoolTarget;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Decides which of several FakeGpus publishes a pool: the oldest one, or the first by name if they are equally old. */
final class PoolOwnership {

    static final Comparator<FakeGpu> OLDEST_FIRST = Comparator.<FakeGpu, String>comparing(
                    fakeGpu -> fakeGpu.getMetadata().getCreationTimestamp())
            .thenComparing(fakeGpu -> fakeGpu.getMetadata().getName());

    private PoolOwnership() {}

    /** The targets that an older FakeGpu publishes, with its name. */
    static Map<PoolId, String> taken(
            FakeGpu fakeGpu, Collection<PoolTarget> targets, Collection<FakeGpu> all, Collection<Node> existing) {
        var taken = new TreeMap<PoolId, String>();
        var others = all.stream()
                .filter(other -> OLDEST_FIRST.compare(other, fakeGpu) < 0)
                .sorted(OLDEST_FIRST)
                .toList();
        for (FakeGpu other : others) {
            var contested = targets.stream()
                    .map(PoolTarget::pool)
                    .filter(pool -> PoolNames.couldPublish(other, pool))
                    .toList();
            if (!contested.isEmpty()) {
                var otherPools =
                        targets(other, existing).stream().map(PoolTarget::pool).toList();
                contested.stream()
                        .filter(otherPools::contains)
                        .forEach(pool ->
                                taken.putIfAbsent(pool, other.getMetadata().getName()));
            }
        }
        return taken;
    }

    /** The pools that a FakeGpu would publish if it were the only one. */
    static List<PoolTarget> targets(FakeGpu fakeGpu, Collection<Node> existing) {
        String name = fakeGpu.getMetadata().getName();
        return TargetNodes.of(fakeGpu, existing).stream()
                .map(nodes -> PoolTarget.of(fakeGpu.getSpec(), name, nodes))
                .toList();
    }
}
