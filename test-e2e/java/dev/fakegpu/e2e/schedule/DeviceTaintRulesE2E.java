package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRuleBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests taints that an administrator adds to devices: pods are not scheduled to them, and kube-controller-manager evicts pods. */
class DeviceTaintRulesE2E {

    private static final String RULE = "e2e-rule";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

    @AfterEach
    void end() {
        cluster.client().resources(DeviceTaintRule.class).withName(RULE).delete();
    }

    @ParameterizedTest
    @EnumSource(AllocatorName.class)
    void aPodIsEvictedAndItsReplacementGetsAnotherDevice(AllocatorName allocator) {
        try (var scenario = cluster.scenario(allocator)) {
            // Given
            scenario.apply("example-1.yaml");
            deploy(scenario.namespace(), allocator);
            DeviceId tainted = awaitRunning(scenario, List.of());

            // When
            taint(new DeviceTaintRuleBuilder()
                    .withNewMetadata()
                    .withName(RULE)
                    .endMetadata()
                    .withNewSpec()
                    .withNewDeviceSelector()
                    .withDriver(tainted.driver())
                    .withPool(tainted.pool())
                    .withDevice(tainted.device())
                    .endDeviceSelector()
                    .withNewTaint()
                    .withKey("example.com/drain")
                    .withEffect("NoExecute")
                    .endTaint()
                    .endSpec()
                    .build());

            // Then
            awaitRunning(scenario, List.of(tainted));

            cluster.client()
                    .resources(Deployment.class)
                    .inNamespace(scenario.namespace())
                    .delete();
        }
    }

    private static void taint(DeviceTaintRule rule) {
        cluster.client().resource(rule).create();
    }

    private static void deploy(String namespace, AllocatorName allocator) {
        var serialization = cluster.client().getKubernetesSerialization();
        var template = serialization.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: gpu}
                spec:
                  spec:
                    devices:
                      requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]
                """, ResourceClaimTemplate.class);
        var deployment = serialization.unmarshal(
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: app}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: app}}
                  template:
                    metadata: {labels: {app: app}}
                    spec:
                      schedulerName: %s
                      tolerations: [{key: fakegpu.dev/simulated, operator: Exists}]
                      resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]
                      containers: [{name: main, image: "busybox:1", resources: {claims: [{name: gpu}]}}]
                """.formatted(allocator == AllocatorName.Companion ? Labels.SCHEDULER_NAME : "default-scheduler"),
                Deployment.class);
        cluster.client().resource(template).inNamespace(namespace).create();
        cluster.client().resource(deployment).inNamespace(namespace).create();
    }

    /**
     * Waits until there is one pod, which runs with a device other than these. It may not be the first replacement, which gets the same
     * device and is evicted, too, if the scheduler sees a rule later than the controller that evicts.
     */
    private static DeviceId awaitRunning(ClusterScenario scenario, List<DeviceId> others) {
        var devices = new ArrayList<DeviceId>();
        scenario.await(() -> assertThat(pods(scenario)).singleElement().satisfies(pod -> {
            assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
            devices.clear();
            devices.addAll(scenario.devices(
                    pod.getStatus().getResourceClaimStatuses().get(0).getResourceClaimName()));
            assertThat(devices).hasSize(1);
            assertThat(others).doesNotContainAnyElementsOf(devices);
        }));
        return devices.get(0);
    }

    private static List<Pod> pods(ClusterScenario scenario) {
        return cluster.client()
                .pods()
                .inNamespace(scenario.namespace())
                .withLabels(Map.of("app", "app"))
                .list()
                .getItems();
    }
}
