package dev.fakegpu.e2e.rights;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.PartAccount;
import io.fabric8.kubernetes.api.model.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each part of the operator runs in its own process, with only the rights of that part; together they do everything. */
@Tag("long")
class RightsE2E {

    private static final String GPU = "gpu.example.com";

    private static final Map<String, String> PARTS = Map.of(
            "publisher", "Publisher",
            "companion", "Companion",
            "explainer", "Explainer",
            "simulated-kubelet", "SimulatedKubelet");

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withControllerManager().withoutOperator();

    private static final Map<String, OperatorProcess> OPERATORS = new LinkedHashMap<>();

    @BeforeAll
    static void startParts() {
        var controlPlane = cluster.controlPlane();
        controlPlane.applyFile("crds/fakegpus.fakegpu.dev.yaml");
        PARTS.forEach((part, name) -> {
            String namespace = PartAccount.create(controlPlane, part);
            OPERATORS.put(
                    part,
                    OperatorProcess.startAs(
                            controlPlane,
                            controlPlane.config().getMasterUrl(),
                            namespace,
                            Map.of(
                                    "FAKEGPU_PARTS", name,
                                    "FAKEGPU_NAMESPACE", namespace,
                                    "FAKEGPU_CATALOG_NAMESPACE", namespace)));
        });
    }

    @AfterAll
    static void endParts() {
        OPERATORS.values().forEach(OperatorProcess::close);
    }

    @Test
    void eachPartWorksWithItsOwnRights() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");

            // When
            scenario.claim("alone", GPU, "mig-1g");
            scenario.podWithClaim("impossible", GPU, "no-such-type");
            scenario.podWithClaim("pod", GPU, "mig-1g");

            // Then
            scenario.awaitRunning("pod");
            scenario.awaitUnschedulable("impossible");
            scenario.awaitEvent("alone", "WaitForFirstConsumer");
            scenario.awaitEvent("pod", "Scheduled");
            scenario.awaitEvent("pod", "Started");
            assertNodesHaveLeases();

            // When
            scenario.deletePod("pod");
            scenario.deletePod("impossible");

            // Then
            scenario.await(() -> assertThat(scenario.storedPods()).isEmpty());
            scenario.await(() -> assertThat(scenario.devices("pod")).isEmpty());
        }
        assertNothingWasForbidden();
    }

    /** Their JSON is stored with the bytes that the user sent, so patches are refused and updates are needed. */
    @Test
    void claimsThatPatchesCannotWriteAreUpdated() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");

            // When
            createWithWhiteSpace(scenario);

            // Then
            scenario.awaitRunning("pod");
            scenario.deletePod("pod");
            scenario.await(() -> assertThat(scenario.devices("pod")).isEmpty());
        }
        assertNothingWasForbidden();
    }

    /** The companion creates, maps and deletes a claim; the publisher deletes the pods of a node that it removes. */
    @Test
    void claimsOfExtendedResourcesAndNodesCanBeRemoved() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");
            scenario.create("""
                    apiVersion: resource.k8s.io/v1
                    kind: DeviceClass
                    metadata: {name: rights}
                    spec:
                      extendedResourceName: example.com/rights
                      selectors: [{cel: {expression: "device.attributes['gpu.example.com'].type == 'mig-1g'"}}]
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: extended}
                    spec:
                      containers:
                      - {name: main, image: "busybox:1", resources: {limits: {example.com/rights: 1}}}
                    """);

            // Then
            scenario.awaitRunning("extended");

            // When
            cluster.client().resources(FakeGpu.class).withName("example-3").delete();

            // Then
            scenario.await(() -> assertThat(simulatedNodes()).isEmpty());
            scenario.await(() -> assertThat(scenario.storedPods()).isEmpty());
            scenario.await(() -> assertThat(scenario.storedClaims()).isEmpty());
        }
        assertNothingWasForbidden();
    }

    /** Creates a claim as clients in other languages send it, with white space. */
    private static void createWithWhiteSpace(ClusterScenario scenario) {
        cluster.client()
                .raw("/apis/resource.k8s.io/v1/namespaces/" + scenario.namespace() + "/resourceclaims", "POST", """
                        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "pod"},
                         "spec": {"devices": {
                          "requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}],
                          "config": [{"opaque": {"driver": "gpu.example.com", "parameters":
                           {"kind": "GpuConfig", "apiVersion": "gpu.resource.example.com/v1alpha1",
                            "sharing": {"strategy": "TimeSlicing"}}}}]}}}""");
        scenario.pod("pod", "pod");
    }

    private static List<Node> simulatedNodes() {
        return cluster.client().nodes().withLabel(Labels.SIMULATED).list().getItems();
    }

    private static void assertNodesHaveLeases() {
        assertThat(simulatedNodes())
                .isNotEmpty()
                .allSatisfy(node -> assertThat(cluster.client()
                                .leases()
                                .inNamespace("kube-node-lease")
                                .withName(node.getMetadata().getName())
                                .get())
                        .isNotNull());
    }

    private static void assertNothingWasForbidden() {
        OPERATORS.forEach((part, operator) -> {
            Awaitility.await(part).until(operator::hasLed); // some tests do not need every part
            operator.assertNothingWasForbidden();
        });
    }
}
