package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.testing.ClusterYaml;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two pods wait for one GPU of a cordoned node, and the older one has had more attempts. */
class TurnsTest {

    private static final ObjectName NODE = new ObjectName("Node", "", "a-node-0");

    private final YamlSimulation simulation = YamlSimulation.of(Schedulers.KUBE);

    @BeforeEach
    void twoPodsWait() {
        simulation.apply("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: a}
                spec: {nodes: {simulated: {count: 1, taint: None}}, model: A100-SXM4-40GB, count: 1, allocator: KubeScheduler}
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: gpu}
                spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
                """);
        change("spec: {unschedulable: true}");
        simulation.apply(pod("older"));
        change("metadata: {labels: {changed: 'yes'}}");
        simulation.apply(pod("younger"));
        simulation.simulation().pass(Duration.ofSeconds(12));
    }

    @Test
    void triesPodsOnceTheTaintOfTheNodeIsGone() {
        // When
        change("spec: {unschedulable: null}");

        // Then
        assertThat(simulation.running()).containsExactly("older");
    }

    @Test
    void triesPodsAlsoBeforeTheTaintOfTheNodeIsGone() {
        // Given
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

    private static String pod(String name) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  containers: [{name: main, image: "busybox:1"}]
                  resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]
                """.formatted(name);
    }
}
