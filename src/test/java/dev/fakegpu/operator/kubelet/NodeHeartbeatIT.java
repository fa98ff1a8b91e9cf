package dev.fakegpu.operator.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.TestObjects;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests heartbeats of simulated nodes, with Leases and Nodes of a real API server. */
class NodeHeartbeatIT {

    private static final String LEASES = "kube-node-lease";

    /** The lease duration of kubelets; kube-controller-manager waits longer before it considers a node unreachable. */
    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();

    /** Not started, so that it contains only the nodes of the test. */
    private final ClusterWatch cluster = new ClusterWatch(client, "any", "any");

    private final String prefix = "beat-" + UUID.randomUUID().toString().substring(0, 8) + "-";
    private final FakeGpu fakeGpu = fakeGpu();

    @AfterEach
    void removeNodes() {
        cluster.nodes().list().parallelStream().forEach(node -> {
            client.leases()
                    .inNamespace(LEASES)
                    .withName(node.getMetadata().getName())
                    .delete();
            client.resource(node).delete();
        });
    }

    @Test
    void aRequestThatHangsDelaysItsOwnNodeOnly() {
        // Given
        IntStream.range(0, 6).forEach(number -> create(node(number)));
        // If there were only one request at a time, this node's would be the first.
        var hanging = cluster.nodes().list().iterator().next().getMetadata().getName();
        var waiting = new Waiting(List.of("/leases/" + hanging));
        try (var slow = slowClient(waiting);
                var heartbeat = new NodeHeartbeat(slow, cluster, Clock.systemUTC(), Ticker.SYSTEM)) {
            // When
            heartbeat.start();

            // Then
            Awaitility.await().untilAsserted(() -> {
                assertThat(waiting.paths).hasSize(1);
                assertThat(leases()).hasSize(5);
            });
            assertThat(leases())
                    .extracting(lease -> lease.getMetadata().getName())
                    .doesNotContain(hanging);
            waiting.end.countDown();
        }
    }

    /** Simulates an API server that is slow because a large FakeGpu is being published. */
    @Test
    void manyRequestsWithoutAnAnswerDelayTheirOwnNodesOnly() {
        // Given
        IntStream.range(0, 40).forEach(number -> create(node(number)));
        var waiting = new Waiting(IntStream.range(0, 32)
                .mapToObj(number -> "/leases/" + prefix + number)
                .toList());
        try (var slow = slowClient(waiting);
                var heartbeat = new NodeHeartbeat(slow, cluster, Clock.systemUTC(), Ticker.SYSTEM)) {
            // When
            heartbeat.start();

            // Then
            Awaitility.await().untilAsserted(() -> {
                assertThat(waiting.paths).hasSize(32);
                assertThat(leases()).hasSize(8);
            });
            waiting.end.countDown();
            Awaitility.await().untilAsserted(() -> assertThat(leases()).hasSize(40));
        }
    }

    /** For kube-controller-manager, a Lease is renewed only if its time is later than before. */
    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT1H"})
    void leaseIsRenewedWhenTheClockJumps(Duration jump) {
        // Given
        var clock = new MutableClock("2026-01-01T00:00:00Z");
        Node node = create(node(0));
        try (var heartbeat = new NodeHeartbeat(client, cluster, clock, Ticker.SYSTEM)) {
            heartbeat.start();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(cluster.nodes().list()).allMatch(NodeHeartbeatIT::isReady));
            ZonedDateTime before = newestRenewal();

            // When
            clock.jump(jump);
            cluster.nodes()
                    .written(client.nodes()
                            .withName(node.getMetadata().getName())
                            .editStatus(stored -> new NodeBuilder(stored)
                                    .editStatus()
                                    .withConditions()
                                    .endStatus()
                                    .build()));

            // Then
            Awaitility.await().untilAsserted(() -> assertThat(newestRenewal()).isAfter(before));
        }
    }

    private static KubernetesClient slowClient(Waiting waiting) {
        return ClientSerialization.builder()
                .withConfig(controlPlane.controlPlane().config())
                .withHttpClientBuilderConsumer(builder -> builder.addOrReplaceInterceptor("waiting", waiting))
                .build();
    }

    /** It could be a real node whose kubelet is down. */
    @Test
    void nodeWithTheLabelButWithoutOwnerGetsNoHeartbeat() {
        // Given
        var real = create(new NodeBuilder()
                .withNewMetadata()
                .withName(prefix + "real")
                .withLabels(Map.of("fakegpu.dev/simulated", "true", "fakegpu.dev/fakegpu", "beat"))
                .endMetadata()
                .build());
        create(node(0));

        // When
        try (var heartbeat = new NodeHeartbeat(client, cluster, Clock.systemUTC(), Ticker.SYSTEM)) {
            heartbeat.start();
            Awaitility.await().untilAsserted(() -> assertThat(leases()).hasSize(1));
        }

        // Then
        assertThat(leases()).extracting(lease -> lease.getMetadata().getName()).containsExactly(prefix + "0");
        assertThat(client.resource(real).require().getMetadata().getResourceVersion())
                .isEqualTo(real.getMetadata().getResourceVersion());
    }

    private List<Lease> leases() {
        return client.leases().inNamespace(LEASES).list().getItems().stream()
                .filter(lease -> lease.getMetadata().getName().startsWith(prefix))
                .toList();
    }

    private List<ZonedDateTime> renewals() {
        return leases().stream().map(lease -> lease.getSpec().getRenewTime()).toList();
    }

    private ZonedDateTime newestRenewal() {
        return renewals().stream().max(Comparator.naturalOrder()).orElseThrow();
    }

    private static boolean isReady(Node node) {
        return node.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()))
                && node.getSpec().getTaints().isEmpty();
    }

    private Node create(Node node) {
        var created = client.resource(node).create();
        cluster.nodes().written(created);
        return created;
    }

    private Node node(int number) {
        String name = prefix + number;
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withOwnerReferences(FakeGpuOwner.reference(fakeGpu))
                .endMetadata()
                .withNewSpec()
                .withProviderID(SimulatedNode.providerId(fakeGpu, name))
                .endSpec()
                .build();
    }

    private FakeGpu fakeGpu() {
        var stored = TestObjects.fakeGpu("{name: beat, uid: %s, resourceVersion: '1'}".formatted(UUID.randomUUID()));
        cluster.fakeGpus().written(stored);
        return stored;
    }

    /** Holds back requests whose path ends like one of these until the test releases them. Without an answer, a request would time out. */
    private static final class Waiting implements Interceptor {
        private final List<String> ends;
        private final Set<String> paths = ConcurrentHashMap.newKeySet();
        private final CountDownLatch end = new CountDownLatch(1);

        Waiting(List<String> ends) {
            this.ends = ends;
        }

        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            String path = request.uri().getPath();
            if (ends.stream().anyMatch(path::endsWith)) {
                paths.add(path);
                Uninterruptibles.awaitUninterruptibly(end);
            }
        }
    }
}
