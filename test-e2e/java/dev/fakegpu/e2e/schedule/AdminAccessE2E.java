package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.SingleRequestClaims;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SingleRequestClaims with admin access (KEP-5018) get devices that others use, and take nothing away from anybody. */
class AdminAccessE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

    @ParameterizedTest
    @EnumSource(AllocatorName.class)
    void withTheNamespacesLabelAMonitorSeesAllDevicesAndTakesNone(AllocatorName allocator) {
        try (var scenario = cluster.scenario(allocator)) {
            // Given
            label(scenario.namespace());
            scenario.apply("example-1.yaml");
            scenario.podWithClaim("user-0", GPU, "mig-1g");
            scenario.awaitRunning("user-0");

            // When
            cluster.client().resource(everything(scenario.namespace())).create();
            scenario.pod("monitor", "everything");

            // Then
            scenario.awaitRunning("monitor");
            assertThat(scenario.storedClaim("everything")
                            .getStatus()
                            .getAllocation()
                            .getDevices()
                            .getResults())
                    .hasSize(3)
                    .allSatisfy(result -> assertThat(result.getAdminAccess()).isTrue());

            // When
            scenario.podWithClaim("user-1", GPU, "mig-1g");
            scenario.podWithClaim("user-2", GPU, "mig-1g");

            // Then
            scenario.awaitRunning("user-1");
            scenario.awaitRunning("user-2");
            assertThat(List.of(scenario.devices("user-0"), scenario.devices("user-1"), scenario.devices("user-2")))
                    .doesNotHaveDuplicates();

            // When the monitor goes
            scenario.deletePod("monitor");
            scenario.deleteClaim("everything");
            scenario.podWithClaim("one-too-many", GPU, "mig-1g");

            // Then nothing was its to give back
            scenario.awaitUnschedulable("one-too-many");
        }
    }

    @ParameterizedTest
    @EnumSource(AllocatorName.class)
    void withoutTheNamespacesLabelTheApiServerRefusesTheClaim(AllocatorName allocator) {
        try (var scenario = cluster.scenario(allocator)) {
            assertThatThrownBy(() -> cluster.client()
                            .resource(everything(scenario.namespace()))
                            .create())
                    .hasMessageContaining("admin access to devices requires the `resource.kubernetes.io/admin-access:"
                            + " true` label on the containing namespace");
        }
    }

    private static void label(String namespace) {
        cluster.client()
                .namespaces()
                .withName(namespace)
                .edit(stored -> new NamespaceBuilder(stored)
                        .editMetadata()
                        .addToLabels("resource.kubernetes.io/admin-access", "true")
                        .endMetadata()
                        .build());
    }

    private static ResourceClaim everything(String namespace) {
        return SingleRequestClaims.exactly(
                        namespace,
                        "everything",
                        new ExactDeviceRequestBuilder()
                                .withDeviceClassName(GPU)
                                .withAllocationMode("All")
                                .withAdminAccess(true))
                .build();
    }
}
