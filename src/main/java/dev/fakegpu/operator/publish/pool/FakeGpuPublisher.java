package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.pool.UpToDatePools.SharedInputs;
import dev.fakegpu.operator.publish.server.ServerFeatures;
import dev.fakegpu.util.Moment;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Creates, updates and deletes the objects of a FakeGpu: simulated nodes, DeviceClasses and the slices of its pools. */
public final class FakeGpuPublisher {

    /** Earlier versions added this finalizer to every FakeGpu. */
    private static final String FORMER_FINALIZER = "fakegpus.fakegpu.dev/finalizer";

    private final ObjectClient client;
    private final ObjectStores cluster;
    private final InventoryPlanner planner;
    private final ServerFeatures features;
    private final PublishOptions options;
    private final PublishPace pace;
    private final PoolPublisher pools;
    private final SimulatedNodes simulatedNodes;
    private final DeviceClassPublisher deviceClasses;
    private final ForeignSlices foreignSlices;
    private final RetainedDevices retained = new RetainedDevices();

    /** By UID of the FakeGpu. */
    private final Map<String, UpToDatePools> upToDate = new ConcurrentHashMap<>();

    public FakeGpuPublisher(
            ObjectClient client,
            ObjectStores cluster,
            InventoryPlanner planner,
            ServerFeatures features,
            PublishOptions options,
            PublishPace pace) {
        this.client = client;
        this.cluster = cluster;
        this.planner = planner;
        this.features = features;
        this.options = options;
        this.pace = pace;
        this.pools = new PoolPublisher(client, cluster, features);
        this.simulatedNodes = new SimulatedNodes(client, cluster.nodes(), cluster.pods());
        this.deviceClasses = new DeviceClassPublisher(client, cluster, planner);
        this.foreignSlices = new ForeignSlices(client, cluster, options.removeForeignSlicesAfter());
    }

    /** Why the spec cannot be published; empty if it can. */
    public List<SpecProblem> check(FakeGpu fakeGpu) {
        return planner.check(fakeGpu.getSpec(), fakeGpu.getMetadata().getName());
    }

    /** The FakeGpu's timed faults at the given time. Its spec must have no {@linkplain #check problems}. */
    public FaultTimeline faults(FakeGpu fakeGpu, Instant now) {
        return new FaultTimeline(
                fakeGpu,
                planner,
                () -> PreparedDevices.of(pools.stored(fakeGpu), cluster.claims().list()),
                now);
    }

    /**
     * Publishes a FakeGpu, whose spec must have no {@linkplain #check problems}.
     *
     * @param fakeGpu with the faults that are {@linkplain FaultTimeline#withActiveFaults() active} now
     * @param now the wall-clock time
     */
    public PublishResult publish(FakeGpu fakeGpu, Instant now) {
        var turn = pace.begin();
        var nodes = simulatedNodes.reconcile(fakeGpu, now, turn);
        deviceClasses.reconcile(fakeGpu.getSpec().driver());
        var shared = inputs(fakeGpu);
        var known = upToDate.compute(
                fakeGpu.getMetadata().getUid(),
                (uid, before) -> before != null && before.shared().equals(shared) ? before : new UpToDatePools(shared));
        var plugins = KubeletPlugins.of(fakeGpu, cluster);
        var run = new PublishRun(fakeGpu, cluster, pools, new PublishRun.Known(known, retained), plugins, turn);
        return new PublishResult(nodes, shared.groups(), run.publish(), plugins);
    }

    /**
     * Finds slices of other drivers with the same name on the FakeGpu's nodes, and removes those that are due.
     *
     * @param clock the wall-clock time
     */
    public ForeignSlicesResult foreignSlices(FakeGpu fakeGpu, Moment now, Instant clock) {
        return foreignSlices.check(fakeGpu, now, clock);
    }

    private SharedInputs inputs(FakeGpu fakeGpu) {
        var spec = fakeGpu.getSpec();
        var served = features.fields();
        return new SharedInputs(
                planner.plan(spec, fakeGpu.getMetadata().getName()),
                served,
                GroupPublishing.of(spec, options, served, features.scheduler()),
                spec.showsMixins());
    }

    /**
     * Deletes the slices of a FakeGpu.
     *
     * @return the claims that hold devices of these slices, if this is the first call since they were published
     */
    public List<ClaimRef> removePools(FakeGpu fakeGpu) {
        var used = new DevicesInUse(cluster.claims().list());
        var removed = pools.stored(fakeGpu);
        pace.writers().forEach(List.copyOf(removed.entrySet()), () -> true, pool -> pools.remove(pool.getValue()));
        removed.keySet().forEach(retained::forget);
        var gone = new TreeSet<>(removed.keySet());
        if (upToDate.remove(fakeGpu.getMetadata().getUid()) != null) {
            gone.addAll(collected(fakeGpu, used));
        }
        return gone.stream()
                .flatMap(pool -> used.claims(pool).stream())
                .distinct()
                .sorted(DevicesInUse.BY_NAME)
                .toList();
    }

    /** The pools in use that the FakeGpu published and that the garbage collector has already removed. */
    private List<PoolId> collected(FakeGpu fakeGpu, DevicesInUse used) {
        if (!UnreadableFields.isReadable(fakeGpu)) {
            return List.of();
        }
        var existing = cluster.slices().list().stream().map(SliceReader::pool).collect(Collectors.toSet());
        return used.pools().stream()
                .filter(pool -> PoolNames.couldPublish(fakeGpu, pool))
                .filter(pool -> !existing.contains(pool))
                .toList();
    }

    /** What events about FakeGpus may name. Like all events about cluster-scoped objects, they are in the namespace {@code default}. */
    public NameScope eventReader() {
        return options.naming().forReaderIn(EventRecorder.CLUSTER_SCOPED);
    }

    /** Deletes the simulated nodes of a FakeGpu with their pods, and the DeviceClasses that no other FakeGpu needs. */
    public void removeNodesAndClasses(FakeGpu fakeGpu) {
        if (UnreadableFields.isReadable(fakeGpu)) {
            deviceClasses.reconcile(fakeGpu.getSpec().driver());
        }
        simulatedNodes.removeAll(fakeGpu);
    }

    /** Removes the finalizer of earlier versions; writes nothing if the FakeGpu does not have it. */
    public void release(FakeGpu fakeGpu) {
        if (!fakeGpu.getMetadata().getFinalizers().contains(FORMER_FINALIZER)) {
            return;
        }
        var released = new FakeGpu();
        released.setMetadata(new ObjectMetaBuilder(fakeGpu.getMetadata())
                .removeFromFinalizers(FORMER_FINALIZER)
                .build());
        released.setSpec(fakeGpu.getSpec());
        released.setStatus(fakeGpu.getStatus());
        client.update(fakeGpu, released);
    }

    /** The stored slices of a FakeGpu, by pool. */
    public Map<PoolId, List<ResourceSlice>> stored(FakeGpu fakeGpu) {
        return pools.stored(fakeGpu);
    }
}
