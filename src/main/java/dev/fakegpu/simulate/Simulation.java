package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.kubelet.BindingSimulator;
import dev.fakegpu.operator.kubelet.NodeSnapshots;
import dev.fakegpu.operator.kubelet.SimulatedKubelet;
import dev.fakegpu.operator.publish.DeferredChanges;
import dev.fakegpu.operator.publish.FakeGpuReconciler;
import dev.fakegpu.operator.publish.LiveCatalog;
import dev.fakegpu.operator.publish.pool.FakeGpuPublisher;
import dev.fakegpu.operator.publish.pool.PublishOptions;
import dev.fakegpu.operator.publish.pool.PublishPace;
import dev.fakegpu.operator.publish.server.ServerFeatures;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.simulate.ClusterView.EvictionRow;
import dev.fakegpu.simulate.controller.ControllerManager;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.memory.KeptFields;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.simulate.memory.ServerGates;
import dev.fakegpu.simulate.memory.SimulationException;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cluster in memory that includes the operator. Nothing happens until virtual time passes. Not thread-safe. */
public final class Simulation implements ScenarioStage {

    /** The start time in a cluster without objects. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** The cluster counts as settled if nothing has changed for this long. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    private static final Duration SHORTEST_STEP = Duration.ofMillis(1);

    private final Instant start;
    private final VirtualTime time;
    private final MemoryCluster cluster;
    private final InventoryPlanner planner;
    private final ControllerManager controllers;
    private final SimulatedSchedulers schedulers;
    private final SimulatedPublisher publisher;
    private final ServerGates server;
    private final KeptFields keptFields;
    private final AdminAccessRule adminAccess;
    private final NotCounted notCounted;
    private final NamespaceLimits limits;
    private final ReplicaLimit replicas = new ReplicaLimit();
    private final List<String> started = new ArrayList<>();
    private Turns turns = Turns.CONTROLLERS_FIRST;

    /** Creates a cluster without objects. */
    public Simulation(SimulationOptions options) {
        this(options, List.of());
    }

    /**
     * Creates a copy of a cluster. It has the pods of Deployments and Jobs, but not these owners.
     *
     * @param stored the objects as an API server returns them; virtual time begins a second after the newest of them was created
     */
    public Simulation(SimulationOptions options, Collection<? extends HasMetadata> stored) {
        start = stored.stream()
                .flatMap(object -> Stream.ofNullable(object.getMetadata().getCreationTimestamp()))
                .map(Instant::parse)
                .max(Comparator.naturalOrder())
                .map(newest -> newest.plusSeconds(1)) // otherwise new objects could be ahead of it in queues
                .orElse(START);
        time = new VirtualTime(start);
        server = options.server();
        keptFields = new KeptFields(server);
        cluster = new MemoryCluster(time);
        adminAccess = new AdminAccessRule(cluster);
        limits = new NamespaceLimits(cluster, time);
        cluster.setAdmission(limits::admit);
        new RunTimes(cluster, time).start();
        Stream<String> uids = stored.stream().map(object -> object.getMetadata().getUid());
        controllers = new ControllerManager(cluster, time, uids.collect(Collectors.toSet()));
        var stores = cluster.stores();
        var settings = new CompanionSettings(stores, options.ofCompanion());
        var events = recorder("fakegpu-operator");
        planner = new InventoryPlanner(new LiveCatalog(
                Catalog.builtIn(),
                stores.catalogFiles(),
                (configMap, problem) -> events.warning(configMap, EventReason.InvalidModel, problem)));
        var features = ServerFeatures.fixed(options.server().published(), options.schedulerGate(), time);
        schedulers = new SimulatedSchedulers(cluster, time, this::recorder, options, settings, pendingChanges());
        var reconciler = new FakeGpuReconciler(
                stores,
                features,
                new FakeGpuPublisher(
                        cluster,
                        stores,
                        planner,
                        features,
                        new PublishOptions(
                                Publish.Auto,
                                () -> settings.now().gate() == GroupsGate.ON,
                                ClaimNaming.Full,
                                Optional.empty()),
                        PublishPace.onCaller(time)),
                schedulers::relinquish,
                events,
                time,
                time);
        publisher = new SimulatedPublisher(cluster, time, reconciler);
        publisher.start();
        var kubelet = new SimulatedKubelet(
                cluster,
                stores,
                new NodeSnapshots(stores, planner, ClaimNaming.Full, NodeSnapshots.Scope.WHOLE_CLUSTER),
                recorder("fakegpu-kubelet"),
                new SimulatedKubelet.Timing(time, time, new YieldPolicy(schedulers::isBusyWith, time), time));
        kubelet.start();
        new BindingSimulator(cluster, stores, planner, time, time, time).start();
        new DriverRegistrations(cluster, time).start();
        restore(stored);
        notCounted = new NotCounted(cluster);
        new NodeStarts(cluster, time).start();
    }

    /** Pods and claims are restored last: unused claims are released once the schedulers know their devices. */
    private void restore(Collection<? extends HasMetadata> stored) {
        stored.stream()
                .filter(object -> !isUser(object) && !(object instanceof Deployment))
                .forEach(cluster::restore);
        schedulers.runUntilIdle();
        stored.stream().filter(Simulation::isUser).forEach(cluster::restore);
    }

    private static boolean isUser(HasMetadata object) {
        return object instanceof Pod || object instanceof ResourceClaim;
    }

    /** What FakeGpus publish once devices are released. */
    public PendingChanges pendingChanges() {
        return new DeferredChanges(cluster.stores().fakeGpus()::list, planner);
    }

    private EventRecorder recorder(String component) {
        return new EventRecorder(cluster, time, time, component, problem -> {}, time);
    }

    public MemoryCluster cluster() {
        return cluster;
    }

    @Override
    public Duration elapsed() {
        return Duration.between(start, time.instant());
    }

    /** @param timestamp the time as the API writes it */
    long secondsUntil(String timestamp) {
        return Duration.between(start, Instant.parse(timestamp)).toSeconds();
    }

    /** The current state, and the reasons for it. */
    public ClusterView view() {
        return observe().view();
    }

    private Observation observe() {
        List<HasMetadata> objects = cluster.list(HasMetadata.class);
        List<Event> events = List.copyOf(cluster.events());
        ClusterView view =
                new ViewReader(objects, new SimulatedReasons(schedulers, events, cluster, pendingChanges())).read();
        List<EvictionRow> evictions = controllers.evictions().stream()
                .map(each -> EvictionRow.of(each, start))
                .toList();
        return new Observation(view.with(evictions), objects, events);
    }

    @Override
    public Observation observe(Predicate<Observation> isExpected) {
        return observe();
    }

    /** The stores of the objects, which only this simulation changes. */
    public ObjectStores stores() {
        return cluster.stores();
    }

    // --- user actions

    /** Whether objects of this kind and version take part in a simulation. */
    public static boolean isKnown(JsonNode object) {
        return ApiObjects.isKnown(object);
    }

    /**
     * {@inheritDoc}
     *
     * @throws SimulationException if the object cannot be read, or has admin access that its namespace does not allow
     */
    @Override
    public void apply(JsonNode json) {
        JsonNode limited = replicas.limit(json);
        HasMetadata object = ApiObjects.read(limited);
        HasMetadata stored = cluster.get(object);
        Optional<HasMetadata> kept = keptFields.kept(object, limited, stored);
        adminAccess.refusal(json).ifPresent(refusal -> {
            throw new SimulationException(refusal);
        });
        kept.ifPresent(each -> store(each, stored));
        controllers.run(); // so that the pods of a workload come before those of the following objects
    }

    /** The pods and claims that quotas and LimitRanges refuse. */
    public Map<ObjectName, NamespaceLimits.Refusal> forbidden() {
        return limits.refused();
    }

    private void store(HasMetadata object, @Nullable HasMetadata stored) {
        if (stored == null) {
            limits.create(object);
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

    /**
     * Applies objects in order: first namespaces, then objects that publish devices, so that no pod is told that there are none yet, and
     * then pods, claims, and workloads. CronJobs create a Job at once.
     *
     * @param longest the maximum time until each of the two groups has settled
     * @throws SimulationException with a message for each object that is refused
     */
    public void apply(List<JsonNode> objects, Duration longest) {
        objects.stream().filter(Simulation::isNamespace).forEach(this::apply);
        List<String> refusals = objects.stream()
                .flatMap(object -> adminAccess.refusal(object).stream())
                .toList();
        if (!refusals.isEmpty()) {
            throw new SimulationException(refusals);
        }
        objects.stream()
                .filter(object -> !isUser(object) && !isNamespace(object))
                .forEach(this::apply);
        settle(longest);
        objects.stream().filter(Simulation::isUser).forEach(this::apply);
        started.addAll(controllers.startCronJobs());
        settle(longest);
    }

    private static boolean isNamespace(JsonNode object) {
        return object.path("kind").asText().equals("Namespace");
    }

    /** Whether the object uses devices: a pod, a claim, or a workload. */
    public static boolean isUser(JsonNode object) {
        String kind = object.path("kind").asText();
        return kind.equals("Pod") || kind.equals("ResourceClaim") || KnownKind.isWorkload(kind);
    }

    /** Declares that the labels of namespaces could not be read. Then admin access causes a note instead of a refusal. */
    public void namespacesAreUnknown() {
        adminAccess.namespacesAreUnknown();
    }

    /**
     * One sentence for each field of applied objects that the API server dropped and each refused object, followed by {@link #assumptions}.
     */
    public List<String> notes() {
        return Stream.of(keptFields.notes(), limits.notes(), assumptions())
                .flatMap(List::stream)
                .toList();
    }

    /** One sentence for everything that is not simulated, not taken into account, or not known. */
    public List<String> assumptions() {
        return Stream.of(adminAccess.notes(), replicas.notes(), started, controllers.notes(), notCounted.sentences())
                .flatMap(List::stream)
                .toList();
    }

    /** One sentence for each update of a workload of the copied cluster. */
    public List<String> updates() {
        return controllers.updates();
    }

    @Override
    public boolean delete(ObjectName name) {
        Optional<HasMetadata> stored = cluster.find(name.kind(), name.namespace(), name.name());
        stored.ifPresent(controllers::delete);
        return stored.isPresent();
    }

    @Override
    public boolean change(ObjectName name, JsonNode patch) {
        Optional<HasMetadata> stored = cluster.find(name.kind(), name.namespace(), name.name());
        stored.ifPresent(object -> {
            ObjectNode changed = ApiObjects.write(object);
            ApiObjects.merge(changed, patch);
            List<String> problems = ApiObjects.problemsOfChange(ApiObjects.write(object), changed, server);
            if (!problems.isEmpty()) {
                throw new SimulationException(problems.stream()
                        .map(problem -> "change " + name + ": " + problem)
                        .toList());
            }
            JsonNode limited = replicas.limit(changed);
            keptFields.kept(ApiObjects.read(limited), limited, object).ifPresent(kept -> cluster.update(object, kept));
        });
        return stored.isPresent();
    }

    // --- time

    /** @param other from now on; by default {@link Turns#CONTROLLERS_FIRST} */
    public void setTurns(Turns other) {
        turns = other;
    }

    /** How many attempts to place a pod or claim have ended. */
    public long attempts() {
        return schedulers.attempts();
    }

    /**
     * Lets time pass until nothing has changed for two seconds, and no Job waits to replace a failed pod.
     *
     * @param longest the maximum time
     */
    @Override
    public void settle(Duration longest) {
        Instant limit = time.instant().plus(longest);
        long before;
        do {
            before = cluster.changes();
            pass(QUIET);
            if (cluster.changes() == before) {
                controllers
                        .nextReplacement()
                        .filter(limit::isAfter)
                        .ifPresent(due -> pass(Duration.between(time.instant(), due)));
            }
        } while (cluster.changes() != before && time.instant().isBefore(limit));
    }

    @Override
    public void pass(Duration duration) {
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
        Instant next = Stream.of(
                        time.nextDue().stream(), publisher.due().stream(), Stream.of(now.plus(schedulers.maxWait())))
                .flatMap(each -> each)
                .min(Instant::compareTo)
                .orElseThrow();
        return next.isAfter(now) ? next : now.plus(SHORTEST_STEP);
    }

    private void doEverythingDue() {
        boolean hasMore;
        do {
            hasMore = switch (turns) {
                case CONTROLLERS_FIRST -> controllers.run() | schedulers.runUntilIdle() | time.runDue();
                case SCHEDULERS_FIRST -> schedulers.runUntilIdle() | (controllers.runNext() || time.runNext());
                case WRITES_FIRST ->
                    (controllers.run() | schedulers.handleChanges() | time.runDue()) || schedulers.runUntilIdle();
            };
        } while (hasMore || publisher.run());
    }
}
