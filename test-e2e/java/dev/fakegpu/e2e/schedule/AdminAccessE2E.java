package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.SingleRequestClaims;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims with admin access (KEP-5018) get devices that others use, without affecting the others. */
class AdminAccessE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

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
