package dev.fakegpu.operator.publish.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import dev.fakegpu.testing.Rights;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Probes a real API server with only the permissions of the operator. */
class FieldProbeIT {

    private static final ControlPlaneOptions USUAL = ControlPlaneOptions.apiServerOnly();

    private ControlPlane controlPlane;

    @BeforeEach
    void start() {
        controlPlane = ControlPlane.start(USUAL);
        for (String file : List.of("namespace", "service_account", "role", "role_binding")) {
            controlPlane.applyFile("config/rbac/" + file + ".yaml");
        }
    }

    @AfterEach
    void end() {
        controlPlane.close();
    }

    @Test
    void findsGatesThatAreOffAndGatesThatAreSwitched() {
        try (var client = controlPlane.clientAs("fakegpu-system", "fakegpu-operator")) {
            Rights.await(client, "create", "resource.k8s.io", "resourceslices");
            var probe = new FieldProbe(client);

            assertThat(probe.probe())
                    .isEqualTo(new ServedFields(
                            Set.of(),
                            Set.of(
                                    SliceField.LIST_ATTRIBUTES,
                                    SliceField.NODE_ALLOCATABLE_RESOURCES,
                                    SliceField.PARTITION_TYPE,
                                    SliceField.SKIP_NODE_OPERATIONS)));

            controlPlane.restart(USUAL.featureGates("DRADeviceCompatibilityGroups=false,DRAPartitionableDevices=false,"
                    + "DRAConsumableCapacity=false,DRADeviceBindingConditions=false,DRAListTypeAttributes=true,"
                    + "DRAOptionalNodeOperations=true"));
            assertThat(probe.probe())
                    .isEqualTo(new ServedFields(
                            Set.of(),
                            Set.of(
                                    SliceField.COMPATIBILITY_GROUPS,
                                    SliceField.COUNTERS,
                                    SliceField.NODE_SELECTION_PER_DEVICE,
                                    SliceField.MULTIPLE_ALLOCATIONS,
                                    SliceField.REQUEST_POLICIES,
                                    SliceField.BINDING_CONDITIONS,
                                    SliceField.NODE_ALLOCATABLE_RESOURCES,
                                    SliceField.PARTITION_TYPE)));

            controlPlane.restart(
                    USUAL.featureGates(
                            "DRADeviceCompatibilityGroups=true,DRAListTypeAttributes=true,DRANodeAllocatableResources=true,DRAOptionalNodeOperations=true,DRAPartitionableDevicesType=true,DRAResourcePoolStatus=true"));
            assertThat(probe.probe()).isEqualTo(ServedFields.ALL);

            assertThat(controlPlane
                            .client()
                            .resources(ResourceSlice.class)
                            .list()
                            .getItems())
                    .as("slices that probing left behind")
                    .isEmpty();
        }
    }
}
