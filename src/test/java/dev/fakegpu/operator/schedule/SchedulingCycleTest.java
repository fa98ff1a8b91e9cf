package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.ClusterState;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
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
import dev.fakegpu.operator.schedule.search.NodeSearch;
import dev.fakegpu.operator.schedule.search.SearchTime;
import dev.fakegpu.testing.MutableClock;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The clock of searches advances by 50 ms at each reading, so that they end at the same point on every machine. */
class SchedulingCycleTest {

    /** A client that receives no requests. */
    private static final KubernetesClient CLIENT = new KubernetesClientBuilder().build();

    private static final String DRIVER = "gpu.example.com";

    /**
     * A selector that exceeds the limit of an attempt for the devices of node a, and selects none of them; for those of other nodes it is
     * fast.
     */
    private static final String HARD =
            "device.attributes['gpu.example.com'].node != 'a' || [%1$s].all(x, [%1$s].all(y, [%1$s].all(z, x + y + z < 1000)))"
                            .formatted(IntStream.range(0, 40)
                                    .mapToObj(Integer::toString)
                                    .collect(Collectors.joining(",")))
                    + " && device.attributes['gpu.example.com'].name == 'none'";

    @AutoClose
    private final UnstartedCompanion companion = new UnstartedCompanion(CLIENT);

    private final MutableClock clock = companion.clock();
    private final AtomicLong ticks = new AtomicLong();

    /** The tick at which a pod of another namespace is created. */
    private long arrivalAt = Long.MAX_VALUE;

    private Duration elapsed = Duration.ZERO;
    private Duration elapsedPerNode = Duration.ZERO;
    private Selectors selectors = new Selectors();
    private final ClusterWatch cluster = companion.cluster();
    private final SchedulerCache cache = companion.cache();
    private final List<String> tried = new ArrayList<>();
    private Map<String, Integer> devices = Map.of();

    private final NodeSearch nodeSearch = new NodeSearch(
            this::context,
            new SearchTime(this::nanos, () -> elapsed.toNanos()),
            PendingChanges.NONE,
            OtherDevices.NONE);
    private final DecisionLog log = companion.log();
    private final ExplanationQueue explanations = companion.explanations(nodeSearch);

    /** The scheduling thread does not run these tasks, because it is in the middle of an attempt. */
    private final Arrivals arrivals = new Arrivals(event -> {});

    private final SchedulingQueue queue = new SchedulingQueue(explanations::forget, new NamespaceShares(), arrivals);
    private final SchedulingCycle cycle = new SchedulingCycle(cache, queue, nodeSearch, explanations, log, clock);

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @Test
    void nodesThatWereNotReachedAreTriedLater() {
        // Given
        nodes(Map.of("a", 8, "b", 1));
        QueueItem item = item("hard");

        // When
        assertThat(place(item, HARD)).isEmpty();

        // Then
        assertThat(tried).as("the attempt ends on the first node").containsExactly("a");
        nodeChanged("b");
        queue.wake(cache.generations());
        assertThat(queue.poll(clock.now(), namespace -> true))
                .as("no change wakes it")
                .isEmpty();
        clock.advance(Duration.ofSeconds(1));
        assertThat(queue.poll(clock.now(), namespace -> true)).contains(item);
        tried.clear();
        assertThat(place(item, HARD)).map(NodeSearch.Placement::node).contains("b");
        assertThat(tried).containsExactly("b");
    }

    @Test
    void attemptsThatTakeTooLongGetMoreTimeAndLongerWaits() {
        // Given
        nodes(Map.of("a", 100));
        QueueItem item = item("hard");
        var taken = new ArrayList<Long>();
        var waited = new ArrayList<Long>();

        // When
        for (int i = 0; i < 4; i++) {
            long before = ticks.get();
            selectorsForgotten();
            assertThat(place(item, HARD)).isEmpty();
            taken.add((ticks.get() - before) / 20);
            waited.add(clock.until(queue.nextDue().orElseThrow()).toSeconds());
            clock.advance(Duration.ofSeconds(waited.get(i)));
            assertThat(queue.poll(clock.now(), namespace -> true)).contains(item);
        }

        // Then
        assertThat(taken).containsExactly(1L, 2L, 4L, 8L);
        assertThat(waited).containsExactly(1L, 2L, 4L, 8L);
    }

    /** Otherwise a new pod would wait for up to ten seconds. */
    @Test
    void anAttemptThatMayTakeLongEndsWhenAnotherNamespaceWaits() {
        // Given
        nodes(Map.of("a", 100));
        QueueItem item = item("hard");
        interruptOnce(item);
        long before = ticks.get();
        queue.activate(otherPod());

        // When
        place(item, HARD);

        // Then
        assertThat((ticks.get() - before) / 20).isEqualTo(1);
    }

    @Test
    void anAttemptThatMayTakeLongEndsWhenAnotherNamespaceArrives() {
        // Given
        nodes(Map.of("a", 100));
        QueueItem item = item("hard");
        interruptOnce(item);
        long before = ticks.get();
        arrivalAt = before + 25;

        // When
        place(item, HARD);

        // Then
        assertThat((ticks.get() - before) / 20).isEqualTo(1);
        assertThat(ticks.get() - before).isGreaterThanOrEqualTo(25);
    }

    @Test
    void aNamespaceOverItsShareGetsShortAttempts() {
        // Given
        nodes(Map.of("a", 100));
        QueueItem item = item("hard");
        interruptOnce(item);
        queue.shares().charge(item.namespace(), Duration.ofSeconds(8), clock.now());
        long before = ticks.get();

        // When
        place(item, HARD);

        // Then
        assertThat(ticks.get() - before).isBetween(20L, 24L);
    }

    @Test
    void aNamespaceOverItsShareGetsVeryShortAttemptsWhileAnotherOneWaits() {
        // Given
        nodes(Map.of("a", 100));
        QueueItem item = item("hard");
        queue.activate(item);
        assertThat(queue.poll(clock.now(), namespace -> true)).contains(item);
        queue.shares().charge(item.namespace(), Duration.ofSeconds(8), clock.now());
        queue.activate(otherPod());

        // When
        place(item, HARD);

        // Then
        assertThat(ticks.get()).isLessThan(12);
    }

    @Test
    void anotherMemberOfTheClassIsNotTriedWhileItBacksOff() {
        // Given
        nodes(Map.of("a", 8, "b", 1));
        place(item("first"), HARD);
        tried.clear();

        // When
        assertThat(place(item("second"), HARD)).isEmpty();

        // Then
        assertThat(tried).isEmpty();
        assertThat(queue.backoffCount()).isEqualTo(1);
        assertThat(queue.unschedulableCount()).isEqualTo(2);
    }

    @Test
    void afterAnErrorAllNodesAreTriedOnceOneHasChanged() {
        // Given: the selector fails on the devices of node a
        nodes(Map.of("a", 1, "b", 1));
        String failing =
                "device.attributes['gpu.example.com'].node != 'a' || device.attributes['gpu.example.com'].nothing";
        QueueItem item = item("failing");
        assertThat(place(item, failing)).isEmpty();
        assertThat(tried).containsExactly("a");

        // When
        tried.clear();
        devices = Map.of("a", 0, "b", 1);
        nodeChanged("a");
        queue.wake(cache.generations());

        // Then
        assertThat(queue.poll(clock.now(), namespace -> true)).contains(item);
        assertThat(place(item, failing)).map(NodeSearch.Placement::node).contains("b");
    }

    @Test
    void anAttemptEndsAlsoWhenTheThreadGetsNoProcessorTime() {
        nodes(Map.of("a", 1));
        elapsedPerNode = Duration.ofSeconds(31);

        assertThat(place(item("waits"), "true")).isEmpty();

        assertThat(queue.backoffCount()).as("to be tried again").isEqualTo(1);
    }

    /** Interrupts an attempt, so that the next one may take twice as long. */
    private void interruptOnce(QueueItem item) {
        place(item, HARD);
        clock.advance(Duration.ofSeconds(1));
        queue.poll(clock.now(), namespace -> true);
        selectorsForgotten();
    }

    private long nanos() {
        if (ticks.get() == arrivalAt) {
            arrivals.execute("other", () -> {});
        }
        return Duration.ofMillis(50 * ticks.getAndIncrement()).toNanos();
    }

    private Optional<NodeSearch.Placement> place(QueueItem item, String selector) {
        var claim = new Claim(
                new ClaimRef("ns", "claim", "uid"),
                List.of(DeviceRequest.exactly("r", "gpu", List.of(selector), 1, List.of())),
                List.of(),
                List.of());
        if (!queue.contains(item.uid())) {
            queue.activate(item);
            queue.poll(clock.now(), namespace -> true);
        }
        return cycle.place(
                item,
                selector,
                node -> {
                    tried.add(node.name());
                    elapsed = elapsed.plus(elapsedPerNode);
                    return true;
                },
                node -> List.of(claim),
                NodeSearch.Preference.BEST_ALTERNATIVES);
    }

    private static QueueItem otherPod() {
        return new QueueItem(QueueItem.Kind.POD, "other", "pod", "other-uid", 0, "2026-01-01T00:00:00Z");
    }

    private static QueueItem item(String name) {
        return new QueueItem(QueueItem.Kind.CLAIM, "ns", name, name, 0, "2026-01-01T00:00:00Z");
    }

    private void nodes(Map<String, Integer> numberOfDevices) {
        devices = numberOfDevices;
        numberOfDevices.keySet().stream().sorted().forEach(this::nodeChanged);
    }

    private void nodeChanged(String name) {
        Node node =
                new NodeBuilder().withNewMetadata().withName(name).endMetadata().build();
        cache.nodeChanged(name, node);
    }

    /** Resets the selectors, as if none had been evaluated before. */
    private void selectorsForgotten() {
        selectors = new Selectors();
    }

    private AllocationContext context() {
        List<Slice> slices = devices.keySet().stream().map(this::slice).toList();
        return AllocationContext.of(
                new ClusterState(slices, Map.of("gpu", new DeviceClass("gpu", List.of(), List.of())), List.of()),
                selectors,
                new AllocatorOptions(GroupsGate.ON, GroupPolicy.SNAPSHOT, List.of()));
    }

    private Slice slice(String node) {
        return new Slice(
                node,
                new PoolId(DRIVER, node),
                1,
                1,
                new NodeSelection.NodeName(node),
                List.of(),
                IntStream.range(0, devices.get(node))
                        .mapToObj(i -> device(node, i))
                        .toList());
    }

    private static Device device(String node, int number) {
        return new Device(
                "gpu-" + number,
                Map.of("node", AttributeValue.of(node), "name", AttributeValue.of("gpu-" + number)),
                Map.of(),
                List.of(),
                List.of());
    }
}
