package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FakeGpuSpec.UpdatePolicy;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.inventory.Inventory;
import dev.fakegpu.publish.UpToDatePools.PoolInputs;
import dev.fakegpu.publish.UpToDatePools.SharedInputs;
import dev.fakegpu.slices.PoolLayout;
import dev.fakegpu.slices.PoolTarget;
import dev.fakegpu.slices.Retention;
import dev.fakegpu.slices.Retention.Published;
import dev.fakegpu.slices.SliceField;
import dev.fakegpu.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Publishes the pools of one FakeGpu once: the pools that its spec requests, and the devices still in use in pools that it no longer
 * requests. All decisions of a run are based on the same slices, claims and served fields, read at its start.
 */
final class PublishRun {

    private static final Inventory NOTHING = new Inventory(0, List.of(), List.of());

    private final FakeGpu fakeGpu;
    private final FakeGpuSpec spec;
    private final ObjectStores cluster;
    private final PoolPublisher publisher;
    private final UpToDatePools upToDate;
    private final SharedInputs inputs;
    private final RetainedDevices retained;
    private final DevicesInUse used;
    private final Map<PoolId, List<ResourceSlice>> stored;

    private final List<PoolOutcome> outcomes = new ArrayList<>();
    private boolean changed;

    /** The result for one pool. */
    private record PoolWrite(boolean written, PoolOutcome outcome) {}

    PublishRun(
            FakeGpu fakeGpu,
            ObjectStores cluster,
            PoolPublisher publisher,
            UpToDatePools upToDate,
            RetainedDevices retained) {
        this.fakeGpu = fakeGpu;
        this.spec = fakeGpu.getSpec();
        this.cluster = cluster;
        this.publisher = publisher;
        this.upToDate = upToDate;
        this.inputs = upToDate.shared();
        this.retained = retained;
        this.used = new DevicesInUse(cluster.claims().list());
        this.stored = publisher.stored(fakeGpu);
    }

    PoolsResult publish() {
        var nodes = cluster.nodes().list();
        var targets = PoolOwnership.targets(fakeGpu, nodes);
        var taken = PoolOwnership.taken(fakeGpu, targets, cluster.fakeGpus().list(), nodes);
        Set<PoolId> desired = new LinkedHashSet<>();
        for (PoolTarget target : targets) {
            if (!taken.containsKey(target.pool())) {
                desired.add(target.pool());
                outcomes.add(publish(target));
            }
        }
        stored.keySet().stream().filter(pool -> !desired.contains(pool)).forEach(pool -> {
            if (taken.containsKey(pool)) {
                remove(pool);
            } else {
                drain(pool);
            }
        });
        return new PoolsResult(changed, targets, taken, foreignSlices(desired), List.copyOf(outcomes));
    }

    private PoolOutcome publish(PoolTarget target) {
        PoolId pool = target.pool();
        var poolInputs = new PoolInputs(target, versions(pool), used.claimsByDevice(pool));
        return upToDate.outcome(pool, poolInputs).orElseGet(() -> {
            var write = write(target, inputs.plan().on(target.nodeName()).published(spec));
            if (!write.written()) {
                upToDate.remember(pool, poolInputs, write.outcome());
            }
            return write.outcome();
        });
    }

    private PoolWrite write(PoolTarget target, Inventory desired) {
        PoolId pool = target.pool();
        var retention = retain(pool, desired);
        var slices = PoolLayout.slices(target, retention.inventory());
        boolean written = publisher.publish(fakeGpu, pool, stored(pool), slices, inputs.groups());
        changed |= written;
        var outcome = new PoolOutcome(
                inputs.served().missing(slices),
                slices.stream().anyMatch(Slice::usesCompatibilityGroups),
                retention.kept().stream().map(device -> inUse(pool, device)).toList(),
                retention.withheld());
        return new PoolWrite(written, outcome);
    }

    private RetainedDevice inUse(PoolId pool, String device) {
        return new RetainedDevice(device, pool.name(), List.copyOf(used.claims(pool, device)));
    }

    private List<ResourceSlice> stored(PoolId pool) {
        return stored.getOrDefault(pool, List.of());
    }

    private Set<String> versions(PoolId pool) {
        return stored(pool).stream()
                .map(slice ->
                        slice.getMetadata().getUid() + "/" + slice.getMetadata().getResourceVersion())
                .collect(Collectors.toSet());
    }

    /** Keeps the devices in use in a pool that is no longer requested, as long as its node exists. */
    private void drain(PoolId pool) {
        var nodes = stored(pool).stream()
                .map(cluster.parsedSlices()::withGroups)
                .map(Slice::nodes)
                .findFirst()
                .filter(this::exists);
        if (nodes.isEmpty() || retain(pool, NOTHING).kept().isEmpty()) {
            remove(pool);
        } else {
            var target = PoolTarget.of(spec, fakeGpu.getMetadata().getName(), nodes.get())
                    .with(pool, nodes.get());
            outcomes.add(write(target, NOTHING).outcome());
        }
    }

    private boolean exists(NodeSelection nodes) {
        return !(nodes instanceof NodeSelection.NodeName only)
                || cluster.nodes().get(null, only.name()).isPresent();
    }

    private void remove(PoolId pool) {
        publisher.remove(stored(pool));
        retained.forget(pool);
        upToDate.forget(pool);
        changed = true;
    }

    private Retention retain(PoolId pool, Inventory desired) {
        var devices = used.devices(pool);
        if (devices.isEmpty() || spec.updatePolicy() == UpdatePolicy.Immediate) {
            retained.forget(pool);
            return new Retention(desired, List.of(), 0);
        }
        return retained.retain(pool, storable(desired), published(pool), devices);
    }

    /** Without the fields that the API server drops, which would otherwise look like a change of every device. */
    private Inventory storable(Inventory desired) {
        if (inputs.served().serves(SliceField.COUNTERS)) {
            return desired;
        }
        return new Inventory(
                desired.gpus(),
                List.of(),
                desired.devices().stream()
                        .map(device -> device.withConsumesCounters(List.of()))
                        .toList());
    }

    /** The pool according to the stored slices. If a write was interrupted between generations, the newest generation wins. */
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

    private List<String> foreignSlices(Set<PoolId> pools) {
        return publisher.foreign(fakeGpu, pools).stream()
                .map(slice -> "%s in pool %s"
                        .formatted(
                                slice.getMetadata().getName(),
                                slice.getSpec().getPool().getName()))
                .sorted()
                .toList();
    }
}
