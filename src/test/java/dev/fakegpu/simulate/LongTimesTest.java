package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.simulate.ClusterView.PodRow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The API accepts any number of seconds; a time after the last possible one never comes. */
class LongTimesTest {

    private final YamlSimulation simulation = YamlSimulation.of(Schedulers.KUBE);

    @Test
    void podsThatTolerateTaintsForeverStay() {
        simulation.apply("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: gpus}
                spec:
                  allocator: KubeScheduler
                  driver: gpu.example.com
                  nodes: {simulated: {count: 1}}
                  model: L40S
                  count: 1
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: gpu}
                spec:
                  devices:
                    requests:
                    - name: gpu
                      exactly:
                        deviceClassName: gpu.example.com
                        tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: %1$d}]
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: patient}
                spec:
                  tolerations:
                  - {key: fakegpu.dev/simulated, operator: Exists}
                  - {key: example.com/drain, operator: Exists, effect: NoExecute, tolerationSeconds: %1$d}
                  containers: [{name: main, image: app, resources: {claims: [{name: gpu}]}}]
                  resourceClaims: [{name: gpu, resourceClaimName: gpu}]
                """.formatted(Long.MAX_VALUE));
        simulation.apply("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceTaintRule
                metadata: {name: maintenance}
                spec:
                  deviceSelector: {driver: gpu.example.com}
                  taint: {key: example.com/maintenance, effect: NoExecute}
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: gpus-node-0}
                spec: {taints: [{key: example.com/drain, effect: NoExecute}]}
                """);

        assertThat(simulation.view().pods()).singleElement().matches(PodRow::isRunning);
        assertThat(simulation.view().evictions()).isEmpty();
    }

    @Test
    void jobsMayTakeForever() {
        String template = "{spec: {restartPolicy: Never, containers: [{name: main, image: app}]}}";
        simulation.apply("""
                apiVersion: v1
                kind: Node
                metadata: {name: n1}
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {name: job}
                spec: {activeDeadlineSeconds: %1$d, ttlSecondsAfterFinished: %2$d, template: %3$s}
                ---
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: cron}
                spec: {schedule: "* * * * *", startingDeadlineSeconds: %1$d, jobTemplate: {spec: {template: %3$s}}}
                """.formatted(Long.MAX_VALUE, Integer.MAX_VALUE, template));
        simulation.simulation().pass(Duration.ofMinutes(1));

        assertThat(simulation.view().pods()).hasSizeGreaterThan(1).allMatch(PodRow::isRunning);
    }
}
