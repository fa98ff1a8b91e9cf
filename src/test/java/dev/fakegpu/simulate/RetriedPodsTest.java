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
        var simulation = twoNodes();
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

    /** The node is not tried again for it, because it refused an equal pod before. */
    @Test
    void aReleasedDeviceWakesAPodThatReplacesAnother() {
        // Given
        var simulation = twoNodes();
        simulation.apply(pod("holder", "a", "gpu"));
        simulation.apply(pod("waiting", "a", "gpu"));
        simulation.delete("Pod", "waiting");
        simulation.apply(pod("replacement", "a", "gpu"));

        // When
        simulation.delete("Pod", "holder");
        simulation.simulation().pass(Duration.ofSeconds(12));

        // Then
        assertThat(simulation.running()).containsExactly("replacement");
    }

    @Test
    void aChangedSliceWakesAPodWhoseSelectorFailed() {
        // Given
        var simulation = YamlSimulation.of(Schedulers.KUBE);
        simulation.apply("""
                apiVersion: v1
                kind: Node
                metadata: {name: a-node-0, labels: {kubernetes.io/hostname: a-node-0}}
                status:
                  allocatable: {cpu: "4", memory: 8Gi, pods: "10"}
                  capacity: {cpu: "4", memory: 8Gi, pods: "10"}
                  conditions: [{type: Ready, status: "True"}]
                ---
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu.example.com}
                spec: {selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].healthy == "yes"'}}]}
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: gpu}
                spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
                """);
        simulation.apply(slice(1, "model"));
        simulation.apply(pod("first", "a", "gpu"));
        simulation.simulation().pass(Duration.ofSeconds(12));

        // When
        simulation.apply(slice(2, "healthy"));
        simulation.simulation().pass(Duration.ofSeconds(12));

        // Then
        assertThat(simulation.running()).containsExactly("first");
    }

    private static YamlSimulation twoNodes() {
        var simulation = YamlSimulation.of(Schedulers.KUBE);
        simulation.apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: gpu}
                spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
                """);
        simulation.apply(fakeGpu("a") + "---\n" + fakeGpu("b"));
        return simulation;
    }

    private static String slice(int generation, String attribute) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: gpu}
                spec:
                  driver: gpu.example.com
                  nodeName: a-node-0
                  pool: {name: a-node-0, generation: %d, resourceSliceCount: 1}
                  devices: [{name: gpu-0, attributes: {%s: {string: "yes"}}}]
                """.formatted(generation, attribute);
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
