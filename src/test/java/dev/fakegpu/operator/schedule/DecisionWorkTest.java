package dev.fakegpu.operator.schedule;

import static dev.fakegpu.testing.ClusterYaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.Arrivals;
import dev.fakegpu.operator.schedule.queue.NamespaceShares;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.SchedulingQueue;
import dev.fakegpu.operator.schedule.report.DecisionLog;
import dev.fakegpu.operator.schedule.report.ExplanationQueue;
import dev.fakegpu.operator.schedule.search.ExplanationTurn;
import dev.fakegpu.operator.schedule.search.NodeSearch;
import dev.fakegpu.operator.schedule.search.SearchTime;
import dev.fakegpu.testing.MutableClock;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how much data is read for a decision, and after a change: the same amount in small and large clusters. */
class DecisionWorkTest {

    /** A client that receives no requests. */
    private static final KubernetesClient CLIENT = new KubernetesClientBuilder().build();

    private static final String DRIVER = "gpu.example.com";

    /** A selector that selects no device. */
    private static final String NOTHING = "device.driver == 'none'";

    private int nodes;

    @AutoClose
    private final UnstartedCompanion companion = new UnstartedCompanion(CLIENT);

    private final MutableClock clock = companion.clock();
    private final ClusterWatch cluster = companion.cluster();
    private final SchedulerCache cache = companion.cache();
    private final Selectors selectors = new Selectors();

    /** The names of the nodes that an explanation inspected. */
    private final List<String> inspected = new ArrayList<>();

    /** Called once for each node that an explanation inspects. */
    private final OtherDevices others = new OtherDevices("KubeScheduler", node -> {
        inspected.add(node.name());
        return Collections.emptySortedMap();
    });

    private final NodeSearch nodeSearch = new NodeSearch(
            () -> cache.allocationContext(selectors),
            new SearchTime(this::nanos, System::nanoTime),
            PendingChanges.NONE,
            others);
    private final DecisionLog log = companion.log();
    private final ExplanationQueue explanations = companion.explanations(nodeSearch);

    private final SchedulingQueue queue =
            new SchedulingQueue(explanations::forget, new NamespaceShares(), new Arrivals(event -> {}));
    private final SchedulingCycle cycle = new SchedulingCycle(cache, queue, nodeSearch, explanations, log, clock);

    /** The names of the stored slices that were read. */
    private final Set<String> slicesLookedAt = new HashSet<>();

    /** The names of the nodes that an attempt looked at. */
    private final List<String> tried = new ArrayList<>();

    /** Advances at each reading. */
    private Duration computed = Duration.ZERO;

    private Duration perReading = Duration.ZERO;

    private long nanos() {
        computed = computed.plus(perReading);
        return computed.toNanos();
    }

    private void cluster(int numberOfNodes) {
        nodes = numberOfNodes;
        cluster.fakeGpus().onAdd(object("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: fake, uid: fake, generation: 1, resourceVersion: "1"}
                spec: {model: A100-SXM4-40GB, nodes: {selector: {}}}
                status: {observedGeneration: 1, conditions: [{type: Accepted, status: "True"}]}
                """));
        cluster.deviceClasses().onAdd(object("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu, uid: gpu, resourceVersion: "1"}
                spec: {}
                """));
        IntStream.range(0, nodes).forEach(i -> {
            cluster.slices().onAdd(slice(i, 1));
            cache.nodeChanged(name(i), object("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: %s}
                    """.formatted(name(i))));
        });
        cache.refresh();
    }

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 300})
    void aChangedSliceIsReadAloneAndOnlyItsPoolIsBuiltAgain(int numberOfNodes) {
        // Given
        cluster(numberOfNodes);
        Map<Pool, String> before = pools();
        slicesLookedAt.clear();

        // When
        change(7);

        // Then
        assertThat(slicesLookedAt).containsExactly(name(7));
        Map<Pool, String> after = pools();
        assertThat(after.keySet().stream()
                        .filter(pool -> !before.containsKey(pool))
                        .map(after::get))
                .containsExactly(name(7));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 300})
    void aDeletedSliceIsForgottenWithoutALookAtOthers(int numberOfNodes) {
        // Given
        cluster(numberOfNodes);
        slicesLookedAt.clear();

        // When
        cluster.slices().onDelete(cluster.slices().get(null, name(3)).orElseThrow(), false);
        slicesLookedAt.clear();
        cache.sliceChanged(name(3));
        cache.refresh();

        // Then
        assertThat(slicesLookedAt).isEmpty();
        assertThat(cache.allocationContext(selectors).slices().pools(node(3))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 300})
    void aDecisionLooksAtOneNodeAndAtNoStoredSlice(int numberOfNodes) {
        cluster(numberOfNodes);
        slicesLookedAt.clear();

        assertThat(place("first", 1)).isPresent();

        assertThat(tried).containsExactly(name(0));
        assertThat(slicesLookedAt).isEmpty();
    }

    /** Nodes with few allocated devices come first, even if none of their devices matches. */
    @ParameterizedTest
    @ValueSource(ints = {10, 300})
    void refusingNodesAreNotTriedForAnEqualClaim(int numberOfNodes) {
        // Given: one of two devices is allocated on each node, but two of eight on the last one
        cluster(numberOfNodes);
        IntStream.range(0, nodes).forEach(i -> hold(i, "gpu-0"));
        hold(nodes - 1, "gpu-1");
        assertThat(place("first", 2)).map(NodeSearch.Placement::node).contains(name(nodes - 1));
        assertThat(tried).hasSize(nodes);

        // When
        tried.clear();
        Optional<NodeSearch.Placement> second = place("second", 2);

        // Then
        assertThat(second).map(NodeSearch.Placement::node).contains(name(nodes - 1));
        assertThat(tried).containsExactly(name(nodes - 1));

        // When a node that did not fit has changed
        tried.clear();
        change(5);
        place("third", 2);

        // Then
        assertThat(tried).containsExactly(name(5), name(nodes - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 300})
    void afterARefusalOnlyTheNodeThatChangedIsTried(int numberOfNodes) {
        // Given
        cluster(numberOfNodes);
        assertThat(place("large", 9)).isEmpty();
        assertThat(tried).hasSize(nodes);

        // When
        tried.clear();
        change(4);
        place("large", 9);

        // Then
        assertThat(tried).containsExactly(name(4));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 300})
    void afterAnExplanationOnlyTheNodeThatChangedIsInspected(int numberOfNodes) {
        // Given
        cluster(numberOfNodes);
        explain("first", NOTHING, () -> false);
        assertThat(inspected).hasSizeGreaterThanOrEqualTo(nodes);

        // When
        inspected.clear();
        change(4);
        explain("first", NOTHING, () -> false);

        // Then
        assertThat(inspected).isNotEmpty().containsOnly(name(4));

        // When a device is allocated, which cannot help any pod
        inspected.clear();
        hold(7, "gpu-0");
        explain("first", NOTHING, () -> false);

        // Then
        assertThat(inspected).isNotEmpty().containsOnly(name(7));

        // When
        inspected.clear();
        explain("another with the same requests", NOTHING, () -> false);

        // Then: a remedy is searched for on one node
        assertThat(new HashSet<>(inspected)).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void interruptedExplanationContinuesWithTheNextNode() {
        // Given
        cluster(100);
        perReading = Duration.ofNanos(100_000);
        int turns = 0;

        // When
        for (boolean isOver = true; isOver; turns++) {
            isOver = explain("waits", NOTHING, () -> true);
        }

        // Then: each node was inspected in its current state and as if nothing were allocated, and again after an
        // interruption
        assertThat(turns).isBetween(3, 99);
        assertThat(new HashSet<>(inspected)).hasSize(nodes);
        assertThat(inspected).hasSizeLessThanOrEqualTo(2 * (nodes + turns));
    }

    /** @return whether the explanation was interrupted */
    private boolean explain(String name, String selector, BooleanSupplier othersWait) {
        var claim = new Claim(
                new ClaimRef("ns", name, name),
                List.of(DeviceRequest.exactly("r", "gpu", List.of(selector), 1, List.of())),
                List.of(),
                List.of());
        ExplanationTurn turn = nodeSearch.turn(0, othersWait);
        nodeSearch.explain(List.copyOf(cache.nodes()), node -> List.of(claim), turn);
        return turn.isOver();
    }

    private Optional<NodeSearch.Placement> place(String name, int count) {
        var item = new QueueItem(QueueItem.Kind.CLAIM, "ns", name, name, 0, "2026-01-01T00:00:00Z");
        var claim = new Claim(
                new ClaimRef("ns", name, name),
                List.of(DeviceRequest.exactly("r", "gpu", List.of(), count, List.of())),
                List.of(),
                List.of());
        if (!queue.contains(name)) {
            queue.activate(item);
            queue.poll(clock.now(), namespace -> true);
        }
        return cycle.place(
                item,
                claim.requests(),
                node -> {
                    tried.add(node.name());
                    return true;
                },
                node -> List.of(claim),
                NodeSearch.Preference.BEST_ALTERNATIVES);
    }

    private void hold(int node, String device) {
        var holder = new ClaimRef("ns", name(node) + device, name(node) + device);
        cache.assumeCache()
                .assume(holder, List.of(new AllocatedDevice(new DeviceId(DRIVER, name(node), device), holder, null)));
    }

    private void change(int node) {
        ResourceSlice before = cluster.slices().get(null, name(node)).orElseThrow();
        cluster.slices().onUpdate(before, slice(node, 2));
        slicesLookedAt.clear();
        cache.sliceChanged(name(node));
        cache.refresh();
    }

    /** The node of each pool, in a map that compares by identity. */
    private Map<Pool, String> pools() {
        var pools = new IdentityHashMap<Pool, String>();
        var slices = cache.allocationContext(selectors).slices();
        IntStream.range(0, nodes).forEach(i -> slices.pools(node(i)).forEach(pool -> pools.put(pool, name(i))));
        return pools;
    }

    private static NodeInfo node(int node) {
        return new NodeInfo(name(node), Map.of());
    }

    private static String name(int node) {
        return "node-%03d".formatted(node);
    }

    private ResourceSlice slice(int node, int version) {
        ResourceSlice slice = object("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata:
                  name: %1$s
                  uid: %1$s
                  resourceVersion: "%2$d"
                  ownerReferences: [{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, name: fake, uid: fake}]
                spec:
                  driver: %3$s
                  nodeName: %1$s
                  pool: {name: %1$s, generation: 1, resourceSliceCount: 1}
                  devices: [%4$s]
                """.formatted(
                        name(node),
                        version,
                        DRIVER,
                        IntStream.range(0, node == nodes - 1 ? 8 : 2)
                                .mapToObj("{name: gpu-%d}"::formatted)
                                .collect(Collectors.joining(", "))));
        return new LookedAt(slice);
    }

    /** A slice that records whether it is read. */
    private final class LookedAt extends ResourceSlice {
        private static final long serialVersionUID = 1L;

        LookedAt(ResourceSlice slice) {
            super(slice.getApiVersion(), slice.getKind(), slice.getMetadata(), slice.getSpec());
        }

        @Override
        public ObjectMeta getMetadata() {
            slicesLookedAt.add(super.getMetadata().getName());
            return super.getMetadata();
        }
    }
}
