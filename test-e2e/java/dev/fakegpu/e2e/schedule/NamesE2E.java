package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests what a tenant sees about the claims of another one, in events and on the dashboard: nothing by default, and their names with {@code
 * explanations.names: Full}.
 */
class NamesE2E {

    private static final String GPU = "gpu.example.com";
    private static final String SECRET = "secret-project";

    /** Settings with which devices of different groups are allocated, so that preparation fails. */
    private static final Map<String, String> UNAWARE = withDashboard("FAKEGPU_COMPANION_GATE", "Unaware");

    private static final Map<String, String> FULL = withDashboard("FAKEGPU_EXPLANATIONS_NAMES", "Full");

    private static Map<String, String> withDashboard(String setting, String value) {
        return Map.of("FAKEGPU_DASHBOARD_ENABLED", "true", "FAKEGPU_DASHBOARD_PORT", "0", setting, value);
    }

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withSchedulerAndControllerManager().withoutOperator();

    private final KubernetesClient client = cluster.client();

    @Test
    void nothingThatATenantReadsNamesTheClaimOfAnother() {
        try (var operator = cluster.startOperator(withDashboard("FAKEGPU_DASHBOARD_AS_USER", "true"))) {
            assertNothingIsNamed(operator, AllocatorName.Companion, "FailedScheduling", "NotAllocated");
            assertNothingIsNamed(operator, AllocatorName.KubeScheduler, "DevicesUnavailable", "WrongAllocator");
        }
    }

    private void assertNothingIsNamed(
            OperatorProcess operator, AllocatorName allocator, String reasonOfPod, String reasonOfClaim) {
        try (var tenantA = cluster.scenario(allocator);
                var tenantB = cluster.scenario(allocator)) {
            // Given
            String tokenA = tokenOfUserIn(tenantA);
            String tokenB = tokenOfUserIn(tenantB);
            runSecretPod(tenantA);

            // When
            tenantA.podWithClaim("waiting", GPU, "vgpu");
            tenantB.podWithClaim("waiting", GPU, "vgpu");
            tenantB.standaloneClaim("without-pod", GPU, "vgpu");

            // Then
            String named = "held with group \"mig\" by " + SECRET;
            tenantA.awaitEvent("waiting", reasonOfPod, named);
            tenantB.awaitUnschedulable("waiting");
            tenantB.awaitEvent(
                    "waiting",
                    reasonOfPod,
                    "held with group \"mig\" by " + anonymous(tenantA),
                    "it would fit if that were released");
            tenantB.awaitEvent("without-pod", reasonOfClaim);
            assertNothingNames(tenantA, tenantB);
            awaitLog(operator, named);
            assertDashboardShows(operator, tokenA, tenantA, tenantB);
            assertDashboardShows(operator, tokenB, tenantB, tenantA);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(dashboard(operator, tokenA)).contains("\"" + name(tenantA) + "\""));
            assertThat(dashboard(operator, tokenB)).doesNotContain(SECRET);
        }
    }

    /** The log may be written after the event. */
    private static void awaitLog(OperatorProcess operator, String text) {
        Awaitility.await().untilAsserted(() -> assertThat(operator.log()).contains(text));
    }

    /** The token of a user who may list the pods and claims of one namespace. */
    private String tokenOfUserIn(ClusterScenario tenant) {
        String name = "user";
        var metadata = new ObjectMetaBuilder()
                .withNamespace(tenant.namespace())
                .withName(name)
                .build();
        client.resource(new ServiceAccountBuilder().withMetadata(metadata).build())
                .create();
        client.resource(new RoleBuilder()
                        .withMetadata(metadata)
                        .addNewRule()
                        .withApiGroups("", "resource.k8s.io")
                        .withResources("pods", "resourceclaims")
                        .withVerbs("list")
                        .endRule()
                        .build())
                .create();
        client.resource(new RoleBindingBuilder()
                        .withMetadata(metadata)
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
                        .addNewSubject(null, "ServiceAccount", name, tenant.namespace())
                        .build())
                .create();
        return client.serviceAccounts()
                .inNamespace(tenant.namespace())
                .withName(name)
                .tokenRequest()
                .getStatus()
                .getToken();
    }

    /** Asserts that the dashboard shows waiting pods in the caller's own namespace, and none in others. */
    private static void assertDashboardShows(
            OperatorProcess operator, String token, ClusterScenario own, ClusterScenario other) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(dashboard(operator, token))
                        .contains("Pod/" + own.namespace() + "/waiting", "\"(namespace ", "needs group \\\"vgpu\\\"")
                        .doesNotContain(other.namespace()));
        assertThat(operator.dashboard(Optional.empty()).statusCode()).isEqualTo(401);
        assertThat(operator.dashboard(Optional.of(token + "x")).body())
                .isEqualTo("the cluster does not accept this token\n");
    }

    private static String dashboard(OperatorProcess operator, String token) {
        return operator.dashboard(Optional.of(token)).body();
    }

    @Test
    void noFailedPreparationNamesTheClaimOfAnotherTenant() {
        try (var operator = cluster.startOperator(UNAWARE);
                var tenantA = cluster.scenario(AllocatorName.Companion);
                var tenantB = cluster.scenario(AllocatorName.Companion)) {
            // When
            String failure = failedPreparation(tenantA, tenantB);

            // Then
            String named = "but it is configured as \"mig\" for ";
            assertThat(failure).contains(named + anonymous(tenantA));
            assertNothingNames(tenantA, tenantB);
            awaitLog(operator, named + name(tenantA));
            Awaitility.await()
                    .untilAsserted(() -> assertThat(
                                    operator.dashboard(Optional.empty()).body())
                            .contains("\"prepared\":\"failed\"", "\"(namespace ")
                            .doesNotContain(SECRET, "/failing", tenantA.namespace(), tenantB.namespace()));
        }
    }

    @Tag("long")
    @Test
    void allNamesAreShownIfTheSettingIsFull() {
        try (var operator = cluster.startOperator(FULL)) {
            assertEverythingIsNamed(operator, AllocatorName.Companion, "FailedScheduling");
            assertEverythingIsNamed(operator, AllocatorName.KubeScheduler, "DevicesUnavailable");
        }
    }

    private void assertEverythingIsNamed(OperatorProcess operator, AllocatorName allocator, String reasonOfPod) {
        try (var tenantA = cluster.scenario(allocator);
                var tenantB = cluster.scenario(allocator)) {
            // Given
            runSecretPod(tenantA);

            // When
            tenantB.podWithClaim("waiting", GPU, "vgpu");

            // Then
            tenantB.awaitUnschedulable("waiting");
            assertThat(tenantB.awaitEvent("waiting", reasonOfPod, "held with group \"mig\" by " + name(tenantA)))
                    .doesNotContain("a claim of another namespace");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(
                                    operator.dashboard(Optional.empty()).body())
                            .contains(name(tenantA), "Pod/" + tenantB.namespace() + "/waiting"));
        }
    }

    @Tag("long")
    @Test
    void aFailedPreparationNamesTheClaimOfAnotherTenantIfTheSettingIsFull() {
        var settings = new HashMap<>(UNAWARE);
        settings.putAll(FULL);
        try (var operator = cluster.startOperator(settings);
                var tenantA = cluster.scenario(AllocatorName.Companion);
                var tenantB = cluster.scenario(AllocatorName.Companion)) {
            assertThat(failedPreparation(tenantA, tenantB))
                    .contains("but it is configured as \"mig\" for " + name(tenantA));
        }
    }

    /** Runs a pod of the first tenant with a claim whose name must not be disclosed. */
    private static void runSecretPod(ClusterScenario tenant) {
        tenant.apply("example-3.yaml");
        tenant.podWithClaim(SECRET, GPU, "mig-1g");
        tenant.awaitRunning(SECRET);
    }

    /** The reason why a pod of the second tenant cannot start beside that of the first. */
    private static String failedPreparation(ClusterScenario tenantA, ClusterScenario tenantB) {
        runSecretPod(tenantA);
        tenantB.podWithClaim("failing", GPU, "vgpu");
        return tenantB.awaitEvent("failing", "FailedPrepareDynamicResources", "but it is configured as");
    }

    private static String name(ClusterScenario tenant) {
        return tenant.namespace() + "/" + SECRET;
    }

    private static String anonymous(ClusterScenario tenant) {
        return "a claim of another namespace (uid "
                + tenant.storedClaim(SECRET).getMetadata().getUid() + ")";
    }

    /** Checks all text that users of a namespace can read there by default. */
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
