package dev.fakegpu.cluster.quota;

import static dev.fakegpu.testing.ClusterYaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.PodRequests;
import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitRangesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: Container, default: {cpu: 2}}                            | '{}'                                      | 2 | 2",
                "{type: Container, default: {cpu: 2}, defaultRequest: {cpu: 1}}  | '{}'                                      | 1 | 2",
                "{type: Container, default: {cpu: 2}, defaultRequest: {cpu: 1}}  | '{limits: {cpu: 3}}'                      | 3 | 3",
                "{type: Container, default: {cpu: 2}, defaultRequest: {cpu: 1}}  | '{requests: {cpu: 500m}}'                 | 500m | 2",
                "{type: Container, max: {cpu: 4}, min: {cpu: 100m}}              | '{}'                                      | 4 | 4",
                "{type: Container, min: {cpu: 100m}}                             | '{}'                                      | 100m | ''",
                "{type: Pod, max: {cpu: 4}}                                      | '{}'                                      | '' | ''",
            })
    void containersGetWhatTheyLack(String item, String resources, String request, String limit) {
        Pod pod = pod(resources);

        limits(item).setDefaults(pod);

        var given = pod.getSpec().getContainers().get(0).getResources();
        assertThat(
                        given == null || given.getRequests().isEmpty()
                                ? ""
                                : given.getRequests().get("cpu").toString())
                .isEqualTo(request);
        assertThat(
                        given == null || given.getLimits().isEmpty()
                                ? ""
                                : given.getLimits().get("cpu").toString())
                .isEqualTo(limit);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: Container, min: {cpu: 100m}} | '{requests: {cpu: 50m}}' | 'minimum cpu usage per Container is 100m, but request is 50m'",
                "{type: Container, min: {memory: 1Gi}} | '{requests: {cpu: 50m}}' | 'minimum memory usage per Container is 1Gi.  No request is specified'",
                "{type: Container, max: {cpu: 2}} | '{requests: {cpu: 1}}' | 'maximum cpu usage per Container is 2.  No limit is specified'",
                "{type: Container, max: {cpu: 2}} | '{limits: {cpu: 3}}' | 'maximum cpu usage per Container is 2, but limit is 3'",
                "{type: Container, max: {cpu: 2}} | '{limits: {cpu: 2}}' | ''",
                "{type: Pod, max: {cpu: 3}} | '{limits: {cpu: 2}}' | 'maximum cpu usage per Pod is 3, but limit is 4'",
                "{type: Pod, max: {cpu: 4}} | '{limits: {cpu: 2}}' | ''",
                "{type: Container, maxLimitRequestRatio: {cpu: 2}} | '{requests: {cpu: 1}, limits: {cpu: 3}}' | 'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000'",
                "{type: Container, maxLimitRequestRatio: {cpu: 2}} | '{}' | 'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0'",
                "{type: Container, min: {cpu: 1}, max: {memory: 1Gi}} | '{requests: {cpu: 500m}, limits: {memory: 2Gi}}' | '[minimum cpu usage per Container is 1, but request is 500m, maximum memory usage per Container is 1Gi, but limit is 2Gi]'",
            })
    void podsBeyondThemAreRefusedInTheWordsOfTheServer(String item, String resources, String detail) {
        assertThat(limits(item).refusal(pod(resources)).orElse(""))
                .isEqualTo(detail.isEmpty() ? "" : "pods \"p\" is forbidden: " + detail);
    }

    /** Upstream: {@code podRequests} and {@code podLimits} of {@code plugin/pkg/admission/limitranger}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: Pod, max: {hugepages-2Mi: 8Mi}} | '{}' | '{limits: {hugepages-2Mi: 6Mi}}' | 'maximum hugepages-2Mi usage per Pod is 8Mi.  No limit is specified'",
                "{type: Pod, max: {hugepages-2Mi: 8Mi}} | '{limits: {hugepages-2Mi: 2Mi}}' | '{limits: {hugepages-2Mi: 10Mi}}' | ''",
                "{type: Pod, max: {memory: 1Gi}} | '{limits: {memory: 256Mi}}' | '{limits: {memory: 2Gi}}' | 'maximum memory usage per Pod is 1Gi, but limit is 2Gi'",
                "{type: Pod, max: {cpu: 2}} | '{limits: {cpu: 0}}' | '{}' | ''",
                "{type: Pod, min: {cpu: 2}} | '{requests: {cpu: 0}}' | '{}' | 'minimum cpu usage per Pod is 2, but request is 0'",
            })
    void countsOnlyCpuAndMemoryOfTheResourcesOfAPod(String item, String resources, String ofPod, String detail) {
        Pod pod = pod(resources);
        pod.getSpec()
                .setResources(ClusterYaml.<Pod>object(
                                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [], resources: %s}}"
                                        .formatted(ofPod))
                        .getSpec()
                        .getResources());

        assertThat(limits(item).refusal(pod).orElse(""))
                .isEqualTo(detail.isEmpty() ? "" : "pods \"p\" is forbidden: " + detail);
    }

    /** Otherwise quotas for cpu would refuse pods that rely on defaults. */
    @Test
    void defaultsAreRequestedOfNodes() {
        Pod pod = pod("{}");

        limits("{type: Container, default: {cpu: 2}}").setDefaults(pod);

        assertThat(PodRequests.of(pod).get("cpu")).isEqualByComparingTo("4");
        assertThat(PodQuotaUsage.unsaid(pod, List.of("requests.cpu", "limits.cpu")))
                .isEmpty();
    }

    /** These fields may be missing in files. */
    @Test
    void rangesWithoutSpecOrTypeLimitNothing() {
        Pod pod = pod("{}");
        LimitRanges ranges = LimitRanges.in(
                "team",
                List.of(
                        object("{apiVersion: v1, kind: LimitRange, metadata: {name: empty, namespace: team}}"),
                        object(
                                "{apiVersion: v1, kind: LimitRange, metadata: {name: odd, namespace: team}, spec: {limits: [{max: {cpu: 1}}]}}")));

        ranges.setDefaults(pod);

        assertThat(ranges.refusal(pod)).isEmpty();
    }

    private static LimitRanges limits(String item) {
        return LimitRanges.in(
                "team",
                List.of(
                        object(
                                "{apiVersion: v1, kind: LimitRange, metadata: {name: limits, namespace: team}, spec: {limits: [%s]}}"
                                        .formatted(item)),
                        object(
                                "{apiVersion: v1, kind: LimitRange, metadata: {name: limits, namespace: other}, spec: {limits: [{type: Container, max: {cpu: 1m}}]}}")));
    }

    /** A pod with two equal containers. */
    private static Pod pod(String resources) {
        return object(
                ("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: team}, spec: {containers: [{name: a, resources: %1$s},"
                                + " {name: b, resources: %1$s}]}}")
                        .formatted(resources));
    }
}
