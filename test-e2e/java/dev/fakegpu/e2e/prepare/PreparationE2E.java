package dev.fakegpu.e2e.prepare;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.RawJson;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import io.fabric8.kubernetes.api.model.ResourceHealth;
import io.fabric8.kubernetes.api.model.ResourceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What users see of the preparation of their claims on simulated nodes: configuration, what containers get, health. */
class PreparationE2E {

    private static final String GPU = "gpu.example.com";
    private static final String VARIABLE = "FAKEGPU_DEVICE_GPU_0_MIG_1G_0";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    private final KubernetesClient client = cluster.client();

    @AutoClose
    private final ClusterScenario scenario = new ClusterScenario(client, AllocatorName.Companion);

    @BeforeEach
    void begin() {
        scenario.apply("example-3.yaml");
    }

    // --- opaque configuration ---

    @Test
    void configurationThatTheDriverDoesNotUnderstandKeepsThePodFromStarting() {
        // When
        create("pod", "strategy: TimeSlicing, timeSlicingConfig: {interval: Eternal}");

        // Then
        String sentence = "in the claim, spec.devices.config[0].opaque.parameters.sharing.timeSlicingConfig.interval:"
                + " \"Eternal\" is unknown; allowed: Default, Short, Medium, Long";
        assertThat(scenario.awaitEvent("pod", "FailedPrepareDynamicResources"))
                .isEqualTo(
                        "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed for"
                                + " ResourceClaim pod: " + sentence);
        scenario.await(() -> assertThat(DeviceStatuses.readyCondition(
                        scenario.storedClaim("pod"), scenario.devices("pod").get(0)))
                .hasValueSatisfying(
                        condition -> assertThat(condition.getMessage()).isEqualTo(sentence)));
        assertThat(scenario.storedPod("pod").getStatus().getPhase()).isEqualTo("Pending");
    }

    @Test
    void fieldsThatTheDriverDoesNotKnowAreRefused() {
        // When
        create("pod", "strategy: TimeSlicing, timeslicingConfig: {interval: Long}");

        // Then
        assertThat(scenario.awaitEvent("pod", "FailedPrepareDynamicResources"))
                .endsWith("in the claim, spec.devices.config[0].opaque.parameters.sharing.timeslicingConfig:"
                        + " \"{\"interval\":\"Long\"}\" is in an unknown field; allowed: spacePartitioningConfig, strategy,"
                        + " timeSlicingConfig");
    }

    // --- what containers get ---

    @Test
    void claimSaysWhatContainersGetBesideTheGroups() {
        // When
        create("pod", "strategy: TimeSlicing, timeSlicingConfig: {interval: Long}");
        scenario.awaitRunning("pod");

        // Then
        var claim = scenario.storedClaim("pod");
        var device = scenario.devices("pod").get(0);
        var status = DeviceStatuses.find(claim, device).orElseThrow();
        String cdi = "k8s.gpu.example.com/claim=%s-gpu-0-mig-1g-0"
                .formatted(claim.getMetadata().getUid());
        assertThat(DeviceStatuses.cdiDeviceId(status)).hasValue(cdi);
        assertThat(data(status).get("env"))
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, String.class))
                .containsEntry(VARIABLE + "_SHARING_STRATEGY", "TimeSlicing")
                .containsEntry(VARIABLE + "_TIMESLICE_INTERVAL", "Long")
                .hasEntrySatisfying(VARIABLE, uuid -> assertThat(uuid).startsWith("GPU-"));
        var groups = Map.of("gpu-0-counters", List.of("mig"));
        assertThat(data(status).get("compatibilityGroups")).isEqualTo(groups);
        assertThat(data(status).get("preparedAs")).isEqualTo(groups);

        // When
        scenario.deletePod("pod");

        // Then
        scenario.await(() -> {
            var after = DeviceStatuses.find(scenario.storedClaim("pod"), device);
            // Nothing is left of a claim that is deallocated; what is still allocated keeps its groups.
            after.ifPresent(unprepared -> {
                assertThat(data(unprepared).keySet()).hasToString("[compatibilityGroups]");
            });
            assertThat(after.map(DeviceStatuses::cdiDeviceId).flatMap(id -> id)).isEmpty();
        });
    }

    // --- health ---

    @Test
    void podShowsTheHealthOfItsDevicesAsItChanges() {
        // Given
        create("pod", "strategy: TimeSlicing");
        scenario.awaitRunning("pod");
        String cdi = "k8s.gpu.example.com/claim=%s-gpu-0-mig-1g-0"
                .formatted(scenario.storedClaim("pod").getMetadata().getUid());
        assertThat(health("pod"))
                .extracting(ResourceHealth::getResourceID, ResourceHealth::getHealth)
                .containsExactly(tuple(cdi, "Healthy"));

        // When
        scenario.patch("{\"spec\":{\"health\":[{\"state\":\"XidError\",\"xid\":79}]}}");

        // Then
        scenario.await(() -> assertThat(health("pod"))
                .extracting(ResourceHealth::getHealth, ResourceHealth::getMessage)
                .containsExactly(tuple("Unhealthy", "tainted gpu.example.com/xid=79:NoSchedule")));

        // When
        scenario.patch("{\"spec\":{\"health\":[{\"state\":\"Unmonitored\"}]}}");

        // Then
        scenario.await(() ->
                assertThat(health("pod")).extracting(ResourceHealth::getHealth).containsExactly("Unknown"));

        // When
        scenario.patch("{\"spec\":{\"health\":null}}");

        // Then
        scenario.await(() ->
                assertThat(health("pod")).extracting(ResourceHealth::getHealth).containsExactly("Healthy"));
    }

    /** A pod of two containers, of which one uses the claim, and the claim with configuration of dra-example-driver. */
    private void create(String name, String sharing) {
        client.load(new ByteArrayInputStream("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %1$s}
                spec:
                  devices:
                    requests:
                    - name: gpu
                      exactly:
                        deviceClassName: gpu.example.com
                        selectors: [{cel: {expression: "device.attributes['gpu.example.com'].type == 'mig-1g'"}}]
                    config:
                    - requests: [gpu]
                      opaque:
                        driver: gpu.example.com
                        parameters: {apiVersion: gpu.resource.example.com/v1alpha1, kind: GpuConfig, sharing: {%2$s}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s}
                spec:
                  schedulerName: %3$s
                  tolerations: [{key: %4$s, operator: Exists}]
                  containers:
                  - {name: main, image: "busybox:1", resources: {claims: [{name: mine, request: gpu}]}}
                  - {name: sidecar, image: "busybox:1"}
                  resourceClaims: [{name: mine, resourceClaimName: %1$s}]
                """.formatted(name, sharing, Labels.SCHEDULER_NAME, Labels.SIMULATED)
                        .getBytes(UTF_8)))
                .inNamespace(scenario.namespace())
                .create();
    }

    private List<ResourceHealth> health(String pod) {
        var containers = scenario.storedPod(pod).getStatus().getContainerStatuses();
        assertThat(containers).hasSize(2);
        assertThat(containers.get(1).getAllocatedResourcesStatus()).isNullOrEmpty();
        List<ResourceStatus> statuses = containers.get(0).getAllocatedResourcesStatus();
        assertThat(statuses).extracting(ResourceStatus::getName).containsExactly("claim:mine/gpu");
        return statuses.get(0).getResources();
    }

    private static Map<?, ?> data(AllocatedDeviceStatus status) {
        return (Map<?, ?>) RawJson.of(status.getData()).value();
    }
}
