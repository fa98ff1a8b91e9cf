package dev.fakegpu.operator.schedule;

import static dev.fakegpu.operator.schedule.MemoryCompanion.claim;
import static dev.fakegpu.operator.schedule.MemoryCompanion.create;
import static dev.fakegpu.operator.schedule.MemoryCompanion.deviceClass;
import static dev.fakegpu.operator.schedule.MemoryCompanion.gang;
import static dev.fakegpu.operator.schedule.MemoryCompanion.intercepted;
import static dev.fakegpu.operator.schedule.MemoryCompanion.pod;
import static dev.fakegpu.operator.schedule.MemoryCompanion.readyNode;
import static dev.fakegpu.operator.schedule.MemoryCompanion.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests two gangs that request the same devices, while writes or their responses are lost, leaders are killed between two writes, and pods
 * and nodes are deleted. {@code -Dgangs.runs} and {@code -Dgangs.seed} set the number of runs and the first seed. The checks do not use the
 * scheduler.
 */
class GangFaultsTest {

    private static final int RUNS = Integer.getInteger("gangs.runs", 30);
    private static final long SEED = Long.getLong("gangs.seed", 1);
    private static final int NODES = 3;
    private static final String DRIVER = "gpu.example.com";
    private static final Set<String> WRITES = Set.of("create", "update", "updateStatus", "bind");

    /** A pod is bound again after at most 10 s, and that may fail, too. */
    private static final Duration WINDOW = Duration.ofSeconds(30);

    private static final Duration STEP = Duration.ofMillis(200);
    private static final Duration QUIET_STEP = Duration.ofSeconds(2);

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private Random random = new Random(SEED);
    private MemoryCluster cluster = new MemoryCluster(time);
    private int leader;
    private int leaderOfCompanion;
    private SteppedCompanion companion = companion();
    private boolean areFaultsOn;
    private int faults;
    private final Map<String, Integer> groups = new HashMap<>();
    private final Map<String, Instant> partlySince = new HashMap<>();
    private final Set<String> complete = new HashSet<>();

    /** Gangs that lost a pod whose claim had devices, so that another gang may have taken these. */
    private final Set<String> shrunk = new HashSet<>();

    private Duration longest = Duration.ZERO;

    private SteppedCompanion companion() {
        int mine = ++leader;
        leaderOfCompanion = mine;
        return MemoryCompanion.of(faulty(), cluster, time, MemoryCompanion.OPTIONS)
                .mayWrite(() -> mine == leader)
                .buildStepped();
    }

    private ObjectClient faulty() {
        return intercepted(cluster, (method, argument, real) -> {
            int fault = areFaultsOn && WRITES.contains(method) ? random.nextInt(30) : -1;
            boolean isLost = fault == 0 || fault == 1 || fault > 22;
            boolean isUnanswered = fault == 2 || fault == 3;
            if (fault == 1 || fault == 3) {
                leader++;
            }
            if (isLost || isUnanswered) {
                faults++;
            }
            Object answer = isLost ? null : real.call();
            if (isLost || isUnanswered) {
                throw new KubernetesClientException("fault", fault % 2 == 0 ? 409 : 500, null);
            }
            return answer;
        });
    }

    @Test
    void aGangIsNeverBoundInPartForLong() {
        int allFaults = 0;
        int placed = 0;
        Duration longestOfAll = Duration.ZERO;
        for (long seed = SEED; seed < SEED + RUNS; seed++) {
            start(seed);
            play();
            placed += check(seed);
            allFaults += faults;
            longestOfAll = longest.compareTo(longestOfAll) > 0 ? longest : longestOfAll;
        }
        System.out.printf(
                "GangFaultsTest: %d runs from seed %d, %d gangs placed, %d faults, longest partly bound %s%n",
                RUNS, SEED, placed, allFaults, longestOfAll);
        assertThat(allFaults).isGreaterThan(RUNS);
        assertThat(placed).isGreaterThan(RUNS / 2);
    }

    private void start(long seed) {
        random = new Random(seed);
        cluster = new MemoryCluster(time);
        groups.clear();
        partlySince.clear();
        complete.clear();
        shrunk.clear();
        longest = Duration.ZERO;
        faults = 0;
        create(cluster, deviceClass("gpu", "true"));
        for (int node = 0; node < NODES; node++) {
            create(cluster, readyNode("n" + node, 3));
        }
        create(
                cluster,
                slice("n0", DRIVER, "gpu-0", "gpu-1"),
                slice("n1", DRIVER, "gpu-0"),
                slice("n2", DRIVER, "gpu-0"));
        companion = companion();
        areFaultsOn = true;
        for (String group : List.of("a", "b")) {
            int minCount = 2 + random.nextInt(2);
            groups.put(group, minCount);
            create(cluster, gang(group, minCount));
        }
    }

    private void member(String group, int number) {
        String name = group + "-" + number;
        create(cluster, claim(name, "gpu", 1), pod(name, "schedulingGroup: {podGroupName: " + group + "}"));
    }

    private void play() {
        groups.forEach((group, minCount) -> IntStream.range(0, minCount + random.nextInt(2))
                .forEach(number -> {
                    member(group, number);
                    pass(random.nextInt(3));
                }));
        for (int step = 0; step < 20; step++) {
            pass(random.nextInt(10));
            List<Pod> pods = cluster.list(Pod.class);
            if (random.nextInt(10) == 0 && !pods.isEmpty()) {
                Pod deleted = pods.get(random.nextInt(pods.size()));
                if (claims(List.of(deleted)).anyMatch(Allocations::isAllocated)) {
                    shrunk.add(deleted.getSpec().getSchedulingGroup().getPodGroupName());
                }
                cluster.deleteImmediately(deleted);
            }
            if (random.nextInt(60) == 0) {
                cluster.list(Node.class).stream().findFirst().ifPresent(cluster::deleteImmediately);
            }
        }
        areFaultsOn = false;
        pass(60);
    }

    /** @param steps the number of time steps */
    private void pass(int steps) {
        for (int step = 0; step <= steps; step++) {
            boolean works = true;
            while (works) {
                works = companion.runUntilIdle() | time.runDue();
                if (leader != leaderOfCompanion) {
                    companion = companion();
                    works = true;
                }
                observe();
            }
            time.moveTo(time.instant().plus(areFaultsOn ? STEP : QUIET_STEP));
        }
    }

    private List<Pod> pods(String group) {
        return cluster.list(Pod.class).stream()
                .filter(pod -> group.equals(pod.getSpec().getSchedulingGroup().getPodGroupName()))
                .toList();
    }

    /** After all pods of a gang were placed, some may be deleted, and their replacements may be too late for their devices. */
    private void observe() {
        groups.forEach((group, minCount) -> {
            List<Pod> pods = pods(group);
            long bound = pods.stream().filter(PodState::isBound).count();
            if (bound >= minCount) {
                complete.add(group);
            }
            if (bound > 0 && pods.size() >= minCount && !complete.contains(group)) {
                partlySince.putIfAbsent(group, time.instant());
                return;
            }
            Instant since = partlySince.remove(group);
            Duration taken = since == null ? Duration.ZERO : Duration.between(since, time.instant());
            longest = taken.compareTo(longest) > 0 ? taken : longest;
        });
    }

    /** @return the number of gangs whose pods are placed */
    private int check(long seed) {
        assertThat(longest).as("seed %d", seed).isLessThan(WINDOW);
        var held = new HashSet<DeviceId>();
        cluster.list(ResourceClaim.class).stream()
                .flatMap(claim -> Allocations.devices(claim).stream())
                .forEach(device -> assertThat(held.add(device))
                        .as("seed %d: %s is held once", seed, device)
                        .isTrue());
        int placed = 0;
        Set<String> nodes = cluster.list(Node.class).stream()
                .map(node -> node.getMetadata().getName())
                .collect(Collectors.toSet());
        long free = nodes.size()
                + (nodes.contains("n0") ? 1 : 0)
                - held.stream().filter(device -> nodes.contains(device.pool())).count();
        for (String group : groups.keySet()) {
            int minCount = groups.getOrDefault(group, 0);
            List<Pod> pods = pods(group);
            long bound = pods.stream().filter(PodState::isBound).count();
            if (partlySince.containsKey(group)) {
                assertThat(free < minCount - bound && (nodes.size() < NODES || shrunk.contains(group)))
                        .as("seed %d: gang %s is bound in part, and it lost neither a node nor a pod", seed, group)
                        .isTrue();
            } else if (bound > 0) {
                placed++;
            } else {
                assertThat(claims(pods).filter(Allocations::isAllocated))
                        .as("seed %d: a gang that waits holds nothing", seed)
                        .isEmpty();
                assertThat(pods.size() < minCount || free < minCount)
                        .as("seed %d: gang %s of %d waits although %d are free", seed, group, minCount, free)
                        .isTrue();
            }
        }
        return placed;
    }

    private Stream<ResourceClaim> claims(List<Pod> pods) {
        return pods.stream()
                .map(HasMetadata::getMetadata)
                .flatMap(pod -> cluster.stores().claims().get(pod.getNamespace(), pod.getName()).stream());
    }
}
