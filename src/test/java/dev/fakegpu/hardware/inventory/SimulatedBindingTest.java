package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.BindingSpec.Outcome;
import dev.fakegpu.api.FakeGpuSpec;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SimulatedBindingTest {

    @Test
    void allDevicesOfAModelAreAlike() {
        var spec =
                Specs.spec("{model: L40S, binding: {conditions: [a], failureConditions: [b], simulate: {after: 2m}}}");

        assertThat(SimulatedBinding.of(spec).apply("gpu-0"))
                .contains(new SimulatedBinding(Duration.ofMinutes(2), Outcome.Ready));
    }

    @Test
    void conditionsAreNotSimulatedByDefault() {
        assertThat(SimulatedBinding.of(Specs.spec("{model: L40S, binding: {conditions: [a], failureConditions: [b]}}"))
                        .apply("gpu-0"))
                .isEmpty();
        assertThat(SimulatedBinding.of(Specs.spec("{model: L40S}")).apply("gpu-0"))
                .isEmpty();
    }

    @Test
    void bindingOfACustomDeviceReplacesThatOfAll() {
        FakeGpuSpec spec = Specs.spec("""
                binding: {conditions: [a], failureConditions: [b], simulate: {}}
                custom:
                  devices:
                  - {name: like-all}
                  - {name: empty, binding: {}}
                  - {name: failing, binding: {conditions: [a], failureConditions: [b], simulate: {after: 5s, outcome: Failed}}}
                  - name: repeated-{i}
                    repeat: [{name: i, count: 2}]
                    binding: {conditions: [a], failureConditions: [b], simulate: {after: 1s}}
                  - {name: by-hand, binding: {conditions: [a], failureConditions: [b]}}
                """);

        var atOnce = new SimulatedBinding(Duration.ZERO, Outcome.Ready);
        assertThat(SimulatedBinding.of(spec).apply("like-all")).contains(atOnce);
        assertThat(SimulatedBinding.of(spec).apply("empty")).contains(atOnce);
        assertThat(SimulatedBinding.of(spec).apply("failing"))
                .contains(new SimulatedBinding(Duration.ofSeconds(5), Outcome.Failed));
        assertThat(SimulatedBinding.of(spec).apply("repeated-1"))
                .contains(new SimulatedBinding(Duration.ofSeconds(1), Outcome.Ready));
        assertThat(SimulatedBinding.of(spec).apply("by-hand")).isEmpty();
    }
}
