package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.catalog.Catalog;
import dev.fakegpu.dra.ClaimNaming;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.kubelet.NodeSnapshots;
import dev.fakegpu.kubelet.ReadyNode;
import dev.fakegpu.kubelet.SimulatedKubelet;
import dev.fakegpu.publish.FakeGpuPublisher;
import dev.fakegpu.publish.FakeGpuReconciler;
import dev.fakegpu.publish.LiveCatalog;
import dev.fakegpu.publish.PublishOptions;
import dev.fakegpu.publish.ServerFeatures;
import dev.fakegpu.schedule.CompanionBuilder;
import dev.fakegpu.schedule.CompanionOptions;
import dev.fakegpu.schedule.CompanionSettings;
import dev.fakegpu.schedule.SearchTime;
import dev.fakegpu.schedule.SteppedCompanion;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cluster in memory with the operator in it. Nothing happens until time goes on. Not thread-safe. */
public final class Simulation {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** For how long nothing must have changed for the cluster to count as settled. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    private static final Duration SHORTEST_STEP = Duration.ofMillis(1);

    private final VirtualTime time = new VirtualTime(START);
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final Workloads workloads = new Workloads(cluster);
    private final SteppedCompanion companion;
    private final FakeGpuReconciler publisher;
    private final Set<String> toReconcile = new LinkedHashSet<>();
    private final Map<String, Instant> reconcileAt = new HashMap<>();

    /** @param options of the companion */
    public Simulation(CompanionOptions options) {
        var stores = cluster.stores();
        var settings = new CompanionSettings(stores, options);
        var events = recorder("fakegpu-operator");
        var planner = new InventoryPlanner(new LiveCatalog(
                Catalog.builtIn(),
                stores.catalogFiles(),
                (configMap, problem) -> events.warning(configMap, EventReason.InvalidModel, problem)));
        var features = ServerFeatures.ofCurrentVersion(time);
        companion = new CompanionBuilder(cluster, stores, recorder("fakegpu-companion"), settings)
                .clock(time)
                .executors(time)
                .searchTime(SearchTime.ofReadings())
                .naming(ClaimNaming.Full)
                .slicesOfOthers(slice -> FakeGpuOwner.name(slice).isEmpty())
                .buildStepped();
        publisher = new FakeGpuReconciler(
                stores,
                features,
                new FakeGpuPublisher(
                        cluster,
                        stores,
                        planner,
                        features,
                        new PublishOptions(
                                Publish.Auto, () -> settings.now().gate() == GroupsGate.ON, ClaimNaming.Full)),
                companion::relinquish,
                events,
                time);
        publisher.onChanges(toReconcile::add);
        stores.fakeGpus().addListener((before, after) -> fakeGpuChanged(before, after));
        var kubelet = new SimulatedKubelet(
                cluster,
                stores,
                new NodeSnapshots(stores, planner, ClaimNaming.Full, NodeSnapshots.Scope.WHOLE_CLUSTER),
                recorder("fakegpu-kubelet"),
                new SimulatedKubelet.Timing(time, new YieldPolicy(companion::isBusyWith, time), time));
        kubelet.start();
        cluster.addListener(this::makeReady);
    }

    private EventRecorder recorder(String component) {
        return new EventRecorder(cluster, time, component, problem -> {}, time);
    }

    private void fakeGpuChanged(@Nullable FakeGpu before, @Nullable FakeGpu after) {
        if (after != null
                && (before == null
                        || !before.getMetadata()
                                .getGeneration()
                                .equals(after.getMetadata().getGeneration())
                        || after.getMetadata().getDeletionTimestamp() != null)) {
            toReconcile.add(after.getMetadata().getName());
        }
    }

    /** A node without a Ready condition gets one, as if its kubelet had started; without resources, as much as a simulated node. */
    private void makeReady(HasMetadata object) {
        if (object instanceof Node node
                && node.getMetadata().getDeletionTimestamp() == null
                && ReadyNode.condition(node, "Ready").isEmpty()) {
            var unused = time.add(
                    Duration.ZERO,
                    () -> Optional.ofNullable(cluster.get(node))
                            .filter(stored ->
                                    ReadyNode.condition(stored, "Ready").isEmpty())
                            .ifPresent(stored -> cluster.updateStatus(stored, ready(stored))));
        }
    }

    private Node ready(Node node) {
        Node ready = ReadyNode.of(node, time.instant());
        return ready.getStatus().getAllocatable() == null
                        || ready.getStatus().getAllocatable().isEmpty()
                ? new NodeBuilder(ready)
                        .editStatus()
                        .withCapacity(SimulatedNode.CAPACITY)
                        .withAllocatable(SimulatedNode.CAPACITY)
                        .endStatus()
                        .build()
                : ready;
    }

    MemoryCluster cluster() {
        return cluster;
    }

    SteppedCompanion companion() {
        return companion;
    }

    /** Time since the beginning. */
    public Duration elapsed() {
        return Duration.between(START, time.instant());
    }

    /** @param timestamp as the API writes it */
    long secondsUntil(String timestamp) {
        return Duration.between(START, Instant.parse(timestamp)).toSeconds();
    }

    /** What is so now, and why. */
    public ClusterView view() {
        return ClusterView.of(this);
    }

    // --- what a user does

    /** Whether objects of this kind and version take part in a simulation. */
    public static boolean isKnown(JsonNode object) {
        return ApiObjects.isKnown(object);
    }

    /**
     * Creates the object, or replaces everything but its status.
     *
     * @throws SimulationException if the object cannot be read
     */
    public void apply(JsonNode json) {
        HasMetadata object = ApiObjects.read(json);
        HasMetadata stored = cluster.get(object);
        if (stored == null) {
            cluster.create(object);
            return;
        }
        ObjectNode merged = ApiObjects.write(stored);
        ObjectNode given = ApiObjects.write(object);
        Stream.of("spec", "data", "status").filter(given::has).forEach(field -> merged.set(field, given.get(field)));
        Stream.of("labels", "annotations")
                .filter(given.path("metadata")::has)
                .forEach(field -> merged.withObject("/metadata")
                        .set(field, given.get("metadata").get(field)));
        cluster.update(stored, ApiObjects.read(merged));
    }

    /** @return whether there was such an object */
    boolean delete(ObjectName name) {
        Optional<HasMetadata> stored = cluster.find(name.kind(), name.namespace(), name.name());
        stored.ifPresent(cluster::delete);
        return stored.isPresent();
    }

    /**
     * Applies a JSON merge patch, also to the status.
     *
     * @return whether there was such an object
     */
    boolean change(ObjectName name, JsonNode patch) {
        Optional<HasMetadata> stored = cluster.find(name.kind(), name.namespace(), name.name());
        stored.ifPresent(object -> {
            ObjectNode changed = ApiObjects.write(object);
            merge(changed, patch);
            cluster.update(object, ApiObjects.read(changed));
        });
        return stored.isPresent();
    }

    /** RFC 7386. */
    private static void merge(ObjectNode target, JsonNode patch) {
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue().isObject()) {
                JsonNode known = target.get(field.getKey());
                ObjectNode inside = known != null && known.isObject() ? (ObjectNode) known : target.objectNode();
                merge(inside, field.getValue());
                target.set(field.getKey(), inside);
            } else {
                target.set(field.getKey(), field.getValue());
            }
        });
    }

    // --- time

    /**
     * Lets time go on until nothing has changed for two seconds.
     *
     * @param longest ends anyway after this time
     * @return whether nothing changes any more
     */
    public boolean settle(Duration longest) {
        Instant limit = time.instant().plus(longest);
        long before;
        do {
            before = cluster.changes();
            goOn(QUIET);
        } while (cluster.changes() != before && time.instant().isBefore(limit));
        return cluster.changes() == before;
    }

    /** Lets time go on. */
    public void goOn(Duration duration) {
        Instant end = time.instant().plus(duration);
        doEverythingDue();
        for (Instant next = nextDue(); !next.isAfter(end); next = nextDue()) {
            time.moveTo(next);
            doEverythingDue();
        }
        time.moveTo(end);
        doEverythingDue();
    }

    private Instant nextDue() {
        Instant now = time.instant();
        Instant next = Stream.of(time.nextDue().stream(), reconcileAt.values().stream())
                .flatMap(each -> each)
                .min(Instant::compareTo)
                .filter(due -> due.isBefore(now.plus(companion.maxWait())))
                .orElse(now.plus(companion.maxWait()));
        return next.isAfter(now) ? next : now.plus(SHORTEST_STEP);
    }

    private void doEverythingDue() {
        boolean hasMore = true;
        while (hasMore) {
            hasMore = workloads.run() | companion.runUntilIdle() | time.runDue();
            hasMore = hasMore || reconcile();
        }
    }

    private boolean reconcile() {
        Instant now = time.instant();
        reconcileAt.entrySet().removeIf(entry -> !entry.getValue().isAfter(now) && toReconcile.add(entry.getKey()));
        if (toReconcile.isEmpty()) {
            return false;
        }
        var names = Set.copyOf(toReconcile);
        toReconcile.clear();
        names.stream()
                .sorted()
                .flatMap(name -> cluster.stores().fakeGpus().get(null, name).stream())
                .forEach(this::reconcile);
        return true;
    }

    private void reconcile(FakeGpu fakeGpu) {
        String name = fakeGpu.getMetadata().getName();
        if (fakeGpu.getMetadata().getDeletionTimestamp() != null) {
            var result = publisher.cleanup(fakeGpu);
            result.getScheduleDelay().ifPresent(delay -> again(name, delay));
            if (result.isRemoveFinalizer()) {
                cluster.deleteImmediately(fakeGpu);
            }
            return;
        }
        var result = publisher.reconcile(fakeGpu);
        result.getScheduleDelay().ifPresent(delay -> again(name, delay));
        if (result.isPatchStatus()) {
            FakeGpu stored = cluster.stores().fakeGpus().get(null, name).orElseThrow();
            FakeGpu changed = ApiObjects.copy(stored);
            changed.setStatus(result.getResource().orElseThrow().getStatus());
            cluster.updateStatus(stored, changed);
        }
    }

    private void again(String fakeGpu, long delayMillis) {
        reconcileAt.put(fakeGpu, time.instant().plusMillis(Math.max(1, delayMillis)));
    }
}
