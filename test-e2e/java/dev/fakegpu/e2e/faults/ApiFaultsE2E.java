package dev.fakegpu.e2e.faults;

import static dev.fakegpu.e2e.faults.FaultRule.sometimes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.faults.Fault.AnswerLost;
import dev.fakegpu.e2e.faults.Fault.BookmarksLost;
import dev.fakegpu.e2e.faults.Fault.Cut;
import dev.fakegpu.e2e.faults.Fault.Late;
import dev.fakegpu.e2e.faults.Fault.Refused;
import dev.fakegpu.e2e.faults.Fault.RequestLost;
import dev.fakegpu.e2e.faults.Fault.WatchClosed;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests faults between the operator and the API server: the requested state is reached in the end, nothing is allocated twice, and the
 * operator is alive and ready. When the operator ends, it is started again, as by the kubelet.
 *
 * <p>{@code -De2e.seed} repeats a run. A run injects some of the faults, and loses some of the writes; {@code -Dfaults.kinds} and {@code
 * -Dfaults.writes} select others by the names that this test prints, separated by commas, or {@code all}.
 */
class ApiFaultsE2E {

    private static final String GPU = "gpu.example.com";
    private static final long SEED = Long.getLong("e2e.seed", System.nanoTime());

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withControllerManager().withoutOperator();

    /** The number of kinds of faults, and of lost writes, in one run. */
    private static final int SAMPLE = 3;

    private static ProxiedOperator proxied;
    private static FaultProxy proxy;
    private static OperatorProcess operator;

    @BeforeAll
    static void startOperator() {
        System.out.println("seed " + SEED + ": -De2e.seed=" + SEED);
        proxied = ProxiedOperator.start(cluster.controlPlane(), SEED);
        proxy = proxied.proxy();
        operator = proxied.operator();
    }

    @AfterAll
    static void stopOperator() {
        proxied.close();
    }

    static Stream<Arguments> faults() {
        var rules = List.of(
                sometimes(new Late(Duration.ofSeconds(1)), 0.5),
                sometimes(new Cut(100), 0.3),
                sometimes(new Refused(429, 1), 0.3),
                sometimes(new Refused(500), 0.3),
                sometimes(new Refused(409), 0.3).onlyWrites(),
                sometimes(new Refused(410), 0.3),
                sometimes(new RequestLost(), 0.3),
                sometimes(new AnswerLost(), 0.3),
                FaultRule.always(new WatchClosed(Duration.ofSeconds(1))),
                FaultRule.always(new BookmarksLost()));
        return chosen("faults.kinds", rules, rule -> rule.fault().title()).stream()
                .map(rule -> Arguments.of(rule.fault().title(), rule));
    }

    /** The elements that a property names, in its order, otherwise a random selection. */
    private static <T> List<T> chosen(String property, List<T> all, Function<T, String> title) {
        String names = System.getProperty(property, "");
        if (names.equals("all")) {
            return all;
        }
        if (!names.isEmpty()) {
            return Arrays.stream(names.split(","))
                    .flatMap(name ->
                            all.stream().filter(each -> title.apply(each).equals(name)))
                    .toList();
        }
        var shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, new Random(SEED));
        return shuffled.subList(0, Math.min(SAMPLE, shuffled.size()));
    }

    @Test
    void recoversFromManyFaultsAtOnce() {
        comesToItsRightEnd(
                sometimes(new WatchClosed(Duration.ofSeconds(1)), 0.5),
                sometimes(new RequestLost(), 0.05),
                sometimes(new AnswerLost(), 0.05).onlyWrites(),
                sometimes(new Refused(409), 0.05).onlyWrites(),
                sometimes(new Refused(500), 0.05),
                sometimes(new Refused(429, 1), 0.02),
                sometimes(new Cut(200), 0.05),
                sometimes(new Late(Duration.ofMillis(200)), 0.1));
    }

    @Tag("long")
    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void recoversFromEachFault(String title, FaultRule rule) {
        comesToItsRightEnd(rule);
    }

    /** In seconds. The second value is longer than the leader's Lease, so that it has to be acquired again. */
    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {3, 25})
    void recoversFromAnApiServerThatIsAway(int seconds) {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");
            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            scenario.awaitRunning("pod-a");

            // When
            proxy.disappear();
            scenario.deletePod("pod-a");
            scenario.podWithClaim("pod-b", GPU, "vgpu");
            Awaitility.await().pollDelay(Duration.ofSeconds(seconds)).until(() -> true);
            proxy.heal();

            // Then
            scenario.awaitRunning("pod-b");
            scenario.await(() -> assertThat(scenario.storedPods()).hasSize(1));
            scenario.assertPossible();
        }
        assertHealthy();
    }

    @Tag("long")
    @Test
    void recoversWhenAnyWriteIsLost() {
        proxy.forgetRequests(); // earlier tests had faults, which may have caused other requests
        startAgain();
        comesToItsRightEnd();
        Set<ApiRequest> writes = proxy.writes();
        assertThat(writes).extracting(ApiRequest::resource).contains("pods/status", "resourceslices", "leases");
        List<Loss> losses = writes.stream()
                .filter(ApiFaultsE2E::isAlwaysMade)
                .flatMap(write -> Stream.of(new Loss(new RequestLost(), write), new Loss(new AnswerLost(), write)))
                .toList();
        System.out.println("writes: " + losses);
        chosen("faults.writes", losses, Loss::toString).forEach(ApiFaultsE2E::comesToItsRightEndWithout);
    }

    /** An Event is patched only if its message occurs again in time, which does not happen in every run. */
    private static boolean isAlwaysMade(ApiRequest write) {
        return !write.equals(new ApiRequest("patch", "events"));
    }

    /** The objects of a deleted FakeGpu are deleted by the operator or by the garbage collector, whichever comes first. */
    private static final Set<ApiRequest> COLLECTED = Stream.of("resourceslices", "deviceclasses", "nodes")
            .map(resource -> new ApiRequest("delete", resource))
            .collect(Collectors.toUnmodifiableSet());

    /** A fault of the first three writes of a kind; there are three because the client retries a write. */
    private record Loss(Fault fault, ApiRequest write) {

        @Override
        public String toString() {
            return fault.title() + " " + write;
        }
    }

    private static void comesToItsRightEndWithout(Loss loss) {
        long before = proxy.injectedInAll();
        proxy.inject(FaultRule.first(3, loss.write(), loss.fault()));
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            scenario.apply("example-3.yaml");
            allocate(scenario);
            awaitAllocated(scenario);
            release(scenario);
            awaitReleased(scenario);
        }
        if (proxy.injectedInAll() == before && COLLECTED.contains(loss.write())) {
            System.out.println(loss + ": not made, the garbage collector was faster");
            proxy.heal();
            return;
        }
        if (proxy.injectedInAll() == before) {
            startAgain();
        }
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(proxy.injectedInAll()).as("%s", loss).isGreaterThan(before));
        System.out.println(loss + ": " + (proxy.injectedInAll() - before));
        proxy.heal();
        assertHealthy();
    }

    /**
     * Some writes are made only when an operator starts: its Lease if there is none, and the dry runs that detect which fields are served.
     */
    private static void startAgain() {
        operator.crash();
        cluster.client()
                .leases()
                .inNamespace("fakegpu-system")
                .withName("fakegpu-operator")
                .delete();
    }

    /** Injects faults during publication and allocation, and again during the release. */
    private static void comesToItsRightEnd(FaultRule... rules) {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            long before = proxy.injectedInAll();
            proxy.inject(rules);
            scenario.apply("example-3.yaml");
            allocate(scenario);
            awaitFaults(before, rules);
            proxy.heal();
            awaitAllocated(scenario);

            before = proxy.injectedInAll();
            proxy.inject(rules);
            release(scenario);
            awaitFaults(before, rules);
            proxy.heal();
            awaitReleased(scenario);
        }
        assertHealthy();
    }

    /**
     * Waits until some faults have happened, in any requests of the operator; faults of watches happen when the watches are opened again.
     */
    private static void awaitFaults(long before, FaultRule... rules) {
        Awaitility.await().until(() -> rules.length == 0 || proxy.injectedInAll() >= before + 3);
    }

    private static void allocate(ClusterScenario scenario) {
        scenario.podWithClaim("pod-a", GPU, "mig-1g");
        scenario.podWithClaim("pod-b", GPU, "mig-1g");
    }

    private static void awaitAllocated(ClusterScenario scenario) {
        scenario.awaitRunning("pod-a");
        scenario.awaitRunning("pod-b");
        scenario.assertPossible();
    }

    /** Deletes both pods; another one waits for them, because its device excludes theirs. */
    private static void release(ClusterScenario scenario) {
        scenario.podWithClaim("pod-c", GPU, "vgpu");
        scenario.deletePod("pod-a");
        scenario.deletePod("pod-b");
    }

    private static void awaitReleased(ClusterScenario scenario) {
        scenario.awaitRunning("pod-c");
        scenario.assertPossible();
    }

    /** The loss of its Lease may have ended the operator, so it may have been restarted. */
    private static void assertHealthy() {
        Awaitility.await().untilAsserted(() -> {
            assertThat(operator.isLive()).as("live").isTrue();
            assertThat(operator.isReady()).as("ready").isTrue();
        });
    }
}
