package dev.fakegpu.operator.schedule;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.Limits;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the order in which pending pods and claims are decided, when they are tried again, and what is reported. */
class WaitingIT extends CompanionCluster {
    // --- limits and order

    /** The test writes 255 reservations; they are not for pods, so nothing removes them. */
    @Test
    void claimHasNoMoreReservationsThanTheApiAllows() {
        // Given
        pod("first", "{}");
        awaitNode("first");
        var full = new ResourceClaimBuilder(claim("first"));
        for (int number = 0; number < Limits.RESERVATIONS - 1; number++) {
            full.editStatus()
                    .addNewReservedFor()
                    .withApiGroup("example.com")
                    .withResource("others")
                    .withName("other-" + number)
                    .withUid("other-" + number)
                    .endReservedFor()
                    .endStatus();
        }
        client.resource(full.build()).updateStatus();

        // When
        podWithClaim("last", "first", "{}");

        // Then
        String why = "ResourceClaim \"first\" is reserved for 256 consumers, which is the most that the API allows";
        assertThat(awaitRefused("last", why)).isEqualTo(why);

        // When
        delete("first");

        // Then
        assertThat(awaitNode("last")).isEqualTo("it-a");
        assertThat(claim("first"))
                .reservedFor()
                .hasSize(Limits.RESERVATIONS)
                .contains("last")
                .doesNotContain("first");
    }

    /** As with kube-scheduler, the time shows how long a pod has been pending. */
    @Test
    void theConditionKeepsItsTimeWhileOnlyItsMessageChanges() {
        // Given
        changeNode("it-a", "{spec: {unschedulable: true}}");
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}");
        createClaim("claim");
        podWithClaim("pod", "claim", "{}");
        PodCondition first = refusal("pod");
        assertThat(first.getLastTransitionTime()).isNotNull();
        assertThat(first.getObservedGeneration()).isEqualTo(1);
        Instant written = Instant.parse(first.getLastTransitionTime());
        await(() -> assertThat(Instant.now()).isAfter(written.plusSeconds(1))); // times have a precision of seconds

        // When
        changeNode(OTHER_NODE, "{spec: {unschedulable: null, taints: [{key: a, effect: NoSchedule}]}}");

        // Then
        assertThat(refusal("pod", "untolerated taint").getLastTransitionTime())
                .isEqualTo(first.getLastTransitionTime());
    }

    /** The claim can be reserved only for one pod after the other. */
    @Test
    void allPodsOfAClaimGetTheirTurn() {
        // Given
        changeNode("it-a", "{spec: {unschedulable: true}}");
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}");
        createClaim("shared");
        IntStream.range(0, 60).forEach(number -> podWithClaim("pod-" + number, "shared", "{}"));
        awaitRefused("pod-59");

        // When
        changeNode("it-a", "{spec: {unschedulable: null}}");

        // Then
        await(() -> assertThat(pods()).allMatch(PodState::isBound));
        assertThat(claim("shared")).reservedFor().hasSize(60);
    }

    @Test
    void podsAreSortedByPriorityAndAge() {
        // Given
        create("""
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: companion-it-high}
                value: 1000
                ---
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: companion-it-low}
                value: -1000
                """);
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}");
        pod("holder-0", "{}");
        pod("holder-1", "{}");
        awaitNode("holder-0");
        awaitNode("holder-1");
        awaitAdmitted("companion-it-high");
        awaitAdmitted("companion-it-low");
        List<String> names = List.of("low", "a-usual", "b-usual", "high");
        pod("low", "{priorityClassName: companion-it-low}");
        pod("a-usual", "{}");
        pod("b-usual", "{}");
        createClaim("c-claim", "labels: {fakegpu.dev/allocate: \"true\"}");
        pod("high", "{priorityClassName: companion-it-high}");
        names.forEach(this::awaitRefused);
        awaitRefused("low", "; 3 pods are before it, first \"high\" (priority 1000)");
        assertThat(awaitRefused("high", "is held by")).doesNotContain("before it");
        var order = List.of("high", "a-usual", "b-usual", "c-claim", "low");

        for (int next = 0; next < order.size(); next++) {
            // When
            delete(next == 0 ? "holder-0" : order.get(next - 1));

            // Then
            awaitAllocated(order.get(next));
            assertThat(order.subList(next + 1, order.size()))
                    .allSatisfy(later -> assertThat(claim(later)).isNotAllocated());
        }
        assertPossible();
    }

    /** Pods that need fewer devices do not wait for this pod, which is placed when enough devices are free. */
    @Test
    void aPodThatNeedsMoreThanIsFreeDelaysNoOther() {
        // Given
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}");
        pod("first", "{}");
        awaitNode("first");
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: both}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: it.example.com, count: 2}}]}}
                """);
        podWithClaim("both", "both", "{}");
        awaitRefused("both");

        // When
        pod("second", "{}");

        // Then
        awaitNode("second");

        // When
        delete("first");
        delete("second");

        // Then
        awaitNode("both");
    }

    // --- retries

    @Test
    void refusedPodsAreNotRetriedWhileNothingChangesThatCouldHelp() {
        // Given
        IntStream.range(0, 4).forEach(number -> pod("holder-" + number, "{}"));
        IntStream.range(0, 4).forEach(number -> awaitNode("holder-" + number));
        pod("waiting", "{}");
        awaitRefused("waiting", "is held by");
        int before = refusals.get();
        // When
        IntStream.range(0, 20).forEach(number -> {
            readiness("it-a", "True"); // a heartbeat
            changeLabels("waiting", number);
            changeLabels("holder-0", number);
            createClaim("unrelated-" + number);
        });
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: companion-it-other}
                spec:
                  driver: other.example.com
                  nodeName: it-a
                  pool: {name: other, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0}]
                """);
        podWithoutClaim("last");
        awaitNode("last"); // now everything before it has been seen

        // Then
        assertThat(refusals).hasValue(before);

        // When
        delete("holder-3");

        // Then
        awaitNode("waiting");
    }

    @ParameterizedTest
    @ValueSource(strings = {"class", "slice", "node", "taint"})
    void newObjectCausesAnotherAttempt(String what) {
        // Given
        IntStream.range(0, 4).forEach(number -> pod("holder-" + number, "{}"));
        IntStream.range(0, 4).forEach(number -> awaitNode("holder-" + number));
        if (what.equals("taint")) {
            slice("it-a", "more", "[{name: spare, taints: [{key: no, effect: NoSchedule}]}]");
        }
        if (what.equals("class")) {
            slice("it-a", "more", "[{name: spare}]");
        }
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: waiting}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: %s}}]}}
                """.formatted(what.equals("class") ? "new.example.com" : "it.example.com"));
        podWithClaim("waiting", "waiting", "{}");
        awaitRefused("waiting");

        // When
        switch (what) {
            case "class" -> create("""
                    apiVersion: resource.k8s.io/v1
                    kind: DeviceClass
                    metadata: {name: new.example.com}
                    spec: {selectors: [{cel: {expression: "device.driver == 'it.example.com'"}}]}
                    """);
            case "slice" -> slice("it-a", "more", "[{name: spare}]");
            case "node" -> {
                slice("it-c", "[{name: gpu-0}]");
                node("it-c");
            }
            default ->
                changeSlice("it-a-more", slice -> {
                    slice.getSpec().getDevices().get(0).setTaints(List.of(COMPANION_ONLY));
                    return slice;
                });
        }

        // Then
        awaitNode("waiting");
        assertPossible();
    }

    /** Waits for the API server's admission plugin, which sees a class shortly after it is stored. */
    private void awaitAdmitted(String priorityClass) {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("admitted")
                .endMetadata()
                .withNewSpec()
                .withPriorityClassName(priorityClass)
                .addNewContainer()
                .withName("main")
                .withImage("i")
                .endContainer()
                .endSpec()
                .build();
        await(() -> assertThatCode(() -> client.resource(pod).dryRun().create()).doesNotThrowAnyException());
    }
}
