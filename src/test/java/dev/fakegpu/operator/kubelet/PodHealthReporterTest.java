package dev.fakegpu.operator.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.TestObjects;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.TaskExecutors;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PodHealthReporterTest {

    private final MutableClock clock = new MutableClock("2026-10-01T10:00:00Z");
    private final ObjectStores cluster = new ObjectStores();
    private final CoalescingWorker worker = new CoalescingWorker("health", () -> {});
    private int writes = 0;

    /** Refuses every write, as the API server does if the pod became too large. */
    private final ObjectClient refusing = (ObjectClient) Proxy.newProxyInstance(
            ObjectClient.class.getClassLoader(), new Class<?>[] {ObjectClient.class}, (proxy, method, arguments) -> {
                writes++;
                throw new KubernetesClientException("the pod is too large", 422, null);
            });

    private final PodHealthReporter reporter = new PodHealthReporter(
            cluster,
            new NodeSnapshots(cluster, new InventoryPlanner(Catalog.builtIn()), ClaimNaming.Full),
            new PodStatusWriter(refusing, cluster.pods(), clock),
            new EventRecorder(refusing, clock, clock, "test", log -> {}, TaskExecutors.THREADS),
            worker,
            clock);

    @AfterEach
    void close() {
        worker.close();
    }

    @Test
    void refusedHealthIsWrittenAgainLaterAndLater() {
        // Given
        Pod pod = runningPod();
        reporter.sliceChanged(null, TestObjects.slice("{name: slice}", """
                spec:
                  driver: gpu.example.com
                  nodeName: node
                  pool: {name: node, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0}]
                """));

        // Then
        assertThat(writesOf(pod)).as("at once").isEqualTo(1);
        assertThat(writesOf(pod)).as("too early").isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(writesOf(pod)).as("after 1 s").isEqualTo(2);
        clock.advance(Duration.ofSeconds(1));
        assertThat(writesOf(pod)).as("too early").isEqualTo(2);
        clock.advance(Duration.ofSeconds(1));
        assertThat(writesOf(pod)).as("after 2 s more").isEqualTo(3);
    }

    private int writesOf(Pod pod) {
        reporter.report(() -> List.of(pod));
        return writes;
    }

    private Pod runningPod() {
        cluster.claims().onAdd(TestObjects.claim("{namespace: team, name: gpu, uid: gpu, resourceVersion: '1'}", """
                status:
                  allocation: {devices: {results: [{request: gpu, driver: gpu.example.com, pool: node, device: gpu-0}]}}
                  devices:
                  - {driver: gpu.example.com, pool: node, device: gpu-0, conditions: [{type: Ready, status: "True", reason: Prepared}]}
                """));
        return TestObjects.pod("{namespace: team, name: train, uid: train, resourceVersion: '1'}", """
                spec:
                  nodeName: node
                  containers: [{name: main, resources: {claims: [{name: gpu}]}}]
                  resourceClaims: [{name: gpu, resourceClaimName: gpu}]
                status:
                  phase: Running
                  containerStatuses: [{name: main, image: i, imageID: "", ready: true, restartCount: 0}]
                """);
    }
}
