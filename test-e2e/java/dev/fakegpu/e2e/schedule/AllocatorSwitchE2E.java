package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code spec.allocator} is changed while devices are in use and pods of both schedulers request the others. */
class AllocatorSwitchE2E {

    private static final int DEVICES = 21;
    private static final int PODS = 2 * DEVICES;

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    @AutoClose
    private final ClusterScenario scenario = cluster.scenario(AllocatorName.Companion);

    @BeforeEach
    void begin() {
        scenario.apply("hand-over.yaml");
    }

    @Test
    void podsRunAfterEachSwitchOfTheAllocator() {
        // When
        pods("companion", "fakegpu-scheduler");
        pods("kube", "default-scheduler");
        scenario.await(() -> assertThat(scenario.running()).hasSizeGreaterThan(2));
        scenario.patch("{\"spec\":{\"allocator\":\"KubeScheduler\"}}");

        // Then
        scenario.await(() -> {
            scenario.assertPossible();
            assertThat(scenario.running()).hasSize(DEVICES);
        });

        // When
        endAll();
        scenario.await(() -> {
            scenario.assertPossible();
            assertThat(scenario.running()).hasSizeGreaterThan(2).allMatch(name -> name.startsWith("kube"));
        });
        scenario.patch("{\"spec\":{\"allocator\":\"Companion\"}}");

        // Then
        scenario.await(() -> {
            scenario.assertPossible();
            assertThat(scenario.running()).hasSize(DEVICES);
        });
        awaitSeenByKubeScheduler();
        endAll();
        scenario.await(() -> {
            scenario.assertPossible();
            assertThat(scenario.running()).isNotEmpty().allMatch(name -> name.startsWith("companion"));
        });
    }

    /**
     * Otherwise kube-scheduler may allocate devices that the companion's pods release. It sees slices in their order: when a pod has a
     * device of a later slice, it also knows the taints.
     */
    private void awaitSeenByKubeScheduler() {
        fakeGpus.create("later", """
                {driver: later.example.com, allocator: KubeScheduler, nodes: {simulated: {count: 1}}, model: L40S}
                """);
        fakeGpus.awaitReady("later");
        scenario.claim("later", "later.example.com");
        scenario.podForKubeScheduler("later", "later");
        scenario.awaitRunning("later");
    }

    private void endAll() {
        scenario.running().forEach(scenario::deletePod);
    }

    private void pods(String name, String scheduler) {
        IntStream.range(0, PODS).forEach(number -> scenario.create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %1$s-%2$d}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: mig.example.com}}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s-%2$d}
                spec:
                  schedulerName: %3$s
                  containers: [{name: main, image: "busybox:1"}]
                  resourceClaims: [{name: gpu, resourceClaimName: %1$s-%2$d}]
                """.formatted(name, number, scheduler)));
    }
}
