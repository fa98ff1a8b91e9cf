package dev.fakegpu.e2e.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests two operators, of which one is the leader, while the other takes over in the middle of a burst of pods: regardless of the first
 * operator's requests in progress, no device is allocated twice.
 */
@Tag("long")
class HandOverE2E {

    private static final int DEVICES = 21;
    private static final int PODS = 32;

    private static final String NODE = "hand-over-node-0";

    private static final Pattern CONFLICTS =
            Pattern.compile("apiserver_request_total\\{code=\"409\",[^}]*resource=\"resourceclaims\",[^}]*} (\\d+)");

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withControllerManager().withoutOperator();

    /**
     * The first operator's requests are held back in the network, and the process is stopped; the second one schedules other pods to the
     * same devices; then the requests arrive, and the first process continues.
     */
    @Test
    void lateWritesOfTheFormerLeaderHaveNoEffect() {
        try (var network = HeldConnections.to(cluster.controlPlane().config().getMasterUrl());
                var first = OperatorProcess.start(
                                cluster.controlPlane(), network.address(), Map.of("FAKEGPU_IDENTITY", "first"))
                        .withoutRestart();
                var second = startAfter(first);
                var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            waitingPods(scenario);

            // When
            network.delay(Duration.ofSeconds(2)); // so that the requests after the finalizer are still in progress
            try (Watch finalizers = onFinalizer(scenario, network::hold)) {
                scenario.cordon(NODE, false);
                awaitQuiet(network);
            }
            // If the machine paused, the Lease of the first operator has expired, and the operator may have ended.
            first.suspend();
            IntStream.range(0, DEVICES).forEach(number -> pod(scenario, "urgent-" + number, "system-node-critical"));
            scenario.await(() -> assertThat(second.hasLed()).isTrue());
            scenario.await(() -> assertThat(allocated(scenario)).isEqualTo(DEVICES));
            scenario.assertPossible();
            long before = conflicts();
            network.release();

            // Then
            scenario.await(() -> {
                scenario.assertPossible();
                assertThat(conflicts()).as("requests that came too late").isGreaterThan(before);
            });
            first.resume();
            assertThat(first.awaitExit()).isEqualTo(1);
            scenario.assertPossible();
            assertThat(allocated(scenario)).isEqualTo(DEVICES);
            serveAll(scenario, PODS + DEVICES);
        }
    }

    /** The standby operator also serves the dashboard. */
    @Test
    void anotherReplicaContinuesAfterAKilledLeader() {
        try (var first = start("first");
                var second = startAfter(first);
                var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            waitingPods(scenario);
            scenario.await(() -> assertThat(second.health("ready"))
                    .as("or a rolling update would never end")
                    .isEqualTo(HttpURLConnection.HTTP_OK));

            scenario.await(() -> assertThat(dashboard(second)).isEqualTo(NODE + ", " + PODS + " waiting"));

            // When
            scenario.cordon(NODE, false);
            scenario.await(() -> assertThat(allocated(scenario)).isGreaterThan(2));
            first.kill();

            // Then
            serveAll(scenario, PODS);
            assertThat(second.hasLed()).isTrue();
            scenario.await(() -> assertThat(dashboard(second)).isEqualTo(NODE + ", 0 waiting"));
        }
    }

    private static OperatorProcess start(String identity) {
        return cluster.startOperator(Map.of(
                "FAKEGPU_IDENTITY", identity, "FAKEGPU_DASHBOARD_ENABLED", "true", "FAKEGPU_DASHBOARD_PORT", "0"));
    }

    /** The content of the dashboard: the node, and the number of waiting pods. */
    private static String dashboard(OperatorProcess operator) {
        JsonNode picture =
                Serialization.unmarshal(operator.dashboard(Optional.empty()).body(), JsonNode.class);
        List<String> waiting = picture.path("waiting").findValuesAsText("kind");
        return picture.path("nodes").path(0).path("name").asText() + ", "
                + waiting.stream().filter("Pod"::equals).count() + " waiting";
    }

    private static OperatorProcess startAfter(OperatorProcess first) {
        Awaitility.await().until(first::hasLed);
        return start("second");
    }

    /** Creates pods that can be scheduled as soon as the node is uncordoned. */
    private static void waitingPods(ClusterScenario scenario) {
        scenario.apply("hand-over.yaml");
        scenario.cordon(NODE, true);
        IntStream.range(0, PODS).forEach(number -> pod(scenario, "pod-" + number, "\"\""));
        scenario.awaitUnschedulable("pod-" + (PODS - 1));
    }

    private static void pod(ClusterScenario scenario, String name, String priorityClass) {
        scenario.create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %1$s}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: mig.example.com}}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s}
                spec:
                  priorityClassName: %2$s
                  containers: [{name: main, image: "busybox:1"}]
                  resourceClaims: [{name: gpu, resourceClaimName: %1$s}]
                """.formatted(name, priorityClass));
    }

    /** Each claim gets the finalizer first, and its allocation with the next request. */
    private static Watch onFinalizer(ClusterScenario scenario, Runnable action) {
        return cluster.client()
                .resources(ResourceClaim.class)
                .inNamespace(scenario.namespace())
                .watch(new Watcher<>() {
                    @Override
                    public void eventReceived(Action change, ResourceClaim claim) {
                        if (!claim.getMetadata().getFinalizers().isEmpty()) {
                            action.run();
                        }
                    }

                    @Override
                    public void onClose(WatcherException cause) {
                        throw new AssertionError(cause);
                    }
                });
    }

    /** Waits until all requests are held that the client can send before it gets a response. */
    private static void awaitQuiet(HeldConnections network) {
        var last = new AtomicInteger(-1);
        Awaitility.await()
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> network.heldBytes() > 0 && last.getAndSet(network.heldBytes()) == network.heldBytes());
    }

    private static long allocated(ClusterScenario scenario) {
        return scenario.storedClaims().stream().filter(Allocations::isAllocated).count();
    }

    /** The number of requests for claims that the API server has refused because their version is outdated. */
    private static long conflicts() {
        String metrics = cluster.client().raw("/metrics");
        return CONFLICTS
                .matcher(metrics)
                .results()
                .mapToLong(match -> Long.parseLong(match.group(1)))
                .sum();
    }

    /** Waits until all pods have run; running pods are deleted to make room for others. */
    private static void serveAll(ClusterScenario scenario, int pods) {
        var served = new HashSet<String>();
        scenario.await(() -> {
            scenario.assertPossible();
            List.copyOf(scenario.running()).forEach(pod -> {
                served.add(pod);
                scenario.deletePod(pod);
            });
            assertThat(served).hasSize(pods);
        });
    }
}
