package dev.fakegpu.operator.schedule;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which pods the companion places, and on which nodes, including claims that are already allocated and pods that already have a node.
 */
class PlacementIT extends CompanionCluster {
    // --- nodes

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"pods: 1 | Too many pods", "memory: 1Gi | Insufficient memory", "cpu: 1 | Insufficient cpu"})
    void podsOfANodeTakeWhatTheyRequestUntilTheyAreGone(String allocatable, String reason) {
        // Given
        client.nodes()
                .withName("it-a")
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), json("{status: {allocatable: {" + allocatable + "}}}"));
        awaitSeen();
        var spec =
                "{nodeSelector: {name: it-a}, containers: [{name: main, image: i, resources: {requests: {cpu: 1, memory: 600Mi}}}]}";
        var light = "{nodeSelector: {name: it-a}}";
        String first = allocatable.startsWith("pods") ? light : spec;
        pod("first", first);
        awaitNode("first");

        // When
        pod("second", first);

        // Then
        awaitRefused("second", "1 " + reason);

        // When
        delete("first");

        // Then
        awaitNode("second");
    }

    @Test
    void podWithASchedulingGateIsNotLookedAt() {
        // Given
        pod("gated", "{schedulingGates: [{name: example.com/not-yet}]}");
        pod("other", "{}");
        awaitNode("other");
        assertThat(claim("gated")).isNotProtected();
        assertThat(stored("gated")).isNotBound();

        // When
        client.pods()
                .inNamespace(namespace)
                .withName("gated")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"schedulingGates\":null}}");

        // Then
        awaitNode("gated");
    }

    // --- allocated claims, pods with a node

    @Test
    void podGoesWhereItsAllocatedClaimCanBeUsed() {
        // Given
        pod("holder", "{nodeSelector: {name: it-a}}");
        awaitNode("holder");

        // When
        podWithClaim("elsewhere", "holder", "{nodeSelector: {name: it-b}}");
        podWithClaim("anywhere", "holder", "{}");

        // Then
        assertThat(awaitNode("anywhere")).isEqualTo("it-a");
        awaitRefused("elsewhere", "ResourceClaim \"holder\" is allocated on it-a", "where the pod does not fit: ");
        assertThat(claim("holder")).isReservedFor("holder", "anywhere");
    }

    @Test
    void podThatHasANodeIsServedThereOnceItsClaimExists() {
        // Given
        podWithClaim("early", "late", "{nodeName: it-b}");
        awaitEvent("early", "ResourceClaim \"late\" does not exist");

        // When
        createClaim("late");

        // Then
        awaitAllocated("late");
    }

    @Test
    void devicesThatAnotherSchedulerAllocatedAreHeld() {
        // Given
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}");
        createClaim("by-hand");
        allocateByHand("by-hand", "it-a/it", "gpu-0");

        // When
        pod("first", "{}");
        assertThat(awaitNode("first")).isEqualTo("it-a");
        pod("second", "{}");

        // Then
        assertThat(claim("first")).holds("it-a/it/gpu-1");
        awaitRefused("second", "gpu-0 is held by by-hand");

        // When
        podWithClaim("owner", "by-hand", "{}");

        // Then
        assertThat(awaitNode("owner")).isEqualTo("it-a");
        assertThat(claim("by-hand")).holds("it-a/it/gpu-0");
        assertPossible();
    }

    /** An allocation that another scheduler writes while the pod is pending is used like one of the companion. */
    @Test
    void podUsesAClaimThatAnotherSchedulerAllocatesInTheMeantime() {
        // Given
        IntStream.range(0, 4).forEach(number -> pod("holder-" + number, "{}"));
        IntStream.range(0, 4).forEach(number -> awaitNode("holder-" + number));
        pod("waiting", "{}");
        awaitRefused("waiting");

        // When
        slice("it-b", "other", "[{name: spare, taints: [{key: no, effect: NoSchedule}]}]");
        allocateByHand("waiting", "it-b/other", "spare");

        // Then
        assertThat(awaitNode("waiting")).isEqualTo("it-b");
        assertThat(claim("waiting")).isReservedFor("waiting");
    }
}
