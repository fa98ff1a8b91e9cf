package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A node with one GPU, which a pod of low priority has. */
class PostFilterTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final SteppedCompanion companion = MemoryCompanion.of(
                    watched(), cluster, time, MemoryCompanion.OPTIONS.with(PreemptionSetting.ENABLED))
            .buildStepped();

    /** Runs right before a pod would be told to go. */
    private Runnable beforehand = () -> {};

    PostFilterTest() {
        create("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu}
                spec: {selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]}
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: n0}
                status: {allocatable: {cpu: "16", pods: "20"}, conditions: [{type: Ready, status: "True"}]}
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: n0}
                spec:
                  driver: gpu.example.com
                  nodeName: n0
                  pool: {name: n0, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0}]
                """);
    }

    /** The API server accepts any number; no time of this process is that far away. */
    @Test
    void aGracePeriodWithoutEndIsNoObstacle() {
        pod("low", 0, "terminationGracePeriodSeconds: " + Long.MAX_VALUE);
        play();
        assertThat(stored("low")).matches(PodState::isBound);

        pod("high", 10, "");
        play();
        assertThat(stored("low").getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(stored("high").getStatus().getNominatedNodeName()).isEqualTo("n0");

        cluster.deleteImmediately(stored("low"));
        play();
        assertThat(stored("high")).matches(PodState::isBound);
    }

    @Test
    void nothingIsSaidOfPodsThatHaveGoneByThemselves() {
        pod("low", 0, "");
        play();
        beforehand = () -> cluster.deleteImmediately(stored("low"));

        pod("high", 10, "");
        play();

        assertThat(stored("high")).matches(PodState::isBound);
        assertThat(cluster.events()).extracting(Event::getReason).doesNotContain("Preempting", "Preempted");
    }

    /** While a place is kept, too, a pod is tried again on all nodes once it has other claims. */
    @Test
    void aPodWithOtherClaimsIsTriedAgain() {
        create("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: card}
                spec: {selectors: [{cel: {expression: "device.driver == 'card.example.com'"}}]}
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: n1}
                status: {allocatable: {cpu: "16", pods: "20"}, conditions: [{type: Ready, status: "True"}]}
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: n1}
                spec:
                  driver: card.example.com
                  nodeName: n1
                  pool: {name: n1, generation: 1, resourceSliceCount: 1}
                  devices: [{name: card-0}, {name: card-1}]
                """);
        pod("low", 0, "");
        play();
        pod("high", 10, "");
        play();
        claim("one", "card", 1);
        claim("more", "card", 2);
        create("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: default, name: other}
                spec:
                  schedulerName: fakegpu-scheduler
                  priority: 10
                  containers: [{name: main, image: app, resources: {claims: [{name: one}, {name: more}]}}]
                  resourceClaims: [{name: one, resourceClaimName: one}, {name: more, resourceClaimName: more}]
                """);
        play();
        assertThat(stored("high").getStatus().getNominatedNodeName()).isEqualTo("n0");
        assertThat(stored("other")).matches(pod -> !PodState.isBound(pod));

        cluster.stores().claims().get("default", "more").ifPresent(cluster::deleteImmediately);
        claim("more", "card", 1);
        play();

        assertThat(stored("other").getSpec().getNodeName()).isEqualTo("n1");
    }

    private void claim(String name, String deviceClass, int count) {
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: default, name: %s}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: %s, allocationMode: ExactCount, count: %d}}]}}
                """.formatted(name, deviceClass, count));
    }

    /** A pod is read only to see whether it is still there. */
    private ObjectClient watched() {
        return (ObjectClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ObjectClient.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("get")
                            && arguments[0] instanceof Pod pod
                            && pod.getMetadata().getName().equals("low")) {
                        beforehand.run();
                        beforehand = () -> {};
                    }
                    try {
                        return method.invoke(cluster, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void create(String yaml) {
        ClusterYaml.objects(yaml).forEach(cluster::create);
    }

    private void pod(String name, int priority, String more) {
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: default, name: %1$s}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: default, name: %1$s}
                spec:
                  schedulerName: fakegpu-scheduler
                  priority: %2$d
                  containers: [{name: main, image: app, resources: {claims: [{name: gpu}]}}]
                  resourceClaims: [{name: gpu, resourceClaimName: %1$s}]
                  %3$s
                """.formatted(name, priority, more));
    }

    private Pod stored(String name) {
        return cluster.stores().pods().get("default", name).orElseThrow();
    }

    /** Some seconds. */
    private void play() {
        for (int second = 0; second < 5; second++) {
            boolean works = true;
            while (works) {
                works = companion.runUntilIdle() | time.runDue();
            }
            time.moveTo(time.instant().plusSeconds(1));
        }
    }
}
