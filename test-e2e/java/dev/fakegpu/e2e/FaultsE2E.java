package dev.fakegpu.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.Allocator;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Faults that are injected and healed by editing the FakeGpu. */
class FaultsE2E {

    private static final String GPU = "gpu.example.com";
    private static final String FAILED = "FailedPrepareDynamicResources";

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.withControllerManager();

    @RegisterExtension
    static final OperatorExtension operator = new OperatorExtension(controlPlane);

    private Scenario scenario;

    @BeforeEach
    void begin() {
        scenario = new Scenario(controlPlane.client(), Allocator.Companion);
        scenario.apply("example-3.yaml");
    }

    @AfterEach
    void end() {
        scenario.close();
    }

    @Test
    void podFailsTwiceAndRunsThen() {
        // Given
        inject("{\"name\":\"flaky\",\"when\":{\"first\":2},\"message\":\"no link\"}");

        // When
        scenario.podWithClaim("pod", GPU, "vgpu");

        // Then
        scenario.awaitRunning("pod");
        assertThat(scenario.events("pod", FAILED))
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage())
                        .isEqualTo(
                                "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed"
                                        + " for ResourceClaim pod: injected fault \"flaky\": no link"));
    }

    @Test
    void faultKeepsThePodUntilItIsHealed() {
        // Given
        inject("{\"name\":\"down\"}");
        scenario.podWithClaim("pod", GPU, "vgpu");
        assertThat(scenario.awaitEvent("pod", FAILED)).endsWith("injected fault \"down\"");
        scenario.await(() -> assertThat(DeviceStatuses.readyCondition(
                        scenario.storedClaim("pod"), scenario.devices("pod").get(0)))
                .hasValueSatisfying(condition -> {
                    assertThat(condition.getReason()).isEqualTo("PrepareFailed");
                    assertThat(condition.getMessage()).isEqualTo("injected fault \"down\"");
                }));
        assertThat(scenario.fakeGpu().getStatus().conditions())
                .filteredOn(condition -> "FaultsInjected".equals(condition.getType()))
                .extracting(Condition::getMessage)
                .containsExactly("on simulated nodes: \"down\" (Prepare: Fail)");
        assertThat(scenario.storedPod("pod").getStatus().getPhase()).isEqualTo("Pending");

        // When
        heal();

        // Then
        scenario.awaitRunning("pod");
        scenario.await(() -> assertThat(scenario.fakeGpu().getStatus().conditions())
                .extracting(Condition::getType)
                .isNotEmpty()
                .doesNotContain("FaultsInjected"));
    }

    @Test
    void faultOfOneDeviceLeavesOthersAlone() {
        // Given
        inject("{\"name\":\"bad-slice\",\"devices\":{\"names\":[\"gpu-0-mig-1g-0\"]}}");

        // When
        scenario.podWithClaim("first", GPU, "mig-1g");
        scenario.awaitEvent("first", FAILED);
        scenario.podWithClaim("second", GPU, "mig-1g");

        // Then
        scenario.awaitRunning("second");
        assertThat(scenario.devices("first")).extracting("device").containsExactly("gpu-0-mig-1g-0");
        assertThat(scenario.storedPod("first").getStatus().getPhase()).isEqualTo("Pending");
    }

    @Test
    void driverThatHangsKeepsNobodyElseWaiting() {
        // Given
        inject("{\"name\":\"stuck\",\"effect\":\"Hang\",\"devices\":{\"names\":[\"gpu-0-mig-1g-0\"]}}");
        scenario.podWithClaim("first", GPU, "mig-1g");
        scenario.awaitAllocated("first");

        // When
        scenario.podWithClaim("second", GPU, "mig-1g");

        // Then
        scenario.awaitRunning("second");
        assertThat(scenario.storedPod("first").getStatus().getPhase()).isEqualTo("Pending");
        heal();
        scenario.awaitRunning("first");
    }

    @Test
    void podStaysWhileItsClaimCannotBeUnprepared() {
        // Given
        scenario.podWithClaim("pod", GPU, "vgpu");
        scenario.awaitRunning("pod");
        inject("{\"name\":\"sticky\",\"operation\":\"Unprepare\"}");

        // When
        controlPlane
                .client()
                .pods()
                .inNamespace(scenario.namespace())
                .withName("pod")
                .delete();

        // Then
        assertThat(scenario.awaitEvent("pod", "FailedUnprepareDynamicResources"))
                .isEqualTo("Failed to unprepare dynamic resources: NodeUnprepareResources failed for ResourceClaim pod:"
                        + " injected fault \"sticky\"");
        assertThat(scenario.storedPod("pod").getMetadata().getDeletionTimestamp())
                .isNotNull();
        assertThat(DeviceStatuses.isPrepared(
                        scenario.storedClaim("pod"), scenario.devices("pod").get(0)))
                .isTrue();

        // When
        heal();

        // Then
        scenario.await(() -> assertThat(controlPlane
                        .client()
                        .pods()
                        .inNamespace(scenario.namespace())
                        .withName("pod")
                        .get())
                .isNull());
    }

    private void inject(String fault) {
        scenario.patch("{\"spec\":{\"faults\":[" + fault + "]}}");
    }

    private void heal() {
        scenario.patch("{\"spec\":{\"faults\":null}}");
    }
}
