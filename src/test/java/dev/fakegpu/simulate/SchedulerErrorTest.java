package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import org.junit.jupiter.api.Test;

/** Tests what schedulers report if a selector fails: kube-scheduler tries again by itself, the companion when something changes. */
class SchedulerErrorTest {

    private static final String IN_A_GROUP = "\n  schedulingGroup: {podGroupName: ring}";

    private static final String RETRIED =
            "; kube-scheduler reports SchedulerError and tries again after at most 10s, even if nothing changes";

    private static PodCondition conditionWith(SchedulerProfile scheduler) {
        return conditionWith(scheduler, "");
    }

    /** @param group further fields of the pod's spec */
    private static PodCondition conditionWith(SchedulerProfile scheduler, String group) {
        var simulation = YamlSimulation.of(Schedulers.KUBE);
        simulation.apply("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: a100}
                spec: {nodes: {simulated: {count: 1, taint: None}}, model: A100-SXM4-40GB, count: 1, allocator: %s}
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: sliced}
                spec:
                  devices:
                    requests:
                    - name: gpu
                      exactly:
                        deviceClassName: gpu.example.com
                        selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].profile == "1g.5gb"'}}]
                ---
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {name: ring}
                spec: {schedulingPolicy: {gang: {minCount: 1}}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: train}
                spec:
                  schedulerName: %s%s
                  containers: [{name: main, image: "busybox:1"}]
                  resourceClaims: [{name: gpu, resourceClaimName: sliced}]
                """.formatted(scheduler.allocator(), scheduler.schedulerName(), group));
        return simulation.simulation().cluster().list(Pod.class).stream()
                .flatMap(pod -> PodState.scheduled(pod).stream())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void kubeSchedulerReportsAnErrorAndTriesAgain() {
        PodCondition condition = conditionWith(SchedulerProfile.KUBE_SCHEDULER);

        assertThat(condition.getReason()).isEqualTo("SchedulerError");
        assertThat(condition.getMessage())
                .startsWith(
                        "running \"DynamicResources\" filter plugin: the selector of request \"gpu\" fails on gpu-0")
                .endsWith(RETRIED);
    }

    @Test
    void theCompanionReportsThatNoNodeFits() {
        PodCondition condition = conditionWith(SchedulerProfile.COMPANION);

        assertThat(condition.getReason()).isEqualTo("Unschedulable");
        assertThat(condition.getMessage()).contains("the selector of request").doesNotContain("SchedulerError");
    }

    @Test
    void kubeSchedulerTriesGangsAgainToo() {
        PodCondition condition = conditionWith(SchedulerProfile.KUBE_SCHEDULER, IN_A_GROUP);

        assertThat(condition.getReason()).isEqualTo("SchedulerError");
        assertThat(condition.getMessage())
                .startsWith(
                        "PodGroup \"ring\" needs 1 pod at once: it is not known whether they fit: claim default/sliced")
                .endsWith(RETRIED);
    }

    @Test
    void theCompanionReportsThatAGangDoesNotFit() {
        PodCondition condition = conditionWith(SchedulerProfile.COMPANION, IN_A_GROUP);

        assertThat(condition.getReason()).isEqualTo("Unschedulable");
        assertThat(condition.getMessage())
                .startsWith(
                        "PodGroup \"ring\" needs 1 pod at once, and pod \"train\" cannot be placed: the selector of request"
                                + " \"gpu\" fails on gpu-0: the device has no attribute \"profile\"")
                .doesNotContain("SchedulerError");
    }
}
