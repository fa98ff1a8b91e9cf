package dev.fakegpu.testing;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuStatus;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FakeGpuAssertionsTest {

    @Test
    void allocatedClaimsPassTheAssertions() {
        assertThat(claim())
                .isAllocated()
                .holds("node-0/a100/gpu-0")
                .holdsDevices(1)
                .hasResultsFor("gpu", "monitor")
                .isReservedFor("pod-b", "pod-a")
                .isProtected()
                .hasNoNotAllocatedReason();
    }

    @Test
    void newClaimsPassTheAssertions() {
        assertThat(unallocated()).isNotAllocated().holds().isReservedFor().isNotProtected();
    }

    @Test
    void refusedPodsPassTheAssertions() {
        assertThat(pod()).isNotBound().isUnschedulable().conditions().hasNo("Ready");
        assertThat(pod()).condition("PodScheduled").hasMessageContaining("no device", "gpu-0");
    }

    @Test
    void readyFakeGpusPassTheAssertions() {
        assertThat(fakeGpu(1, status())).isReady().hasTotals(1, 8, 448, 2);
        assertThat(fakeGpu(1, status())).condition("Published").isFalse().hasReason("NoNodes");
    }

    @ParameterizedTest
    @MethodSource
    void failuresNameTheObjectAndWhatIsWrong(String message, ThrowingCallable assertion) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion).withMessageContaining(message);
    }

    static Stream<Arguments> failuresNameTheObjectAndWhatIsWrong() {
        return Stream.of(
                failure(
                        "claim new to be allocated",
                        () -> assertThat(unallocated()).isAllocated()),
                failure(
                        "it holds [node-0/a100/gpu-0]",
                        () -> assertThat(claim()).isNotAllocated()),
                failure("devices of claim allocated", () -> assertThat(claim()).holds("node-0/a100/gpu-1")),
                failure("devices of claim new", () -> assertThat(unallocated()).holdsDevices(1)),
                failure("results of claim", () -> assertThat(claim()).hasResultsFor("gpu")),
                failure("reservations of claim", () -> assertThat(claim()).isReservedFor("pod-a")),
                failure("finalizers of claim", () -> assertThat(claim()).isNotProtected()),
                failure("finalizers of claim", () -> assertThat(unallocated()).isProtected()),
                failure(
                        "annotations of claim",
                        () -> assertThat(unallocated()).hasNotAllocatedReason("NoDevices: there are none")),
                failure("node of pod", () -> assertThat(pod()).isBound()),
                failure("node of pod", () -> assertThat(pod()).isBoundTo("node-0")),
                failure("Expected a condition Ready", () -> assertThat(pod()).condition("Ready")),
                failure(
                        "Expected no condition PodScheduled",
                        () -> assertThat(pod()).conditions().hasNo("PodScheduled")),
                failure(
                        "Expected status \"True\", but it is \"False\"",
                        () -> assertThat(fakeGpu(1, status()))
                                .condition("Published")
                                .isTrue()),
                failure(
                        "Expected reason",
                        () -> assertThat(fakeGpu(1, status()))
                                .condition("Published")
                                .hasReason("Stored")),
                failure("to have a status", () -> assertThat(fakeGpu(2, null)).isReady()),
                failure(
                        "about generation 2, but it is about 1",
                        () -> assertThat(fakeGpu(2, status())).isReady()),
                failure(
                        "Expected totals",
                        () -> assertThat(fakeGpu(1, status())).hasTotals(1, 8, 448, 3)));
    }

    private static Arguments failure(String message, ThrowingCallable assertion) {
        return Arguments.of(message, assertion);
    }

    private static ResourceClaim claim() {
        return TestObjects.claim("{name: allocated, finalizers: [resource.kubernetes.io/delete-protection]}", """
                status:
                  allocation:
                    devices:
                      results:
                      - {request: gpu, driver: gpu.example.com, pool: node-0/a100, device: gpu-0}
                      - {request: monitor, driver: gpu.example.com, pool: node-0/a100, device: gpu-1, adminAccess: true}
                  reservedFor: [{name: pod-a}, {name: pod-b}]
                """);
    }

    private static ResourceClaim unallocated() {
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withName("new")
                .endMetadata()
                .build();
    }

    private static Pod pod() {
        return TestObjects.pod("{name: pod-a}", """
                spec: {}
                status:
                  conditions:
                  - type: PodScheduled
                    status: "False"
                    reason: Unschedulable
                    message: 'no device for request "gpu": gpu-0 is held by pod-b-gpu'
                """);
    }

    private static FakeGpu fakeGpu(long generation, @Nullable FakeGpuStatus status) {
        var fakeGpu = TestObjects.fakeGpu("{name: a100, generation: %d}".formatted(generation));
        fakeGpu.setStatus(status);
        return fakeGpu;
    }

    private static FakeGpuStatus status() {
        return new FakeGpuStatus(
                1L,
                List.of(
                        new ConditionBuilder()
                                .withType("Published")
                                .withStatus("False")
                                .withReason("NoNodes")
                                .build(),
                        new ConditionBuilder()
                                .withType("Ready")
                                .withStatus("True")
                                .build()),
                new FakeGpuStatus.Totals(1, 8, 448, 2),
                List.of());
    }
}
