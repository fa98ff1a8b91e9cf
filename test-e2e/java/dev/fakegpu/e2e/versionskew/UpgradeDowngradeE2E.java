package dev.fakegpu.e2e.versionskew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * KEP-5963, Test Plan: upgrade, downgrade, upgrade. The feature gate is switched off and on again while an operator runs, which detects
 * this by itself; allocations survive it.
 */
@Tag("long")
class UpgradeDowngradeE2E {

    private static final String GPU = "gpu.example.com";
    private static final String REFUSED = "cannot allocate all claims";
    private static final ControlPlaneOptions GATE_ON = ControlPlaneOptions.withSchedulerAndControllerManager();
    private static final ControlPlaneOptions GATE_OFF = GATE_ON.featureGates("DRADeviceCompatibilityGroups=false");

    private static final ControlPlaneOptions GATE_OF_SCHEDULER_OFF =
            GATE_ON.schedulerFeatureGates("DRADeviceCompatibilityGroups=false");

    @SuppressWarnings("NullAway.Init") // each test starts its own control plane
    private ControlPlane controlPlane;

    @AfterEach
    void end() {
        controlPlane.close();
    }

    @Test
    void companionEnforcesGroupsInEveryVersion() {
        controlPlane = ControlPlane.start(GATE_ON);
        try (var operator = OperatorProcess.start(controlPlane, Map.of());
                var scenario = new ClusterScenario(controlPlane.client(), AllocatorName.Companion)) {
            scenario.apply("example-3.yaml");
            awaitGroups(scenario, "True Served", "the companion enforces them");
            assertThat(groupsInSlices()).containsExactly("mig", "mig", "vgpu", "vgpu");
            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            scenario.awaitRunning("pod-a");
            var held = scenario.devices("pod-a");

            controlPlane.restart(GATE_OFF);
            awaitGroups(
                    scenario,
                    "False FieldDropped",
                    "annotation fakegpu.dev/compatibility-groups; the companion enforces them");
            scenario.await(() -> {
                assertThat(groupsInSlices()).isEmpty();
                assertThat(annotations()).isNotEmpty();
            });
            scenario.podWithClaim("pod-b", GPU, "vgpu");
            scenario.awaitUnschedulable("pod-b", "held with group \"mig\"");
            assertThat(scenario.devices("pod-a")).isEqualTo(held);

            controlPlane.restart(GATE_ON);
            awaitGroups(scenario, "True Served", "the companion enforces them");
            scenario.await(() -> {
                assertThat(groupsInSlices()).containsExactly("mig", "mig", "vgpu", "vgpu");
                assertThat(annotations()).isEmpty();
            });
            assertThat(scenario.devices("pod-a")).isEqualTo(held);
            scenario.awaitRunning("pod-a");
            assertThat(scenario.devices("pod-b")).isEmpty();

            scenario.deletePod("pod-a");
            scenario.awaitRunning("pod-b");
        }
    }

    /** While the gate is off, kube-scheduler allocates incompatible devices, and these allocations are not undone afterwards. */
    @Test
    void kubeSchedulerEnforcesGroupsWhereItCanAndReevaluatesNothing() {
        controlPlane = ControlPlane.start(GATE_ON);
        try (var operator = OperatorProcess.start(controlPlane, Map.of());
                var scenario = new ClusterScenario(controlPlane.client(), AllocatorName.KubeScheduler)) {
            scenario.apply("example-3.yaml");
            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            scenario.awaitRunning("pod-a");
            var held = scenario.devices("pod-a");

            controlPlane.restart(GATE_OFF);
            awaitGroups(scenario, "False FieldDropped", "kube-scheduler does not see them");
            scenario.await(() -> assertThat(groupsInSlices()).isEmpty());
            scenario.podWithClaim("pod-b", GPU, "vgpu");
            var wrong = scenario.awaitAllocated("pod-b");
            scenario.awaitEvent(
                    "pod-b",
                    "FailedPrepareDynamicResources",
                    "gpu-0-vgpu-0 needs the hardware behind gpu-0-counters configured as \"vgpu\"");
            assertThat(scenario.devices("pod-a")).isEqualTo(held);
            scenario.awaitRunning("pod-a");

            controlPlane.restart(GATE_ON);
            awaitGroups(scenario, "True Served", "kube-scheduler enforces them if its feature gate");
            scenario.await(() -> assertThat(groupsInSlices()).containsExactly("mig", "mig", "vgpu", "vgpu"));
            assertThat(scenario.devices("pod-a")).isEqualTo(held);
            assertThat(scenario.devices("pod-b")).isEqualTo(wrong);
            scenario.awaitRefused(probe -> scenario.podWithClaim(probe, GPU, "mig-1g"), REFUSED);
            scenario.podWithClaim("pod-c", GPU, "mig-1g");
            scenario.awaitUnschedulable("pod-c");

            scenario.deletePod("pod-a");
            scenario.awaitRunning("pod-b");
        }
    }

    /** KEP-5963, Risks: a kube-scheduler with the gate off ignores devices with groups, so they are published without groups. */
    @Test
    void groupsAreLeftOutWhereKubeSchedulerWouldSkipTheDevices() {
        controlPlane = ControlPlane.start(GATE_OF_SCHEDULER_OFF);
        letOperatorReadMetrics();
        try (var operator = OperatorProcess.start(controlPlane, schedulerMetrics());
                var scenario = new ClusterScenario(controlPlane.client(), AllocatorName.KubeScheduler)) {
            scenario.apply("example-3.yaml");
            awaitGroups(scenario, "Unknown NotUsed", "its feature gate DRADeviceCompatibilityGroups is off");
            assertThat(groupsInSlices()).isEmpty();
            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            scenario.awaitRunning("pod-a");

            scenario.patch("{\"spec\": {\"compatibilityGroups\": {\"publish\": \"Always\"}}}");
            awaitGroups(scenario, "True Served", "kube-scheduler skips the devices");
            scenario.awaitRefused(probe -> scenario.podWithClaim(probe, GPU, "mig-1g"), REFUSED);
            scenario.podWithClaim("pod-b", GPU, "mig-1g");
            scenario.awaitUnschedulable("pod-b");

            scenario.patch("{\"spec\": {\"compatibilityGroups\": {\"publish\": \"Never\"}}}");
            awaitGroups(scenario, "Unknown NotUsed", "compatibilityGroups.publish is Never");
            scenario.awaitRunning("pod-b");

            scenario.patch("{\"spec\": {\"compatibilityGroups\": {\"publish\": \"Auto\"}}}");
            controlPlane.restart(GATE_ON);
            awaitGroups(scenario, "True Served", "kube-scheduler enforces them");
            scenario.awaitRefused(probe -> scenario.podWithClaim(probe, GPU, "vgpu"), REFUSED);
            scenario.podWithClaim("pod-c", GPU, "vgpu");
            scenario.awaitUnschedulable("pod-c");
        }
    }

    @Test
    void podsRefusedForTheGateOfKubeSchedulerGetAnEvent() {
        controlPlane = ControlPlane.start(GATE_OF_SCHEDULER_OFF);
        try (var operator = OperatorProcess.start(controlPlane, Map.of());
                var scenario = new ClusterScenario(controlPlane.client(), AllocatorName.KubeScheduler)) {
            scenario.apply("example-3.yaml");
            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            scenario.awaitUnschedulable("pod-a");
            scenario.podWithClaim("pod-b", GPU, "vgpu");

            for (String pod : List.of("pod-a", "pod-b")) {
                scenario.awaitEvent(
                        pod, "GroupsIgnored", "its devices are free", "KUBE_SCHEDULER_COMPATIBILITY_GROUPS=Off");
            }
        }
    }

    private void awaitGroups(ClusterScenario scenario, String statusAndReason, String message) {
        scenario.await(() -> {
            var condition = FakeGpuFixture.condition(
                    controlPlane.client().resource(scenario.fakeGpu()).require(), "CompatibilityGroupsServed");
            assertThat(condition.getStatus() + " " + condition.getReason())
                    .as(condition.getMessage())
                    .isEqualTo(statusAndReason);
            assertThat(condition.getMessage()).contains(message);
        });
    }

    private List<String> groupsInSlices() {
        return slices().stream()
                .map(SliceReader::read)
                .flatMap(slice -> slice.devices().stream())
                .map(Device::consumesCounters)
                .flatMap(List::stream)
                .flatMap(consumption -> consumption.compatibilityGroups().stream())
                .toList();
    }

    private List<String> annotations() {
        return slices().stream()
                .map(GroupsAnnotation::text)
                .filter(text -> text != null)
                .toList();
    }

    private List<ResourceSlice> slices() {
        return controlPlane.client().resources(ResourceSlice.class).list().getItems();
    }

    private void letOperatorReadMetrics() {
        controlPlane
                .client()
                .resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName("metrics-reader")
                        .endMetadata()
                        .addNewRule()
                        .withNonResourceURLs("/metrics")
                        .withVerbs("get")
                        .endRule()
                        .build())
                .create();
        controlPlane
                .client()
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("metrics-reader")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "metrics-reader")
                        .addNewSubject("", "ServiceAccount", "fakegpu-operator", "fakegpu-system")
                        .build())
                .create();
    }

    /** hack/control-plane stores the port and the certificate beside its kubeconfig. */
    private Map<String, String> schedulerMetrics() {
        Path state = controlPlane.kubeconfig().getParent();
        try {
            var port = Files.readString(state.resolve("settings")).replaceAll("(?s).*SCHEDULER_PORT=(\\d+).*", "$1");
            return Map.of(
                    "FAKEGPU_KUBE_SCHEDULER_METRICS_URL",
                    "https://127.0.0.1:" + port + "/metrics",
                    "FAKEGPU_KUBE_SCHEDULER_METRICS_CA_FILE",
                    state.resolve("certs/kube-scheduler.crt").toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
