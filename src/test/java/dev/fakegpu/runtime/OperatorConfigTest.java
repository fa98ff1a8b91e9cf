package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.runtime.OperatorConfig.Part;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.Test;

class OperatorConfigTest {

    @Test
    void everySettingHasADefault() {
        var config = config(Map.of());

        assertThat(config.namespace()).isEqualTo("fakegpu-system");
        assertThat(config.identity()).isEqualTo("a-uuid");
        assertThat(config.parts()).containsExactlyInAnyOrder(Part.values());
        assertThat(config.compatibilityGroups().publish()).isEqualTo(Publish.Auto);
        assertThat(config.kubeScheduler().metricsUrl()).isEmpty();
        assertThat(config.foreignSlices().removeAfter()).isEmpty();
        assertThat(config.explanations().names()).isEqualTo(ClaimNaming.OwnNamespace);
        assertThat(config.companion().gate()).isEqualTo(GroupsGate.ON);
        assertThat(config.companion().groupPolicy()).isEqualTo(GroupPolicy.SNAPSHOT);
        assertThat(config.companion().mixins()).isEqualTo(MixinsGate.ON);
        assertThat(config.companion().bindingTimeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(config.companion().writers()).isEqualTo(16);
        assertThat(config.companion().featureGates()).isEmpty();
    }

    @Test
    void environmentVariablesOverrideDefaults() {
        var config = config(Map.of(
                "FAKEGPU_NAMESPACE", "gpus",
                "FAKEGPU_PARTS", "Publisher,SimulatedKubelet",
                "FAKEGPU_COMPANION_GATE", "Unaware",
                "FAKEGPU_COMPANION_GROUP_POLICY", "Live",
                "FAKEGPU_COMPANION_MIXINS", "Off",
                "FAKEGPU_COMPATIBILITY_GROUPS_PUBLISH", "Never",
                "FAKEGPU_FOREIGN_SLICES_REMOVE_AFTER", "10m",
                "FAKEGPU_EXPLANATIONS_NAMES", "Full"));

        assertThat(config.namespace()).isEqualTo("gpus");
        assertThat(config.parts()).containsExactlyInAnyOrder(Part.Publisher, Part.SimulatedKubelet);
        assertThat(config.companion().gate()).isEqualTo(GroupsGate.UNAWARE);
        assertThat(config.companion().groupPolicy()).isEqualTo(GroupPolicy.LIVE);
        assertThat(config.companion().mixins()).isEqualTo(MixinsGate.OFF);
        assertThat(config.compatibilityGroups().publish()).isEqualTo(Publish.Never);
        assertThat(config.foreignSlices().removeAfter()).contains(Duration.ofMinutes(10));
        assertThat(config.explanations().names()).isEqualTo(ClaimNaming.Full);
    }

    /** Environment variables cannot set them, because their names have no lowercase letters. */
    @Test
    void systemPropertiesSetFeatureGates() {
        var source = new PropertiesConfigSource(
                Map.of("fakegpu.companion.feature-gates.DRAConsumableCapacity", "false"), "system properties", 400);

        assertThat(config(source).companion().featureGates())
                .containsExactly(Map.entry("DRAConsumableCapacity", false));
    }

    @Test
    void anUnknownValueStopsTheOperatorAtItsStart() {
        assertThatThrownBy(() -> config(Map.of("FAKEGPU_COMPANION_GATE", "Maybe")))
                .hasMessageContaining("Maybe")
                .hasMessageContaining("fakegpu.companion.gate");
    }

    private static OperatorConfig config(Map<String, String> environment) {
        return config(new EnvConfigSource(environment, 300));
    }

    private static OperatorConfig config(ConfigSource source) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withConverter(Duration.class, 200, new DurationConverter())
                .withDefaultValue("quarkus.uuid", "a-uuid")
                .withSources(source)
                .withMapping(OperatorConfig.class)
                .build()
                .getConfigMapping(OperatorConfig.class);
    }
}
