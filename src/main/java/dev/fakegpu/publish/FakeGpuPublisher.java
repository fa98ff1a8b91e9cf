package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FakeGpuSpec.UpdatePolicy;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.inventory.Inventory;
import dev.fakegpu.inventory.InventoryPlan;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.publish.UpToDatePools.Basis;
import dev.fakegpu.publish.UpToDatePools.Dependencies;
import dev.fakegpu.publish.UpToDatePools.Outcome;
import dev.fakegpu.slices.PoolLayout;
import dev.fakegpu.slices.PoolTarget;
import dev.fakegpu.slices.Retention;
import dev.fakegpu.slices.Retention.Published;
import dev.fakegpu.slices.ServedFields;
import dev.fakegpu.slices.SliceField;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Publishes the pools of a FakeGpu: those that it wants, and what is still in use of those that it had. */
final class FakeGpuPublisher {

    private static final Inventory NOTHING = new Inventory(0, List.of(), List.of());

    private final ClusterWatch cluster;
    private final InventoryPlanner planner;
    private final PoolPublisher pools;
    private final ServerFeatures features;
    private final PublishOptions options;

    /**
     * The devices in use, as they were published last: what is stored may have been edited or deleted by hand since. Without an
     * entry, after a restart, what is stored is believed.
     */
    private final Map<PoolId, Published> inUse = new ConcurrentHashMap<>();

    /** By the FakeGpu's UID. */
    private final Map<String, UpToDatePools> settled = new ConcurrentHashMap<>();

    /** What became of one pool. */
    private record PoolRun(boolean written, Outcome outcome) {}

    FakeGpuPublisher(
            ClusterWatch cluster,
            InventoryPlanner planner,
            PoolPublisher pools,
            ServerFeatures features,
            PublishOptions options) {
        this.cluster = cluster;
        this.planner = planner;
        this.pools = pools;
        this.features = features;
        this.options = options;
    }

    /** Publishes a FakeGpu whose spec was accepted. */
    PublishResult publish(FakeGpu fakeGpu, SimulatedNodes.Result simulated) {
        return new Run(fakeGpu).publish(simulated);
    }

    /** @return the claims that hold devices of it, as {@code namespace/name}, if this removed anything */
    List<String> remove(FakeGpu fakeGpu) {
        var used = new DevicesInUse(cluster.claims().list());
        var removed = pools.stored(fakeGpu);
        removed.forEach((pool, slices) -> {
            pools.remove(slices);
            inUse.remove(pool);
        });
        settled.remove(fakeGpu.getMetadata().getUid());
        return removed.keySet().stream()
                .flatMap(pool -> used.of(pool).stream().flatMap(device -> used.claimsOf(pool, device).stream()))
                .distinct()
                .sorted()
                .toList();
    }

    private UpToDatePools settled(FakeGpu fakeGpu, Basis basis) {
        return settled.compute(
                fakeGpu.getMetadata().getUid(),
                (uid, known) -> known != null && known.dependOn(basis) ? known : new UpToDatePools(basis));
    }

    /** What one run decides by: all of it from one moment. */
    private final class Run {
        private final FakeGpu fakeGpu;
        private final FakeGpuSpec spec;
        private final String name;
        private final DevicesInUse used = new DevicesInUse(cluster.claims().list());
        private final Map<PoolId, List<ResourceSlice>> stored;
        private final ServedFields served = features.fields();
        private final GroupPublishing groups;
        private final InventoryPlan plan;
        private final UpToDatePools settledPools;

        private final List<Outcome> outcomes = new ArrayList<>();
        private boolean changed;

        Run(FakeGpu fakeGpu) {
            this.fakeGpu = fakeGpu;
            this.spec = fakeGpu.getSpec();
            this.name = fakeGpu.getMetadata().getName();
            this.stored = pools.stored(fakeGpu);
            this.groups = GroupPublishing.of(
                    spec,
                    options.groups(),
                    served,
                    features.scheduler(),
                    options.companionEnforces().getAsBoolean());
            this.plan = planner.plan(spec, name);
            this.settledPools = settled(fakeGpu, new Basis(plan, served, groups));
        }

        PublishResult publish(SimulatedNodes.Result simulated) {
            var targets = PoolOwnership.targets(fakeGpu, cluster.nodes().list());
            var taken = PoolOwnership.taken(
                    fakeGpu, targets, cluster.fakeGpus().list(), cluster.nodes().list());
            Set<PoolId> wanted = new LinkedHashSet<>();
            for (PoolTarget target : targets) {
                if (!taken.containsKey(target.pool())) {
                    wanted.add(target.pool());
                    outcomes.add(publish(target));
                }
            }
            stored.keySet().stream().filter(pool -> !wanted.contains(pool)).forEach(pool -> {
                if (taken.containsKey(pool)) {
                    remove(pool);
                } else {
                    drain(pool);
                }
            });
            return new PublishResult(
                    changed,
                    targets,
                    simulated.foreign(),
                    simulated.leaving(),
                    groups,
                    taken,
                    foreign(wanted),
                    List.copyOf(outcomes));
        }

        private Outcome publish(PoolTarget target) {
            PoolId pool = target.pool();
            var dependencies = new Dependencies(target, versions(pool), used.in(pool));
            return settledPools.outcome(pool, dependencies).orElseGet(() -> {
                var run = publish(target, plan.on(target.nodeName()).published(spec));
                if (!run.written()) {
                    settledPools.settle(pool, dependencies, run.outcome());
                }
                return run.outcome();
            });
        }

        private PoolRun publish(PoolTarget target, Inventory wanted) {
            PoolId pool = target.pool();
            var retention = retain(pool, wanted);
            var slices = PoolLayout.slices(target, retention.inventory());
            boolean written = pools.publish(fakeGpu, pool, stored(pool), slices, groups.inSlices());
            changed |= written;
            var outcome = new Outcome(
                    served.missing(slices),
                    slices.stream().anyMatch(Slice::usesCompatibilityGroups),
                    retention.kept().stream()
                            .map(device -> "%s in %s (%s)"
                                    .formatted(device, pool.name(), String.join(", ", used.claimsOf(pool, device))))
                            .toList(),
                    retention.withheld());
            return new PoolRun(written, outcome);
        }

        private List<ResourceSlice> stored(PoolId pool) {
            return stored.getOrDefault(pool, List.of());
        }

        private Set<String> versions(PoolId pool) {
            return stored(pool).stream()
                    .map(slice -> slice.getMetadata().getUid() + "/"
                            + slice.getMetadata().getResourceVersion())
                    .collect(Collectors.toSet());
        }

        /** Keeps what is in use of a pool that is not wanted any more, as long as there is the node. */
        private void drain(PoolId pool) {
            var nodes = stored(pool).stream()
                    .map(cluster.parsedSlices()::withGroups)
                    .map(Slice::nodes)
                    .findFirst()
                    .filter(this::isThere);
            if (nodes.isEmpty() || retain(pool, NOTHING).kept().isEmpty()) {
                remove(pool);
            } else {
                var target = PoolTarget.of(spec, name, nodes.get()).with(pool, nodes.get());
                outcomes.add(publish(target, NOTHING).outcome());
            }
        }

        private boolean isThere(NodeSelection nodes) {
            return !(nodes instanceof NodeSelection.NodeName only)
                    || cluster.nodes().get(null, only.name()).isPresent();
        }

        private void remove(PoolId pool) {
            pools.remove(stored(pool));
            inUse.remove(pool);
            settledPools.forget(pool);
            changed = true;
        }

        private Retention retain(PoolId pool, Inventory wanted) {
            var devices = used.of(pool);
            if (devices.isEmpty() || spec.updatePolicy() == UpdatePolicy.Immediate) {
                inUse.remove(pool);
                return new Retention(wanted, List.of(), 0);
            }
            var before = published(pool).only(devices);
            var remembered = inUse.get(pool);
            var retention = Retention.of(
                    storable(wanted), remembered == null ? before : before.with(remembered.only(devices)), devices);
            inUse.put(
                    pool,
                    new Published(
                                    retention.inventory().counterSets(),
                                    retention.inventory().devices())
                            .only(devices));
            return retention;
        }

        /** As it comes back from the API server, or else everything that is dropped would be a change. */
        private Inventory storable(Inventory wanted) {
            if (served.serves(SliceField.COUNTERS)) {
                return wanted;
            }
            return new Inventory(
                    wanted.gpus(),
                    List.of(),
                    wanted.devices().stream()
                            .map(device -> device.withConsumesCounters(List.of()))
                            .toList());
        }

        /** The newest generation last, since it holds if a pool was left half written. */
        private Published published(PoolId pool) {
            var result = Published.NOTHING;
            for (Slice slice : stored(pool).stream()
                    .map(cluster.parsedSlices()::withGroups)
                    .sorted(Comparator.comparing(Slice::generation))
                    .toList()) {
                result = result.with(new Published(slice.counterSets(), slice.devices()));
            }
            return result;
        }

        private List<String> foreign(Set<PoolId> wanted) {
            return pools.foreign(fakeGpu, wanted).stream()
                    .map(FakeGpuPublisher::described)
                    .sorted()
                    .toList();
        }
    }

    private static String described(ResourceSlice slice) {
        return "%s in pool %s"
                .formatted(
                        slice.getMetadata().getName(), slice.getSpec().getPool().getName());
    }
}
