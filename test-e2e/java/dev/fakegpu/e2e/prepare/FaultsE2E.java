package dev.fakegpu.e2e.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Faults that are injected and healed by editing the FakeGpu. */
class FaultsE2E {

    private static final String GPU = "gpu.example.com";
    private static final String FAILED = "FailedPrepareDynamicResources";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @AutoClose
    private final ClusterScenario scenario = cluster.scenario(AllocatorName.Companion);

    @BeforeEach
    void begin() {
        scenario.apply("example-3.yaml");
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
    void onlyTheSecondCallFails() {
        // Given
        inject("{\"name\":\"flaky\",\"when\":{\"nth\":2}}");
        scenario.podWithClaim("first", GPU, "vgpu");
        scenario.awaitRunning("first");

        // When
        scenario.podWithClaim("second", GPU, "vgpu");

        // Then
        assertThat(scenario.awaitEvent("second", FAILED)).endsWith("injected fault \"flaky\"");
        scenario.awaitRunning("second");
        assertThat(scenario.events("first", FAILED)).isEmpty();
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
                .containsExactly("in the kubelet's calls: \"down\" (Prepare: Fail)");
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
        cluster.client()
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
        var device = scenario.devices("pod").get(0);
        assertThat(DeviceStatuses.isPrepared(scenario.storedClaim("pod"), device))
                .isTrue();
        assertThat(DeviceStatuses.preparedAs(scenario.storedClaim("pod"), device))
                .isNotNull();
        assertThat(DeviceStatuses.readyCondition(scenario.storedClaim("pod"), device))
                .hasValueSatisfying(ready ->
                        assertThat(ready.getMessage()).isEqualTo("cannot be unprepared: injected fault \"sticky\""));

        // When
        heal();

        // Then
        scenario.await(() -> assertThat(cluster.client()
                        .pods()
                        .inNamespace(scenario.namespace())
                        .withName("pod")
                        .get())
                .isNull());
    }

    @Test
    void wrongDeviceIsSetUpAndEverybodyIsTold() {
        // Given
        inject("{\"name\":\"swap\",\"effect\":\"WrongDevice\"}");

        // When
        scenario.podWithClaim("pod", GPU, "vgpu");
        scenario.awaitRunning("pod");

        // Then
        var allocated = scenario.devices("pod").get(0);
        assertThat(allocated.device()).isEqualTo("gpu-0-vgpu-0");
        var claim = scenario.storedClaim("pod");
        String told = "injected fault \"swap\": containers get gpu-0-vgpu-1 instead of it";
        assertThat(DeviceStatuses.readyCondition(claim, allocated))
                .hasValueSatisfying(
                        condition -> assertThat(condition.getMessage()).isEqualTo(told));
        var status = DeviceStatuses.find(claim, allocated).orElseThrow();
        assertThat(DeviceStatuses.cdiDeviceId(status))
                .hasValueSatisfying(id -> assertThat(id).endsWith("-gpu-0-vgpu-1"));
        assertThat(DeviceStatuses.snapshot(claim, allocated)).isNotNull();
        assertThat(scenario.awaitEvent("pod", "InjectedFault"))
                .isEqualTo("ResourceClaim pod, device gpu-0-vgpu-0: " + told);
    }

    @Test
    void deviceFallsIllSomeTimeAfterTheFaultWasApplied() {
        // When
        inject(
                "{\"name\":\"xid\",\"effect\":\"Health\",\"health\":{\"state\":\"XidError\",\"xid\":79},\"after\":\"3s\","
                        + "\"devices\":{\"names\":[\"gpu-0-vgpu-0\"]}}");

        // Then
        var applied = scenario.fakeGpu().getStatus().faults();
        assertThat(applied).extracting("name").containsExactly("xid");
        assertThat(faultsInjected()).startsWith("in the slices: \"xid\" (Health: XidError 79 ");
        scenario.await(() -> assertThat(taints("gpu-0-vgpu-0")).contains("gpu.example.com/xid=79:NoSchedule"));
        assertThat(taints("gpu-0-vgpu-1")).doesNotContain("gpu.example.com/xid=79:NoSchedule");
        scenario.await(() -> {
            var stored = fakeGpu().getStatus().faults().get(0);
            assertThat(stored.appliedAt()).isEqualTo(applied.get(0).appliedAt());
            assertThat(stored.struckAt()).isNotNull();
            assertThat(Duration.between(Instant.parse(stored.appliedAt()), Instant.parse(stored.struckAt())))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(3));
        });
        scenario.await(() -> assertThat(cluster.client()
                        .v1()
                        .events()
                        .inNamespace("default")
                        .list()
                        .getItems())
                .filteredOn(event -> "InjectedFault".equals(event.getReason()))
                .anySatisfy(event -> assertThat(event.getMessage())
                        .startsWith("injected fault \"xid\": Health: XidError 79 since ")));

        // When
        heal();

        // Then
        scenario.await(() -> assertThat(taints("gpu-0-vgpu-0")).doesNotContain("gpu.example.com/xid=79:NoSchedule"));
        assertThat(fakeGpu().getStatus().faults()).isEmpty();
    }

    @Test
    void deviceFallsIllWhileItIsPreparedAndRecovers() {
        // Given
        inject(
                "{\"name\":\"worn\",\"effect\":\"Taint\",\"taint\":{\"key\":\"example.com/worn\",\"effect\":\"NoSchedule\"},"
                        + "\"since\":\"Prepared\",\"after\":\"1s\"}");
        assertThat(faultsInjected())
                .isEqualTo(
                        "in the slices: \"worn\" (Taint: example.com/worn:NoSchedule 1s after preparation, now no device)");

        // When
        scenario.podWithClaim("pod", GPU, "mig-1g");
        scenario.awaitRunning("pod");

        // Then
        scenario.await(() -> assertThat(taints("gpu-0-mig-1g-0")).contains("example.com/worn:NoSchedule"));
        assertThat(taints("gpu-0-mig-1g-1")).doesNotContain("example.com/worn:NoSchedule");
        scenario.await(() -> assertThat(faultsInjected()).endsWith("/gpu-0-mig-1g-0)"));

        // When
        scenario.deletePod("pod");

        // Then
        scenario.await(() -> assertThat(taints("gpu-0-mig-1g-0")).doesNotContain("example.com/worn:NoSchedule"));
    }

    private FakeGpu fakeGpu() {
        return cluster.client()
                .resources(FakeGpu.class)
                .withName(scenario.fakeGpu().getMetadata().getName())
                .require();
    }

    private String faultsInjected() {
        return fakeGpu().getStatus().conditions().stream()
                .filter(condition -> "FaultsInjected".equals(condition.getType()))
                .map(Condition::getMessage)
                .findFirst()
                .orElseThrow();
    }

    private List<String> taints(String device) {
        return cluster
                .client()
                .resources(ResourceSlice.class)
                .withLabel(Labels.FAKEGPU, scenario.fakeGpu().getMetadata().getName())
                .list()
                .getItems()
                .stream()
                .map(SliceReader::read)
                .flatMap(slice -> slice.devices().stream())
                .filter(known -> known.name().equals(device))
                .flatMap(known -> known.taints().stream())
                .map(DeviceTaint::toString)
                .toList();
    }

    private void inject(String fault) {
        scenario.patch("{\"spec\":{\"faults\":[" + fault + "]}}");
    }

    private void heal() {
        scenario.patch("{\"spec\":{\"faults\":null}}");
    }
}
