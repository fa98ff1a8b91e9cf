package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class NodeUsageTest {

    private static final Node NODE =
            TestObjects.node("{name: node}", "status: {allocatable: {cpu: 2, memory: 1Gi, pods: 2}}");

    private final NodeUsage usage = new NodeUsage();

    @Test
    void podsOfTheNodeTakeTheirRequests() {
        // Given
        usage.update(pod("a", "1500m", "node"));

        // Then
        assertThat(missing(PodRequests.of(pod("b", "500m", null)))).isEmpty();
        assertThat(missing(PodRequests.of(pod("b", "501m", null)))).contains("Insufficient cpu");
        assertThat(usage.shortages(NODE, PodRequests.of(pod("b", "501m", null)), Map.of(), "default"))
                .extracting(Shortage::details)
                .containsExactly("Insufficient cpu: 501m requested, 500m of 2 free");
    }

    @Test
    void theNumberOfPodsIsLimited() {
        // Given
        usage.update(pod("a", "0", "node"));
        usage.update(pod("b", "0", "node"));

        // Then
        assertThat(usage.isFull(NODE)).isTrue();
    }

    @Test
    void hostPortsOfANodeAreComputedOnceForEachSetOfPods() {
        // Given
        Pod pod = pod("a", "0", "node");
        pod.getSpec()
                .getContainers()
                .get(0)
                .setPorts(List.of(new ContainerPortBuilder().withHostPort(80).build()));
        usage.update(pod);

        // When
        var ports = usage.ports("node");

        // Then
        assertThat(ports).hasSize(1).isSameAs(usage.ports("node"));
        usage.update(pod("b", "0", "node"));
        assertThat(usage.ports("node")).isEqualTo(ports).isNotSameAs(ports);
        usage.remove(pod.getMetadata().getUid());
        assertThat(usage.ports("node")).isEmpty();
    }

    /** Such a node may have been deleted, and others with new names follow. */
    @Test
    void nothingIsKeptAboutANodeWithoutPods() {
        // Given
        usage.update(pod("a", "500m", "node"));
        usage.remove("a");

        // When
        usage.ports("node");
        usage.nonZero("node");

        // Then
        assertThat(usage)
                .extracting("byNode", "podsByNode", "nonZero", "ports")
                .allSatisfy(byNode -> assertThat((Map<?, ?>) byNode).isEmpty());
    }

    @Test
    void allResourcesThatAreShortAreNamed() {
        // Given
        usage.update(pod("a", "2", "node"));
        usage.update(pod("b", "0", "node"));

        // Then
        var requests = Map.of("example.com/card", BigDecimal.ONE, "cpu", BigDecimal.ONE, "memory", BigDecimal.ONE);
        assertThat(missing(requests)).containsExactly("Insufficient cpu", "Insufficient example.com/card");
    }

    @Test
    void resourcesThatANodeDoesNotListAreMissing() {
        assertThat(missing(PodRequests.amounts(Map.of("ephemeral-storage", new Quantity("1")))))
                .contains("Insufficient ephemeral-storage");
    }

    @Test
    void aPodThatEndedReleasesEverything() {
        // Given
        usage.update(pod("a", "2", "node"));

        // When
        var ended = new PodBuilder(pod("a", "2", "node"))
                .withNewStatus()
                .withPhase("Succeeded")
                .endStatus()
                .build();

        // Then
        assertThat(usage.update(ended)).contains("node");
        assertThat(missing(PodRequests.of(pod("b", "2", null)))).isEmpty();
    }

    @Test
    void anAssumedPodCountsAlthoughItIsNotStoredAsBound() {
        // Given
        usage.assume(pod("a", "2", null), "node");

        // When
        usage.update(pod("a", "2", null));

        // Then
        assertThat(missing(PodRequests.of(pod("b", "1", null)))).contains("Insufficient cpu");

        // When
        usage.forget("a");
        usage.update(pod("a", "2", null));

        // Then
        assertThat(missing(PodRequests.of(pod("b", "1", null)))).isEmpty();
    }

    /** A version of the pod from before its binding may be seen after the binding was written. */
    @Test
    void theStoredPodCountsOnceItIsBound() {
        // Given
        usage.assume(pod("a", "2", null), "node");
        usage.update(pod("a", "2", "node"));
        assertThat(missing(PodRequests.of(pod("b", "1", null)))).contains("Insufficient cpu");

        // When
        var freed = usage.update(pod("a", "2", null));

        // Then
        assertThat(freed).contains("node");
        assertThat(missing(PodRequests.of(pod("b", "1", null)))).isEmpty();
    }

    /** After an error, the scheduling thread continues with the next pod. */
    @Test
    void podsThatAreCountedForAQuestionLeaveWithIt() {
        // When
        assertThatThrownBy(() -> usage.holdsBeside(List.of(pod("a", "2", null)), "node", () -> {
                    throw new IllegalStateException("any");
                }))
                .hasMessage("any");

        // Then
        assertThat(missing(PodRequests.of(pod("b", "2", null)))).isEmpty();
    }

    @Test
    void podsThatAreNotCountedForAQuestionComeBackAfterIt() {
        // Given
        var stored = pod("a", "2", "node");
        usage.update(stored);

        // When
        assertThatThrownBy(() -> usage.holdsWithout(List.of(stored), () -> {
                    throw new IllegalStateException("any");
                }))
                .hasMessage("any");

        // Then
        assertThat(missing(PodRequests.of(pod("b", "1", null)))).contains("Insufficient cpu");
    }

    @Test
    @Timeout(30)
    void hugeRequestsAreCountedAndGivenBack() {
        // Given
        usage.update(pod("a", "1e999999999", "node"));
        var whileThere = missing(PodRequests.of(pod("c", "1", null)));

        // When
        usage.remove("a");

        // Then
        assertThat(whileThere).contains("Insufficient cpu");
        assertThat(missing(PodRequests.of(pod("c", "1", null)))).isEmpty();
        assertThat(missing(PodRequests.of(pod("c", "1e999999999", null)))).contains("Insufficient cpu");
    }

    private static Pod pod(String name, String cpu, String node) {
        return TestObjects.pod(
                "{name: %1$s, uid: %1$s}".formatted(name),
                "spec: {nodeName: %s, containers: [{resources: {requests: {cpu: '%s'}}}]}".formatted(node, cpu));
    }

    private List<String> missing(Map<String, BigDecimal> requests) {
        return usage.shortages(NODE, requests, Map.of(), "default").stream()
                .map(Shortage::message)
                .toList();
    }
}
