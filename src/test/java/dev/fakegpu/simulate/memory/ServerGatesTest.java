package dev.fakegpu.simulate.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerGatesTest {

    @Test
    void theAllocatorHasNoFeatureWhoseGateIsOff() {
        var gates =
                ServerGates.of(KubernetesVersion.V1_37, List.of("DRADeviceTaints=false", "DRAConsumableCapacity=true"));

        assertThat(gates.off()).containsExactly(ServerGate.DRADeviceTaints);
        assertThat(gates.features()).contains(Feature.CONSUMABLE_CAPACITY).doesNotContain(Feature.DEVICE_TAINTS);
    }

    /** The last value takes effect, as in Kubernetes. */
    @Test
    void aGateCanBeSetTwice() {
        var gates = ServerGates.of(KubernetesVersion.V1_37, List.of("DRADeviceTaints=false", "DRADeviceTaints=true"));

        assertThat(gates.off()).isEmpty();
    }

    /** The values are those in {@code pkg/features/kube_features.go}; in 1.34, {@code DRADeviceTaints} is also the gate of DeviceTaintRules. */
    @ParameterizedTest
    @CsvSource({
        "V1_34, DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaints DRAExtendedResource DRAPartitionableDevices",
        "V1_35, DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaintRules DRADeviceTaints DRAExtendedResource"
                + " DRAPartitionableDevices GenericWorkload",
        "V1_36, DRADeviceTaintRules DRAListTypeAttributes DRANodeAllocatableResources DRAWorkloadResourceClaims"
                + " GenericWorkload",
        "V1_37, DRADerivedAttributes DRADeviceCompatibilityGroups DRAListTypeAttributes DRANodeAllocatableResources"
                + " DRAOptionalNodeOperations DRAPartitionableDevicesType DRAWorkloadResourceClaims GenericWorkload"
    })
    void aVersionHasItsDefaults(KubernetesVersion version, String off) {
        var gates = ServerGates.of(version, List.of("default"));

        assertThat(gates.off()).extracting(Enum::name).containsExactlyInAnyOrder(off.split(" "));
    }

    @Test
    void defaultsComeFirst() {
        assertThatThrownBy(
                        () -> ServerGates.of(KubernetesVersion.V1_37, List.of("DRADerivedAttributes=false", "default")))
                .hasMessage("--feature-gates: \"default\" would undo the settings before it; it must be the first");
    }

    @Test
    void gatesAfterTheDefaultsDifferFromThem() {
        var gates = ServerGates.of(KubernetesVersion.V1_36, List.of("default", "DRADeviceTaintRules=true"));

        assertThat(gates.off())
                .doesNotContain(ServerGate.DRADeviceTaintRules)
                .contains(ServerGate.DRAListTypeAttributes);
    }

    /** The values are those in {@code pkg/features/kube_features.go}. */
    @ParameterizedTest
    @CsvSource({
        "V1_34, DRAAdminAccess=false, ''",
        "V1_35, DRAAdminAccess=false, ''",
        "V1_36, DRAAdminAccess=false, locked to true in Kubernetes 1.36",
        "V1_36, DRAExtendedResource=false, ''",
        "V1_37, DRAExtendedResource=false, locked to true in Kubernetes 1.37",
        "V1_36, DRAPrioritizedList=false, ''",
        "V1_37, DRAPrioritizedList=false, locked to true in Kubernetes 1.37",
        "V1_36, DRAResourceClaimDeviceStatus=false, ''",
        "V1_37, DRAResourceClaimDeviceStatus=false, locked to true in Kubernetes 1.37",
        "V1_34, DynamicResourceAllocation=false, ''",
        "V1_35, DynamicResourceAllocation=false, locked to true in Kubernetes 1.35",
        "V1_37, DRADeviceTaints=false, ''",
        "V1_37, DRADeviceTaintRules=false, ''",
        "V1_34, DRADeviceTaintRules=false, is not a gate of Kubernetes 1.34",
        "V1_36, DRADerivedAttributes=true, is not a gate of Kubernetes 1.36",
        "V1_35, DRAListTypeAttributes=true, is not a gate of Kubernetes 1.35",
        "V1_36, DRAListTypeAttributes=true, ''",
        "V1_37, DRADevceTaints=false, 'did you mean \"DRADeviceTaints\"?'",
        "V1_37, DRADeviceTaints, cannot be read",
        "V1_37, DRADeviceTaints=off, cannot be read"
    })
    void aVersionHasItsGates(KubernetesVersion version, String setting, String refusal) {
        if (refusal.isEmpty()) {
            assertThat(ServerGates.of(version, List.of(setting)).version()).isEqualTo(version);
        } else {
            assertThatThrownBy(() -> ServerGates.of(version, List.of(setting)))
                    .isInstanceOf(SimulationException.class)
                    .hasMessageContaining(refusal);
        }
    }
}
