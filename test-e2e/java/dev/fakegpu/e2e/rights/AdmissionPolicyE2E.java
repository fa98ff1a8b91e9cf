package dev.fakegpu.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.OperatorProcess;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the operator works as usual where {@code config/admission-policy} restricts it. */
class AdmissionPolicyE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withControllerManager().withoutOperator();

    private static final List<HasMetadata> POLICIES = new ArrayList<>();

    private static OperatorProcess operator;

    @BeforeAll
    static void restrict() {
        operator = cluster.startOperator(Map.of());
        for (String file : List.of("nodes", "real_nodes")) {
            POLICIES.addAll(cluster.controlPlane().applyFile("config/admission-policy/" + file + ".yaml"));
        }
        awaitEnforced();
    }

    /** Waits for the policy, which takes effect shortly after it is stored. */
    private static void awaitEnforced() {
        var real = new NodeBuilder()
                .withNewMetadata()
                .withName("real")
                .endMetadata()
                .build();
        try (KubernetesClient asOperator = cluster.controlPlane().clientAs("fakegpu-system", "fakegpu-operator")) {
            Awaitility.await()
                    .untilAsserted(() -> assertThatThrownBy(
                                    () -> asOperator.resource(real).dryRun().create())
                            .isInstanceOf(KubernetesClientException.class)
                            .hasMessageContaining("owned by a FakeGpu"));
        }
    }

    @AfterAll
    static void lift() {
        POLICIES.forEach(policy -> cluster.client().resource(policy).delete());
        operator.close();
    }

    @Test
    void simulatedNodesAndTheirPodsComeAndGo() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");

            // When
            scenario.podWithClaim("pod", GPU, "mig-1g");
            scenario.podWithClaim("impossible", GPU, "no-such-type");

            // Then
            scenario.awaitRunning("pod");
            scenario.awaitUnschedulable("impossible");

            // When
            scenario.deletePod("pod");

            // Then
            scenario.await(() -> assertThat(scenario.devices("pod")).isEmpty());
        }
        operator.assertNothingWasForbidden();
    }
}
