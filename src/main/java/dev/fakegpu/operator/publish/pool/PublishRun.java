package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FakeGpuSpec.UpdatePolicy;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.slices.PoolLayout;
import dev.fakegpu.hardware.slices.PoolTarget;
import dev.fakegpu.hardware.slices.Retention;
import dev.fakegpu.hardware.slices.Retention.Published;
import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.pool.PoolPublisher.Publication;
import dev.fakegpu.operator.publish.pool.UpToDatePools.PoolInputs;
import dev.fakegpu.operator.publish.pool.UpToDatePools.SharedInputs;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    private final KubeletPlugins plugins;

    private final PublishTurn turn;
    private final AtomicBoolean changed = new AtomicBoolean();

    /** In each run, the first pool that is written is read back, which shows whether the API server drops fields. */
    private final AtomicBoolean isRead = new AtomicBoolean();

    /** A pool that must be written because its inputs have changed. */
    private record PoolWork(PoolTarget target, PoolInputs inputs) {}

    PublishRun(
            FakeGpu fakeGpu,
            ObjectStores cluster,
            PoolPublisher publisher,
            Known known,
            KubeletPlugins plugins,
            PublishTurn turn) {
        this.fakeGpu = fakeGpu;
        this.spec = fakeGpu.getSpec();
        this.cluster = cluster;
        this.publisher = publisher;
        this.upToDate = known.upToDate();
        this.inputs = upToDate.shared();
        this.retained = known.retained();
        this.turn = turn;
        this.used = new DevicesInUse(cluster.claims().list());
        this.stored = publisher.stored(fakeGpu);
        this.plugins = plugins;
    }

    /** The state that is kept from one run to the next. */
    record Known(UpToDatePools upToDate, RetainedDevices retained) {}

    PoolsResult publish() {
        var nodes = cluster.nodes().list();
        var targets = PoolOwnership.targets(fakeGpu, nodes);
        var taken = PoolOwnership.taken(fakeGpu, targets, cluster.fakeGpus().list(), nodes);
        Map<PoolId, PoolOutcome> outcomes = new ConcurrentHashMap<>();
        Set<PoolId> desired = new LinkedHashSet<>();
        var work = new ArrayList<PoolWork>();
        var newPools = new ArrayList<PoolWork>();
        var announced = new ArrayList<String>();
        for (PoolTarget target : targets) {
            PoolId pool = target.pool();
            if (!taken.containsKey(pool) && desired.add(pool)) {
                boolean isAnnouncement = isAnnouncement(target);
                if (isAnnouncement) {
                    announced.add(target.nodeName());
                }
                var poolInputs =
                        new PoolInputs(target, isAnnouncement, versions(stored(pool)), used.claimsByDevice(pool));
                upToDate.outcome(pool, poolInputs)
                        .ifPresentOrElse(
                                known -> outcomes.put(pool, known),
                                () -> (stored.containsKey(pool) ? work : newPools)
                                        .add(new PoolWork(target, poolInputs)));
            }
        }
        Consumer<PoolWork> publish = one -> outcomes.put(one.target().pool(), publish(one));
        var surplus =
                stored.keySet().stream().filter(pool -> !desired.contains(pool)).toList();
        int done = turn.forEach(work, publish)
                + turn.forEach(surplus, pool -> withdraw(pool, taken).ifPresent(left -> outcomes.put(pool, left)))
                + turn.forEachNew(newPools, publish);
        return new PoolsResult(
                changed.get(),
                targets,
                taken,
                announced,
                foreignSlices(desired),
                Stream.concat(desired.stream(), surplus.stream())
                        .flatMap(pool -> Stream.ofNullable(outcomes.get(pool)))
                        .toList(),
                work.size() + newPools.size() + surplus.size() - done,
                turn.limit());
    }

    private PoolOutcome publish(PoolWork work) {
        var target = work.target();
        var write = work.inputs().isAnnouncement()
                ? announce(target)
                : write(target, upToDate.inventories().on(target.nodeName()));
        if (write.publication().isUpToDate()) {
            upToDate.remember(
                    target.pool(),
                    new PoolInputs(
                            target,
                            work.inputs().isAnnouncement(),
                            versions(write.publication().stored()),
                            work.inputs().claims()),
                    write.outcome());
        }
        return write.outcome();
    }

    /**
     * Whether the pool must be published without its devices, because pods with them could not start yet. From then on the plugin serves
     * the driver; once the kubelet has registered it, the devices follow. What is already published is kept.
     */
    private boolean isAnnouncement(PoolTarget target) {
        return plugins.isAwaited(target.nodeName())
                && stored(target.pool()).stream()
                        .map(cluster.parsedSlices()::asStored)
                        .allMatch(slice -> slice.devices().isEmpty());
    }

    private PoolWrite announce(PoolTarget target) {
        var slices = PoolLayout.slices(target, NOTHING);
        return new PoolWrite(publish(target, slices), new PoolOutcome(Set.of(), false, List.of(), 0));
    }

    /** The result for one pool. */
    private record PoolWrite(Publication publication, PoolOutcome outcome) {}

    private PoolWrite write(PoolTarget target, Inventory desired) {
        PoolId pool = target.pool();
        var retention = retain(pool, desired);
        var slices = PoolLayout.slices(target, retention.inventory());
        var publication = publish(target, slices);
        var outcome = new PoolOutcome(
                inputs.served().missing(slices),
                slices.stream().anyMatch(Slice::usesCompatibilityGroups),
                retention.kept().stream().map(device -> inUse(pool, device)).toList(),
                retention.withheld());
        return new PoolWrite(publication, outcome);
    }

    private Publication publish(PoolTarget target, List<Slice> slices) {
        PoolId pool = target.pool();
        var publication =
                publisher.publish(fakeGpu, pool, stored(pool), slices, inputs.groups(), !isRead.getAndSet(true));
        if (publication.written()) {
            changed.set(true);
        }
        return publication;
    }

    private RetainedDevice inUse(PoolId pool, String device) {
        return new RetainedDevice(device, pool.name(), List.copyOf(used.claims(pool, device)));
    }

    private List<ResourceSlice> stored(PoolId pool) {
        return stored.getOrDefault(pool, List.of());
    }

    private static Set<String> versions(List<ResourceSlice> slices) {
        return slices.stream()
                .map(slice ->
                        slice.getMetadata().getUid() + "/" + slice.getMetadata().getResourceVersion())
                .collect(Collectors.toSet());
    }

    /** Withdraws a pool that is not requested, or not from this FakeGpu. @return the result for what is left of it */
    private Optional<PoolOutcome> withdraw(PoolId pool, Map<PoolId, String> taken) {
        if (taken.containsKey(pool)) {
            remove(pool);
            return Optional.empty();
        }
        return drain(pool);
    }

    /** Keeps the devices in use in a pool that is no longer requested, as long as its node exists. */
    private Optional<PoolOutcome> drain(PoolId pool) {
        var nodes = stored(pool).stream()
                .map(cluster.parsedSlices()::withGroups)
                .map(Slice::nodes)
                .findFirst()
                .filter(this::exists);
        if (nodes.isEmpty() || retain(pool, NOTHING).kept().isEmpty()) {
            remove(pool);
            return Optional.empty();
        }
        var target = PoolTarget.of(spec, fakeGpu.getMetadata().getName(), nodes.get())
                .with(pool, nodes.get());
        return Optional.of(write(target, NOTHING).outcome());
    }

    private boolean exists(NodeSelection nodes) {
        return !(nodes instanceof NodeSelection.NodeName only)
                || cluster.nodes().get(null, only.name()).isPresent();
    }

    private void remove(PoolId pool) {
        publisher.remove(stored(pool));
        retained.forget(pool);
        upToDate.forget(pool);
        changed.set(true);
    }

    private Retention retain(PoolId pool, Inventory desired) {
        var devices = used.devices(pool);
        if (devices.isEmpty() || spec.updatePolicy() == UpdatePolicy.Immediate) {
            retained.forget(pool);
            return new Retention(desired, List.of(), 0);
        }
        return retained.retain(pool, storable(desired), published(pool), devices);
    }

    /** Omits kept fields that the API server drops, because they would look like a change of every device. */
    private Inventory storable(Inventory desired) {
        Inventory result = desired;
        for (SliceField field : Retention.FIELDS) {
            if (!inputs.served().serves(field)) {
                result = new Inventory(
                        result.gpus(),
                        field == SliceField.COUNTERS ? List.of() : result.counterSets(),
                        result.devices().stream().map(field::without).toList());
            }
        }
        return result;
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
