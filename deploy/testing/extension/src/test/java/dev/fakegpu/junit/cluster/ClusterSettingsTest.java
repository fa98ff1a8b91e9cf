package dev.fakegpu.junit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterSettingsTest {

    @Test
    void onlyNewerVersionsKnowTheGateOfGroups() {
        assertThat(ClusterSettings.defaultGates("v1.37.1")).isEqualTo("DRADeviceCompatibilityGroups=true");
        assertThat(ClusterSettings.defaultGates("v1.36.3")).isEmpty();
    }

    @Test
    void saysWhatIsAllowed() {
        assertThatThrownBy(() -> new ClusterSettings("v1.33.0", "", false, Map.of()))
                .isInstanceOf(ClusterException.class)
                .hasMessage("kubernetes: \"v1.33.0\" is not allowed; allowed: v1.34.0 and newer, such as v1.37.1");
        assertThatThrownBy(() -> new ClusterSettings("v1.37.1", "A", false, Map.of()))
                .hasMessageStartingWith("featureGates: \"A\" is not allowed");
    }
}
