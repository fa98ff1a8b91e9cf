package dev.fakegpu.cluster.fit;

import static dev.fakegpu.testing.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the results of upstream's {@code PodRequests} with {@code UseStatusResources}, with which {@code NodeAllocatableDifferentialTest}
 * compares.
 */
class OccupiedResourcesTest {

    private static final String TWO = "containers: [{name: a, resources: {requests: {cpu: 2}}}]";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | {cpu=2}",
                "[{name: a, allocatedResources: {cpu: 3}}] | {cpu=3}",
                "[{name: a, allocatedResources: {cpu: 1}}] | {cpu=2}",
                "[{name: a, allocatedResources: {cpu: 1}, resources: {requests: {cpu: 4}}}] | {cpu=4}",
                "[{name: a, resources: {requests: {cpu: 1, memory: 8}}}] | {cpu=2, memory=8}",
                "[{name: other, allocatedResources: {cpu: 3}}] | {cpu=2}",
            })
    void theLargestOfSpecAndStatusCounts(String containerStatuses, String requests) {
        assertThat(requests(TWO, "containerStatuses: " + containerStatuses)).isEqualTo(requests);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Deferred | {cpu=2}",
                "Infeasible | {cpu=1}",
            })
    void infeasibleResizeDoesNotCount(String reason, String requests) {
        assertThat(requests(
                        TWO,
                        "containerStatuses: [{name: a, allocatedResources: {cpu: 1}}], conditions: [{type: PodResizePending, status: 'True', reason: "
                                + reason + "}]"))
                .isEqualTo(requests);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resources: {requests: {cpu: 4}} | {cpu=5}",
                "resources: {requests: {cpu: 6}} | {cpu=6}",
                "resources: {requests: {cpu: 4}}, allocatedResources: {cpu: 7} | {cpu=7}",
                "allocatedResources: {cpu: 7} | {cpu=5}",
            })
    void largestResourcesOfThePodCount(String status, String requests) {
        assertThat(requests("resources: {requests: {cpu: 5}}, " + TWO, status)).isEqualTo(requests);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{name: side, restartPolicy: Always, resources: {requests: {cpu: 1}}}] | {cpu=6}",
                "[{name: side, resources: {requests: {cpu: 1}}}] | {cpu=4}",
            })
    void statusesOfInitContainersCountAsTheirKindDoes(String initContainers, String requests) {
        assertThat(requests(
                        TWO + ", initContainers: " + initContainers,
                        "initContainerStatuses: [{name: side, allocatedResources: {cpu: 4}}]"))
                .isEqualTo(requests);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "containerStatuses: [{name: a, allocatedResources: {cpu: 3}}] | {cpu=4}",
                "containerStatuses: [{name: a, resources: {requests: {cpu: 3500m}}}] | {cpu=3.5}",
                "resources: {requests: {cpu: 3}}, allocatedResources: {cpu: 3} | {cpu=3}",
            })
    void whatDevicesTakeIsPartOfWhatIsInEffect(String status, String requests) {
        assertThat(
                        requests(
                                TWO,
                                status
                                        + ", nodeAllocatableResourceClaimStatuses: [{resourceClaimName: c, containers: [a], mapping: [{name: cpu, quantity: 1}]}]"))
                .isEqualTo(requests);
    }

    private static String requests(String spec, String status) {
        return new TreeMap<>(OccupiedResources.of(
                        pod("{name: pod}", "spec: {" + spec + "}", "status: {" + status + "}"), Map.of()))
                .toString();
    }
}
