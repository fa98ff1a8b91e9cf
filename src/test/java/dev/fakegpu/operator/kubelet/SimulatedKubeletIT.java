package dev.fakegpu.operator.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.TestObjects;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests objects whose informers report them in any order. */
class SimulatedKubeletIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();
    private final Clock clock = Clock.systemUTC();
    private final List<Pod> removals = new CopyOnWriteArrayList<>();

    /** Not started; the test adds the objects. */
    private final ClusterWatch cluster = new ClusterWatch(client, "any", "any");

    @AutoClose
    private final SimulatedKubelet kubelet = new SimulatedKubelet(
            countingRemovals(ObjectClient.of(client)),
            cluster,
            new NodeSnapshots(cluster, Specs.PLANNER, ClaimNaming.Full),
            new EventRecorder(client, clock, Ticker.SYSTEM, "test"),
            new SimulatedKubelet.Timing(
                    clock, Ticker.SYSTEM, new YieldPolicy(namespace -> false, Ticker.SYSTEM), TaskExecutors.THREADS));

    private final FakeGpu fakeGpu = fakeGpu();
    private final Node node = node(fakeGpu);

    @BeforeEach
    void start() {
        kubelet.start();
    }

    @Test
    void podIsStartedIfItIsSeenBeforeItsNode() {
        // Given
        cluster.fakeGpus().onAdd(fakeGpu);
        Pod pod = podThatWasLookedAtInVain();

        // When
        cluster.nodes().onAdd(node);

        // Then
        awaitRunning(pod);
    }

    @Test
    void podIsStartedIfItIsSeenBeforeItsFakeGpu() {
        // Given
        cluster.nodes().onAdd(node);
        Pod pod = podThatWasLookedAtInVain();

        // When
        cluster.fakeGpus().onAdd(fakeGpu);

        // Then
        awaitRunning(pod);
    }

    @Test
    void aPodWithFinalizersFailsAndIsRemovedOnceForEachVersion() {
        // Given
        cluster.fakeGpus().onAdd(fakeGpu);
        cluster.nodes().onAdd(node);
        Pod kept = pod(node, "example.com/keep");
        client.resource(kept).delete();

        // When
        Pod ended = client.resource(kept).require();
        cluster.pods().onAdd(ended);
        for (int pass = 0; pass < 5; pass++) {
            awaitRunning(pod(node));
        }

        // Then
        assertThat(removals).extracting(pod -> pod.getStatus().getPhase()).containsExactly("Failed");
        client.resource(ended).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
    }

    private ObjectClient countingRemovals(ObjectClient all) {
        return (ObjectClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ObjectClient.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("deleteImmediately")) {
                        removals.add((Pod) arguments[0]);
                    }
                    return method.invoke(all, arguments);
                });
    }

    /** A pod on {@link #node} that the kubelet has looked at, but has not started. */
    private Pod podThatWasLookedAtInVain() {
        Pod pod = pod(node);
        FakeGpu other = fakeGpu();
        Node known = node(other);
        cluster.fakeGpus().onAdd(other);
        cluster.nodes().onAdd(known);
        awaitRunning(pod(known));
        assertThat(client.resource(pod).require().getStatus().getPhase()).isEqualTo("Pending");
        return pod;
    }

    private void awaitRunning(Pod pod) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(
                                client.resource(pod).require().getStatus().getPhase())
                        .isEqualTo("Running"));
    }

    private static FakeGpu fakeGpu() {
        return TestObjects.fakeGpu(
                "{name: f-%1$s, uid: %1$s, resourceVersion: '1'}".formatted(UUID.randomUUID()), "spec: {model: L40S}");
    }

    private static Node node(FakeGpu fakeGpu) {
        String name = "n-" + UUID.randomUUID();
        Node node = TestObjects.node(
                "{name: %1$s, uid: %1$s, resourceVersion: '1'}".formatted(name),
                "spec: {providerID: '%s'}".formatted(SimulatedNode.providerId(fakeGpu, name)));
        node.getMetadata().setOwnerReferences(List.of(FakeGpuOwner.reference(fakeGpu)));
        return node;
    }

    private Pod pod(Node node, String... finalizers) {
        Pod pod = client.resource(TestObjects.pod(
                        "{namespace: default, name: p-%s, finalizers: [%s]}"
                                .formatted(UUID.randomUUID(), String.join(", ", finalizers)),
                        "spec: {nodeName: %s, containers: [{name: main, image: 'busybox:1'}]}"
                                .formatted(node.getMetadata().getName())))
                .create();
        cluster.pods().onAdd(pod);
        return pod;
    }
}
