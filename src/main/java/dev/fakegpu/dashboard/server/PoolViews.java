package dev.fakegpu.dashboard.server;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.cluster.holdings.Gpu;
import dev.fakegpu.cluster.holdings.HeldClaim;
import dev.fakegpu.cluster.holdings.Holdings;
import dev.fakegpu.cluster.snapshot.ClusterHoldings;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot.SnapshotSlice;
import dev.fakegpu.cluster.snapshot.HeldClaims;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dashboard.GpuView;
import dev.fakegpu.dashboard.GpuViews;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.inventory.TimedFaults;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The views of all hardware; only the views of pools that have changed since the last snapshot are recreated. Not thread-safe. */
final class PoolViews {

    private static final GpuViews.Origin UNKNOWN = new GpuViews.Origin("", "KubeScheduler", List.of());

    private final HeldClaims heldClaims = new HeldClaims();
    private Map<PoolId, Cached> last = Map.of();

    /** A piece of hardware, and the node that can access it. */
    record Placed(String node, GpuView view) {}

    /** The input for the views of a pool. */
    private record Input(List<SnapshotSlice> slices, List<HeldClaim> claims, GpuViews.Origin origin) {}

    private record Cached(Input input, List<Placed> views) {}

    List<Placed> of(ClusterSnapshot snapshot) {
        Map<PoolId, List<SnapshotSlice>> slices = new HashMap<>();
        snapshot.slices()
                .forEach(slice -> slices.computeIfAbsent(slice.asStored().pool(), ignored -> new ArrayList<>())
                        .add(slice));
        Map<PoolId, List<HeldClaim>> claims = new HashMap<>();
        for (HeldClaim known : heldClaims.of(snapshot)) {
            HeldClaim claim = WithheldNames.isWithheld(known.ref().name()) ? known.withoutClasses() : known;
            claim.devices().stream()
                    .map(AllocatedDevice::id)
                    .map(id -> id.poolId())
                    .distinct()
                    .forEach(pool -> {
                        claims.computeIfAbsent(pool, ignored -> new ArrayList<>())
                                .add(claim);
                        slices.computeIfAbsent(pool, ignored -> new ArrayList<>());
                    });
        }
        Map<PoolId, Cached> now = new HashMap<>();
        slices.forEach((pool, ofPool) ->
                now.put(pool, cached(pool, snapshot, ofPool, claims.getOrDefault(pool, List.of()))));
        last = now;
        return now.values().stream().flatMap(cached -> cached.views().stream()).toList();
    }

    private Cached cached(PoolId pool, ClusterSnapshot snapshot, List<SnapshotSlice> slices, List<HeldClaim> claims) {
        GpuViews.Origin origin = slices.isEmpty() ? UNKNOWN : origin(snapshot, slices.get(0));
        var input = new Input(slices, claims, origin);
        Cached known = last.get(pool);
        return known != null && known.input().equals(input) ? known : new Cached(input, views(pool, snapshot, input));
    }

    private static List<Placed> views(PoolId pool, ClusterSnapshot snapshot, Input input) {
        List<Gpu> gpus = Holdings.of(
                input.slices().stream()
                        .map(slice -> ClusterHoldings.slice(snapshot, slice))
                        .toList(),
                input.claims());
        return gpus.stream()
                .filter(gpu -> gpu.pool().equals(pool)) // claims may also have devices of other pools
                .map(gpu -> new Placed(gpu.node(), GpuViews.of(gpu, input.origin())))
                .toList();
    }

    private static GpuViews.Origin origin(ClusterSnapshot snapshot, SnapshotSlice slice) {
        Optional<FakeGpu> fakeGpu = snapshot.fakeGpu(slice.stored());
        return new GpuViews.Origin(
                fakeGpu.map(known -> known.getMetadata().getName()).orElse(""),
                snapshot.scheduler(slice) == Scheduler.COMPANION ? "Companion" : "KubeScheduler",
                fakeGpu.stream().flatMap(PoolViews::faults).toList());
    }

    /** Faults of calls, which can concern any device; other faults are marks on the hardware that they have affected. */
    private static Stream<String> faults(FakeGpu fakeGpu) {
        boolean areSet = Optional.ofNullable(fakeGpu.getStatus()).stream()
                .flatMap(status -> status.conditions().stream())
                .anyMatch(condition ->
                        "FaultsInjected".equals(condition.getType()) && "True".equals(condition.getStatus()));
        return areSet
                ? fakeGpu.getSpec().faults().stream()
                        .filter(fault -> !TimedFaults.isTimed(fault))
                        .map(fault -> DashboardReader.text(
                                "\"%s\" (%s: %s)".formatted(fault.name(), fault.operation(), fault.effect())))
                : Stream.empty();
    }
}
