package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a tenant is told about the claims of another one: nothing by default, and with {@code explanations.names: Full} their names. */
class NamesE2E {

    private static final String GPU = "gpu.example.com";
    private static final String SECRET = "secret-project";

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withSchedulerAndControllerManager().withoutOperator();

    private final KubernetesClient client = cluster.client();

    @ParameterizedTest
    @CsvSource({"Companion, FailedScheduling, NotAllocated", "KubeScheduler, DevicesUnavailable, WrongAllocator"})
    void nothingThatATenantReadsNamesTheClaimOfAnother(AllocatorName allocator, String ofPod, String ofClaim) {
        try (var operator = cluster.startOperator(Map.of());
                var tenantA = cluster.scenario(allocator);
                var tenantB = cluster.scenario(allocator)) {
            // Given
            tenantA.apply("example-3.yaml");
            tenantA.podWithClaim(SECRET, GPU, "mig-1g");
            tenantA.awaitRunning(SECRET);

            // When
            tenantA.podWithClaim("waiting", GPU, "vgpu");
            tenantB.podWithClaim("waiting", GPU, "vgpu");
            tenantB.standaloneClaim("without-pod", GPU, "vgpu");

            // Then
            assertThat(tenantA.awaitEvent("waiting", ofPod))
                    .contains("which is held with group \"mig\" by " + tenantA.namespace() + "/" + SECRET);
            tenantB.awaitUnschedulable("waiting");
            assertThat(tenantB.awaitEvent("waiting", ofPod))
                    .contains(
                            "which is held with group \"mig\" by " + anonymous(tenantA),
                            "it would fit if " + anonymous(tenantA));
            tenantB.awaitEvent("without-pod", ofClaim);
            assertNothingNames(tenantA, tenantB);
            assertThat(operator.log())
                    .contains("which is held with group \"mig\" by " + tenantA.namespace() + "/" + SECRET);
        }
    }

    @Test
    void noFailedPreparationNamesTheClaimOfAnotherTenant() {
        try (var operator = cluster.startOperator(Map.of("FAKEGPU_COMPANION_GATE", "Unaware"));
                var tenantA = cluster.scenario(AllocatorName.Companion);
                var tenantB = cluster.scenario(AllocatorName.Companion)) {
            // Given
            tenantA.apply("example-3.yaml");
            tenantA.podWithClaim(SECRET, GPU, "mig-1g");
            tenantA.awaitRunning(SECRET);

            // When
            tenantB.podWithClaim("failing", GPU, "vgpu");

            // Then
            assertThat(tenantB.awaitEvent("failing", "FailedPrepareDynamicResources"))
                    .contains("but it is configured as \"mig\" for " + anonymous(tenantA));
            assertNothingNames(tenantA, tenantB);
            assertThat(operator.log())
                    .contains("but it is configured as \"mig\" for " + tenantA.namespace() + "/" + SECRET);
        }
    }

    @ParameterizedTest
    @CsvSource({"Companion, FailedScheduling", "KubeScheduler, DevicesUnavailable"})
    void everybodyReadsAllNamesIfTheSettingIsFull(AllocatorName allocator, String ofPod) {
        try (var operator = cluster.startOperator(Map.of("FAKEGPU_EXPLANATIONS_NAMES", "Full"));
                var tenantA = cluster.scenario(allocator);
                var tenantB = cluster.scenario(allocator)) {
            // Given
            tenantA.apply("example-3.yaml");
            tenantA.podWithClaim(SECRET, GPU, "mig-1g");
            tenantA.awaitRunning(SECRET);

            // When
            tenantB.podWithClaim("waiting", GPU, "vgpu");

            // Then
            tenantB.awaitUnschedulable("waiting");
            assertThat(tenantB.awaitEvent("waiting", ofPod))
                    .contains("which is held with group \"mig\" by " + tenantA.namespace() + "/" + SECRET)
                    .doesNotContain("a claim of another namespace");
        }
    }

    @Test
    void aFailedPreparationNamesTheClaimOfAnotherTenantIfTheSettingIsFull() {
        var settings = Map.of("FAKEGPU_COMPANION_GATE", "Unaware", "FAKEGPU_EXPLANATIONS_NAMES", "Full");
        try (var operator = cluster.startOperator(settings);
                var tenantA = cluster.scenario(AllocatorName.Companion);
                var tenantB = cluster.scenario(AllocatorName.Companion)) {
            // Given
            tenantA.apply("example-3.yaml");
            tenantA.podWithClaim(SECRET, GPU, "mig-1g");
            tenantA.awaitRunning(SECRET);

            // When
            tenantB.podWithClaim("failing", GPU, "vgpu");

            // Then
            assertThat(tenantB.awaitEvent("failing", "FailedPrepareDynamicResources"))
                    .contains("but it is configured as \"mig\" for " + tenantA.namespace() + "/" + SECRET);
        }
    }

    private static String anonymous(ClusterScenario tenant) {
        return "a claim of another namespace (uid "
                + tenant.storedClaim(SECRET).getMetadata().getUid() + ")";
    }

    /** Everything with text in it that users of a namespace can read there by default. */
    private void assertNothingNames(ClusterScenario named, ClusterScenario reader) {
        var serialization = client.getKubernetesSerialization();
        String readable = serialization.asJson(
                        client.v1().events().inNamespace(reader.namespace()).list())
                + serialization.asJson(
                        client.pods().inNamespace(reader.namespace()).list())
                + serialization.asJson(client.resources(ResourceClaim.class)
                        .inNamespace(reader.namespace())
                        .list());
        assertThat(readable).contains("a claim of another namespace").doesNotContain(SECRET, named.namespace());
    }
}
