package dev.fakegpu.e2e.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.FakeGpuSpec.Compatibility;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Counts on a real kubelet what {@code MotivationTest} counts in a simulation: the failures of a Deployment and a Job that use vGPUs, while
 * a pod holds the first of two GPUs in MIG mode. Prints the counts. The kubelet retries as usual with {@code -Dkubelet.sync=1m}, for which
 * the test needs more time: {@code -Dmotivation.seconds=600}.
 */
@Tag("long")
class KubeletMotivationE2E extends KubeletCluster {

    private static final String CANNOT_PREPARE = "FailedPrepareDynamicResources";
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("motivation.seconds", 60));

    /** For what succeeds. */
    private static final Duration ENOUGH = Duration.ofMinutes(10);

    private static final String WORKLOADS = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: vgpu}
            spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: %1$s}}]}}}
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: desktop}
            spec:
              replicas: 2
              selector: {matchLabels: {app: desktop}}
              template:
                metadata: {labels: {app: desktop}}
                spec:
                  terminationGracePeriodSeconds: 1
                  resourceClaims: [{name: gpu, resourceClaimTemplateName: vgpu}]
                  containers:
                  - {name: main, image: "busybox:1", command: [sleep, infinity], resources: {claims: [{name: gpu}]}}
            ---
            apiVersion: batch/v1
            kind: Job
            metadata: {name: render}
            spec:
              completions: 3
              activeDeadlineSeconds: %2$d
              template:
                spec:
                  restartPolicy: Never
                  resourceClaims: [{name: gpu, resourceClaimTemplateName: vgpu}]
                  containers:
                  - {name: main, image: "busybox:1", command: [sleep, "5"], resources: {claims: [{name: gpu}]}}
            """;

    @ParameterizedTest
    @EnumSource(names = {"None", "ByScheme"})
    void onlyWithoutGroupsPodsFailAndAreReplacedInVain(Compatibility compatibility) {
        // Given
        plugin = PluginProcess.start(node, null);
        given(AllocatorName.KubeScheduler, compatibility);
        scenario.patch("{\"spec\":{\"count\":2}}");
        pod("holder", MIG);
        awaitRunning("holder");
        var lost = new LostWork(client(), scenario.namespace());

        // When
        boolean groups = compatibility == Compatibility.ByScheme;
        scenario.create(WORKLOADS.formatted(VGPU, groups ? ENOUGH.toSeconds() : TIME.toSeconds() * 2 / 3));
        pass(TIME.dividedBy(3));
        if (groups) {
            Awaitility.await().atMost(ENOUGH).until(() -> lost.running("desktop") == 2);
        } else {
            Awaitility.await().until(() -> lost.stuck("desktop").size() == 2 && lost.events(CANNOT_PREPARE) > 0);
        }
        int deleted = lost.deleteStuck("desktop");
        pass(TIME.multipliedBy(2).dividedBy(3));
        Awaitility.await()
                .atMost(ENOUGH)
                .until(() -> lost.conditions("render").contains(groups ? "Complete" : "DeadlineExceeded"));

        // Then
        int running = lost.running("desktop");
        String job = lost.conditions("render");
        System.out.printf(
                "%s, %d s: %d failed preparations, %d failed attempts to schedule, %d events of pods, %d pods deleted, %d of 2 pods run, Job %s%n",
                compatibility,
                TIME.toSeconds(),
                lost.events(CANNOT_PREPARE),
                lost.events("FailedScheduling"),
                lost.events(""),
                deleted,
                running,
                job);
        assertThat(lost.events(CANNOT_PREPARE) > 0).isEqualTo(!groups);
        assertThat(deleted).isEqualTo(groups ? 0 : 2);
    }

    /** Before the pods are deleted, which these would create again. */
    @AfterEach
    void endWorkloads() {
        client().apps().deployments().inNamespace(scenario.namespace()).delete();
        client().batch().v1().jobs().inNamespace(scenario.namespace()).delete();
    }

    private static void pass(Duration time) {
        Awaitility.await().pollDelay(time).atMost(time.multipliedBy(2)).until(() -> true);
    }
}
