package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fakegpu.engine.allocate.Feature;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FeatureGatesTest {

    @Test
    void withoutGatesAllFeaturesAreOn() {
        assertThat(FeatureGates.apply(Map.of(), Feature.all())).isEqualTo(Feature.all());
    }

    @Test
    void aGateThatIsOffTurnsItsFeatureOff() {
        assertThat(FeatureGates.apply(
                        Map.of("DRAConsumableCapacity", false, "DRAPrioritizedList", true), Feature.all()))
                .hasSize(Feature.all().size() - 1)
                .doesNotContain(Feature.CONSUMABLE_CAPACITY);
    }

    @Test
    void aFeatureBehindTwoGatesNeedsBoth() {
        assertThat(FeatureGates.apply(Map.of("DRAResourceClaimDeviceStatus", false), Feature.all()))
                .doesNotContain(Feature.DEVICE_BINDING_AND_STATUS);
    }

    @Test
    void anUnknownGateIsRefusedWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FeatureGates.apply(Map.of("DRAConsumableCapacities", true), Feature.all()))
                .withMessageContaining("\"DRAConsumableCapacities\", which is not a gate of the allocator")
                .withMessageContaining("DRAAdminAccess, DRAConsumableCapacity, DRADerivedAttributes");
    }

    @Test
    void gateForGroupsIsASeparateSetting() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FeatureGates.apply(Map.of(Feature.COMPATIBILITY_GROUPS_GATE, false), Feature.all()))
                .withMessageContaining("DRADeviceCompatibilityGroups is fakegpu.companion.gate");
    }
}
