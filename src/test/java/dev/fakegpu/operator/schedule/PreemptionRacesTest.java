package dev.fakegpu.operator.schedule;

import static dev.fakegpu.operator.schedule.MemoryCompanion.claim;
import static dev.fakegpu.operator.schedule.MemoryCompanion.create;
import static dev.fakegpu.operator.schedule.MemoryCompanion.deviceClass;
import static dev.fakegpu.operator.schedule.MemoryCompanion.intercepted;
import static dev.fakegpu.operator.schedule.MemoryCompanion.pod;
import static dev.fakegpu.operator.schedule.MemoryCompanion.readyNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests pods of high priority that request a whole GPU, while other changes make room for them: just before victims are deleted, other pods
 * end, nodes are added, or the waiting pod is deleted. {@code -Dpreemption.races} and {@code -Dpreemption.seed} set the number of races and
 * the first seed. The checks do not use the scheduler.
 */
class PreemptionRacesTest {

    private static final int RACES = Integer.getInteger("preemption.races", 400);
    private static final long SEED = Long.getLong("preemption.seed", 1);
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final int HIGH = 10;
    private static final String IS_OF_TYPE = "device.attributes['gpu.example.com'].type == '%s'";

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private Random random = new Random(SEED);
    private MemoryCluster cluster = new MemoryCluster(time);
    private SteppedCompanion companion = companion();
    private boolean isRace;
    private long seed;
    private int nodes;
    private int disturbances;
    private int victims;

    private SteppedCompanion companion() {
        return MemoryCompanion.of(watched(), cluster, time, MemoryCompanion.OPTIONS.with(PreemptionSetting.ENABLED))
                .buildStepped();
    }

    /** Changes the cluster when the budgets are read, and when the nominated node is written, because then it is not too late. */
    private ObjectClient watched() {
        return intercepted(cluster, (method, argument, real) -> {
            Pod pod = argument instanceof Pod ? (Pod) argument : null;
            if (pod != null && method.equals("delete")) {
                told(pod);
            }
            Object answer = real.call();
            if (argument == PodDisruptionBudget.class
                    || pod != null && isNominated(pod) && method.equals("mergeStatus")) {
                disturb();
            }
            return answer;
        });
    }

    @Test
    void noPodIsPreemptedNeedlessly() {
        int allVictims = 0;
        int allDisturbances = 0;
        int withoutVictim = 0;
        for (seed = SEED; seed < SEED + RACES; seed++) {
            start();
            play();
            check();
            allVictims += victims;
            allDisturbances += disturbances;
            withoutVictim += disturbances > 0 && victims == 0 ? 1 : 0;
        }
        System.out.printf(
                "PreemptionRacesTest: %d races from seed %d, %d disturbances, %d victims, all needed; %d races without one%n",
                RACES, SEED, allDisturbances, allVictims, withoutVictim);
        assertThat(allVictims).isGreaterThanOrEqualTo(RACES / 2);
        assertThat(withoutVictim).isGreaterThanOrEqualTo(RACES / 10);
    }

    // --- the cluster

    private void start() {
        random = new Random(seed);
        cluster = new MemoryCluster(time);
        isRace = false;
        nodes = 0;
        disturbances = 0;
        victims = 0;
        create(
                cluster,
                deviceClass("gpu", IS_OF_TYPE.formatted("gpu")),
                deviceClass("mig", IS_OF_TYPE.formatted("mig")),
                """
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: low}
                value: 0
                ---
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: high}
                value: 10
                """);
        int count = 1 + random.nextInt(2);
        for (int node = 0; node < count; node++) {
            addNode();
        }
        if (random.nextInt(3) == 0) {
            create(cluster, """
                    apiVersion: policy/v1
                    kind: PodDisruptionBudget
                    metadata: {namespace: default, name: budget}
                    spec: {minAvailable: 1, selector: {matchLabels: {half: "0"}}}
                    status: {disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1}
                    """);
        }
        companion = companion();
        for (int number = 0; number < 4 * count; number++) {
            prioritized("low-" + number, number % 4 < 2 ? "mig" : "gpu", "low");
        }
        pass(2);
    }

    /** Adds a node with a GPU that is used whole or as two halves, and one that is used whole. */
    private void addNode() {
        create(cluster, readyNode("n" + nodes, 16), """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: n%1$d-sets}
                spec:
                  driver: gpu.example.com
                  nodeName: n%1$d
                  pool: {name: n%1$d, generation: 1, resourceSliceCount: 2}
                  sharedCounters: [{name: gpu-0, counters: {units: {value: "2"}}}]
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: n%1$d}
                spec:
                  driver: gpu.example.com
                  nodeName: n%1$d
                  pool: {name: n%1$d, generation: 1, resourceSliceCount: 2}
                  devices:
                  - {name: gpu-0, attributes: {type: {string: gpu}}, consumesCounters: [{counterSet: gpu-0, counters: {units: {value: "2"}}}]}
                  - {name: gpu-0-mig-0, attributes: {type: {string: mig}}, consumesCounters: [{counterSet: gpu-0, counters: {units: {value: "1"}}}]}
                  - {name: gpu-0-mig-1, attributes: {type: {string: mig}}, consumesCounters: [{counterSet: gpu-0, counters: {units: {value: "1"}}}]}
                  - {name: gpu-1, attributes: {type: {string: gpu}}}
                """.formatted(nodes++));
    }

    private void prioritized(String name, String deviceClass, String priorityClass) {
        String labels = "{half: \"%d\"}".formatted(random.nextInt(2));
        create(cluster, claim(name, deviceClass, 1), pod(name, labels, "priorityClassName: " + priorityClass));
    }

    // --- events

    private void play() {
        for (int number = 0; number < 2; number++) {
            prioritized("waiting-" + number, random.nextBoolean() ? "mig" : "gpu", "low");
        }
        pass(1);
        isRace = true;
        prioritized("high-0", "gpu", "high");
        if (random.nextInt(3) == 0) {
            pass(random.nextInt(2));
            prioritized("high-1", "gpu", "high");
        }
        pass(60);
    }

    private void disturb() {
        if (!isRace || random.nextBoolean()) {
            return;
        }
        disturbances++;
        List<Pod> low = cluster.list(Pod.class).stream()
                .filter(pod -> PodState.isBound(pod) && !isHigh(pod) && !isEnding(pod))
                .toList();
        switch (random.nextInt(5)) {
            case 0 ->
                cluster.list(Pod.class).stream()
                        .filter(pod -> isHigh(pod) && !PodState.isBound(pod))
                        .findFirst()
                        .ifPresent(cluster::deleteImmediately);
            case 1 -> addNode();
            case 2 ->
                low.stream().skip(random.nextInt(1 + low.size())).findFirst().ifPresent(cluster::deleteImmediately);
            default ->
                low.stream().skip(random.nextInt(1 + low.size())).findFirst().ifPresent(cluster::delete);
        }
    }

    /** @param steps the number of time steps */
    private void pass(int steps) {
        for (int step = 0; step <= steps; step++) {
            boolean works = true;
            while (works) {
                works = companion.runUntilIdle() | time.runDue();
                observe();
            }
            time.moveTo(time.instant().plus(STEP));
            cluster.list(Pod.class).stream()
                    .filter(pod -> isEnding(pod) && random.nextInt(4) == 0)
                    .forEach(cluster::deleteImmediately);
        }
    }

    // --- invariants

    private static boolean isHigh(Pod pod) {
        return Objects.requireNonNullElse(pod.getSpec().getPriority(), 0) == HIGH;
    }

    private static boolean isEnding(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    private static boolean isNominated(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getNominatedNodeName() != null
                && !pod.getStatus().getNominatedNodeName().isEmpty();
    }

    /** The devices of pods that are not being deleted. */
    private Set<String> held() {
        Set<String> ending = cluster.list(Pod.class).stream()
                .filter(PreemptionRacesTest::isEnding)
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toSet());
        Set<String> known = cluster.list(Pod.class).stream()
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toSet());
        return cluster.list(ResourceClaim.class).stream()
                .filter(claim -> Allocations.isAllocated(claim)
                        && claim.getStatus().getReservedFor().stream()
                                .anyMatch(user -> known.contains(user.getUid()) && !ending.contains(user.getUid())))
                .flatMap(claim -> Allocations.devices(claim).stream())
                .map(device -> device.pool() + "/" + device.device())
                .collect(Collectors.toSet());
    }

    /** The number of whole GPUs that are free after all terminating pods have ended. */
    private long free() {
        Set<String> held = held();
        return cluster.list(Node.class).stream()
                .map(node -> node.getMetadata().getName())
                .flatMap(node -> Stream.of(
                        Stream.of("gpu-0", "gpu-0-mig-0", "gpu-0-mig-1")
                                .noneMatch(device -> held.contains(node + "/" + device)),
                        !held.contains(node + "/gpu-1")))
                .filter(isFree -> isFree)
                .count();
    }

    private Stream<Pod> waiting() {
        return cluster.list(Pod.class).stream()
                .filter(pod -> isHigh(pod) && !PodState.isBound(pod))
                .filter(pod -> cluster.stores()
                        .claims()
                        .get("default", pod.getMetadata().getName())
                        .filter(Allocations::isAllocated)
                        .isEmpty());
    }

    private void told(Pod victim) {
        victims++;
        assertThat(isHigh(victim)).as("seed %d", seed).isFalse();
        assertThat(free())
                .as("seed %d: free without %s", seed, victim.getMetadata().getName())
                .isLessThan(waiting().count());
    }

    /** Devices for which victims were deleted are not given to other pods. */
    private void observe() {
        Set<String> told = cluster.events().stream()
                .filter(event -> "Preempting".equals(event.getReason()))
                .map(event -> event.getInvolvedObject().getUid())
                .collect(Collectors.toSet());
        long kept = waiting()
                .filter(pod ->
                        isNominated(pod) && told.contains(pod.getMetadata().getUid()))
                .count();
        assertThat(free())
                .as("seed %d: free for those who were nominated", seed)
                .isGreaterThanOrEqualTo(kept);
    }

    private void check() {
        assertThat(cluster.list(Pod.class).stream().filter(PreemptionRacesTest::isHigh))
                .as("seed %d", seed)
                .allMatch(PodState::isBound);
        var all = new HashSet<String>();
        cluster.list(ResourceClaim.class).stream()
                .flatMap(claim -> Allocations.devices(claim).stream())
                .forEach(device -> assertThat(all.add(device.pool() + "/" + device.device()))
                        .as("seed %d: %s is held once", seed, device)
                        .isTrue());
    }
}
