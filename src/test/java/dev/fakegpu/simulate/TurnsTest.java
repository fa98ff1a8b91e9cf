package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.testing.ClusterYaml;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two pods wait for the only node, which has room for one. */
class TurnsTest {

    private static final ObjectName NODE = new ObjectName("Node", "", "a-node-0");

    private final YamlSimulation simulation = YamlSimulation.of(Schedulers.KUBE);

    @BeforeEach
    void nodeWithRoomForOnePod() {
        simulation.apply("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: a}
                spec:
                  allocator: KubeScheduler
                  model: A100-SXM4-40GB
                  count: 1
                  nodes: {simulated: {count: 1, taint: None, capacity: {cpu: 4, memory: 8Gi, pods: 1}}}
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: gpu}
                spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
                """);
    }

    /** The older pod has had more attempts. */
    private void twoPodsWaitForACordonedNode() {
        change("spec: {unschedulable: true}");
        simulation.apply(pod("older", "gpu"));
        change("metadata: {labels: {changed: 'yes'}}");
        simulation.apply(pod("younger", "gpu"));
        simulation.simulation().pass(Duration.ofSeconds(12));
    }

    private void onlyTheOlderPodNeedsTheDeviceOfAnother() {
        simulation.apply(pod("holder", "gpu"));
        simulation.apply(pod("older", "gpu"));
        simulation.apply(pod("younger", ""));
        simulation.simulation().pass(Duration.ofSeconds(12));
    }

    @Test
    void triesPodsBeforeTheClaimOfADeletedPodIsReleased() {
        // Given
        onlyTheOlderPodNeedsTheDeviceOfAnother();

        // When
        simulation.delete("Pod", "holder");

        // Then
        assertThat(simulation.running()).containsExactly("younger");
    }

    @Test
    void triesPodsOnceTheClaimOfADeletedPodIsReleased() {
        // Given
        onlyTheOlderPodNeedsTheDeviceOfAnother();
        simulation.simulation().setTurns(Turns.WRITES_FIRST);

        // When
        simulation.delete("Pod", "holder");

        // Then
        assertThat(simulation.running()).containsExactly("older");
    }

    @Test
    void triesPodsOnceTheTaintOfTheNodeIsGone() {
        // Given
        twoPodsWaitForACordonedNode();

        // When
        change("spec: {unschedulable: null}");

        // Then
        assertThat(simulation.running()).containsExactly("older");
    }

    @Test
    void triesPodsAlsoBeforeTheTaintOfTheNodeIsGone() {
        // Given
        twoPodsWaitForACordonedNode();
        simulation.simulation().setTurns(Turns.SCHEDULERS_FIRST);
        long attempts = simulation.simulation().attempts();

        // When
        change("spec: {unschedulable: null}");

        // Then
        assertThat(simulation.running()).containsExactly("younger");
        assertThat(simulation.simulation().attempts() - attempts)
                .isEqualTo(3); // equal pods that are refused together count as one
    }

    private void change(String yaml) {
        assertThat(simulation.simulation().change(NODE, ClusterYaml.json(yaml).get(0)))
                .isTrue();
        simulation.simulation().settle(Duration.ofMinutes(1));
    }

    /** @param template the template of its claim; empty for none */
    private static String pod(String name, String template) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  containers: [{name: main, image: "busybox:1"}]
                  resourceClaims: [%s]
                """.formatted(
                        name, template.isEmpty() ? "" : "{name: gpu, resourceClaimTemplateName: " + template + "}");
    }
}
