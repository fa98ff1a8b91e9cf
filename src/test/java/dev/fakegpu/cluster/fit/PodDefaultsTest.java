package dev.fakegpu.cluster.fit;

import static dev.fakegpu.testing.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the defaults that Kubernetes 1.37.1 stores for the same pods. */
class PodDefaultsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "containers: [{resources: {limits: {cpu: 2}}}] | {} | {}",
                "resources: {}, containers: [{resources: {limits: {cpu: 2}}}] | {} | {}",
                "resources: {limits: {cpu: 4}}, containers: [{}] | {cpu=4} | {cpu=4}",
                "resources: {limits: {cpu: 4}}, containers: [{resources: {requests: {cpu: 1, memory: 5}}}] | {cpu=1, memory=5} | {cpu=4}",
                "resources: {requests: {cpu: 7}}, containers: [{resources: {limits: {cpu: 2}}}] | {cpu=7} | {cpu=7}",
                "resources: {requests: {cpu: 1}}, containers: [{resources: {limits: {cpu: 2}}}, {resources: {limits: {cpu: 2}}}] | {cpu=1} | {cpu=4}",
                "resources: {requests: {cpu: 7}}, containers: [{resources: {limits: {cpu: 2}}}, {}] | {cpu=7} | {}",
                "resources: {requests: {cpu: 7}}, containers: [{resources: {limits: {cpu: 2}}}], initContainers: [{}] | {cpu=7} | {}",
                "resources: {requests: {cpu: 1}}, containers: [{resources: {limits: {hugepages-2Mi: 8, example.com/gpu: 1}}}] | {cpu=1, hugepages-2Mi=8} | {hugepages-2Mi=8}",
                "resources: {requests: {cpu: 1}}, containers: [{resources: {limits: {ephemeral-storage: 8}}}] | {cpu=1} | {}",
                "resources: {limits: {memory: 4Gi}}, containers: [{resources: {limits: {cpu: 500m}}}, {resources: {limits: {cpu: 1}}}] | {cpu=1500m, memory=4Gi} | {cpu=1500m, memory=4Gi}",
                "resources: {limits: {cpu: 9}}, containers: [{resources: {requests: {memory: 1Gi}}}], initContainers: [{restartPolicy: Always, resources: {requests: {memory: 1Gi}}}, {resources: {requests: {memory: 3Gi}}}] | {cpu=9, memory=4Gi} | {cpu=9}",
            })
    void theApiServerAddsWhatContainersSay(String spec, String requests, String limits) {
        Pod pod = pod("{name: pod}", "spec: {" + spec + "}");

        PodDefaults.set(pod);
        PodDefaults.set(pod); // changes nothing

        var ofPod = Objects.requireNonNullElseGet(pod.getSpec().getResources(), ResourceRequirements::new);
        assertThat(sorted(ofPod.getRequests())).hasToString(requests);
        assertThat(sorted(ofPod.getLimits())).hasToString(limits);
    }

    @Test
    void aLimitOfAContainerIsItsRequestUnlessThereIsOne() {
        Pod pod = pod(
                "{name: pod}",
                "spec:",
                "  containers: [{resources: {limits: {cpu: 2, memory: 1Gi}, requests: {cpu: 1}}}, {}]",
                "  initContainers: [{restartPolicy: Always, resources: {limits: {example.com/gpu: 1}}}]");

        PodDefaults.set(pod);

        assertThat(sorted(pod.getSpec().getContainers().get(0).getResources().getRequests()))
                .hasToString("{cpu=1, memory=1Gi}");
        assertThat(sorted(
                        pod.getSpec().getInitContainers().get(0).getResources().getRequests()))
                .hasToString("{example.com/gpu=1}");
    }

    private static Map<String, Quantity> sorted(Map<String, Quantity> amounts) {
        return new TreeMap<>(Objects.requireNonNullElse(amounts, Map.of()));
    }
}
