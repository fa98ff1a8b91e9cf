package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests which waiting pods kube-scheduler tries again after a change: a pod that is tried in vain comes after the others. */
class RetriedPodsTest {

    /** No pod on a node matters to a pod whose node selector does not match it, and the matching node lacks only devices. */
    @Test
    void aDeletedPodWakesNoPodThatOtherNodesRefuseForTheirLabels() {
        // Given
        var simulation = YamlSimulation.of(Schedulers.KUBE);
        simulation.apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: gpu}
                spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
                """);
        simulation.apply(fakeGpu("a") + "---\n" + fakeGpu("b"));
        simulation.apply(pod("of-a", "a", "gpu") + "---\n" + pod("of-b", "b", "gpu") + "---\n" + pod("other", "a", ""));
        simulation.apply(pod("first", "a", "gpu"));
        simulation.apply(pod("second", "", "gpu"));
        simulation.simulation().pass(Duration.ofSeconds(12));

        // When
        simulation.delete("Pod", "other");
        simulation.delete("Pod", "of-a");

        // Then
        assertThat(simulation.running()).containsExactlyInAnyOrder("of-b", "first");
    }

    private static String fakeGpu(String name) {
        return """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: %s}
                spec: {nodes: {simulated: {count: 1, taint: None}}, model: A100-SXM4-40GB, count: 1, allocator: KubeScheduler}
                """.formatted(name);
    }

    /**
     * A pod.
     *
     * @param node the FakeGpu of its node; empty for any
     * @param template the template of its claim; empty for none
     */
    private static String pod(String name, String node, String template) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  containers: [{name: main, image: "busybox:1"}]
                  nodeSelector: {%s}
                  resourceClaims: [%s]
                """.formatted(
                        name,
                        node.isEmpty() ? "" : "kubernetes.io/hostname: " + node + "-node-0",
                        template.isEmpty() ? "" : "{name: gpu, resourceClaimTemplateName: " + template + "}");
    }
}
