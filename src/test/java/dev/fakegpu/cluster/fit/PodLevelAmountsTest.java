package dev.fakegpu.cluster.fit;

import static dev.fakegpu.testing.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Kubernetes 1.37.1 stores for the same pods. */
class PodLevelAmountsTest {

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
            })
    void theApiServerAddsWhatContainersSay(String spec, String requests, String limits) {
        PodLevelAmounts amounts = PodLevelAmounts.of(pod("{name: pod}", "spec: {" + spec + "}"));

        assertThat(sorted(amounts.requests())).hasToString(requests);
        assertThat(sorted(amounts.limits())).hasToString(limits);
    }

    private static Map<String, BigDecimal> sorted(Map<String, BigDecimal> amounts) {
        return new TreeMap<>(amounts);
    }
}
