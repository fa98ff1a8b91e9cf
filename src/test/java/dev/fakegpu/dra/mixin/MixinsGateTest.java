package dev.fakegpu.dra.mixin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.field.SliceFields;
import dev.fakegpu.dra.mixin.MixinsGate.Visible;
import dev.fakegpu.dra.wire.MixedSlices;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MixinsGateTest {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private static final String COUNTERS = """
            mixins: {counterSet: [{name: card, counters: {memory: {value: 8Gi}}}]}
            sharedCounters: [{name: mixed, includes: [card]}, {name: own, counters: {memory: {value: 4Gi}}}]""";

    private static final String DEVICES = """
            mixins:
              device: [{name: card, attributes: {model: {string: x1}}}]
              deviceCounterConsumption: [{name: all, counters: {memory: {value: 4Gi}}}]
            devices:
            - {name: plain}
            - {name: includes, includes: [card]}
            - {name: consumes, consumesCounters: [{counterSet: own, includes: [all]}]}
            - {name: depends, consumesCounters: [{counterSet: mixed, counters: {memory: {value: 1Gi}}}]}
            - {name: keeps, consumesCounters: [{counterSet: own, counters: {memory: {value: 1Gi}}}]}""";

    @Test
    void enabledGateResolvesMixins() {
        // When
        List<Visible> visible = visible(MixinsGate.ON, slice(1, COUNTERS), slice(1, DEVICES));

        // Then
        assertThat(visible).allSatisfy(each -> {
            assertThat(each.counterSets()).isEmpty();
            assertThat(each.devices()).isEmpty();
            assertThat(each.dependents()).isEmpty();
        });
        assertThat(visible.get(0).slice().counterSets().get(0).counters()).containsOnlyKeys("memory");
        assertThat(names(visible.get(1))).containsExactly("plain", "includes", "consumes", "depends", "keeps");
        assertThat(visible.get(1).slice().devices().get(1).attributes()).containsOnlyKeys("model");
        assertThat(visible.get(1)
                        .slice()
                        .devices()
                        .get(2)
                        .consumesCounters()
                        .get(0)
                        .counters())
                .containsOnlyKeys("memory");
    }

    /** KEP-5234, "Implementation": this includes other slices of the pool. */
    @Test
    void disabledGateOmitsObjectsWithMixinsAndTheirDependents() {
        // When
        List<Visible> visible = visible(MixinsGate.OFF, slice(1, DEVICES), slice(1, COUNTERS));

        // Then
        assertThat(names(visible.get(0))).containsExactly("plain", "keeps");
        assertThat(visible.get(0).devices()).containsExactly("includes", "consumes");
        assertThat(visible.get(0).dependents()).containsOnly(entry("depends", "mixed"));
        assertThat(visible.get(1).slice().counterSets())
                .extracting(CounterSet::name)
                .containsExactly("own");
        assertThat(visible.get(1).counterSets()).containsExactly("mixed");
    }

    @Test
    void counterSetsOfAnotherGenerationDoNotHideDevices() {
        assertThat(names(visible(MixinsGate.OFF, slice(1, COUNTERS), slice(2, DEVICES))
                        .get(1)))
                .containsExactly("plain", "depends", "keeps");
    }

    /** KEP-5234, "Version Skew Strategy": a scheduler of 1.33 with an API server of 1.34. */
    @Test
    void unawareSchedulerUsesDevicesWithoutTheirMixins() {
        // When
        List<Visible> visible = visible(MixinsGate.UNAWARE, slice(1, COUNTERS), slice(1, DEVICES));

        // Then
        assertThat(visible.get(0).slice().counterSets().get(0).counters()).isEmpty();
        assertThat(names(visible.get(1))).containsExactly("plain", "includes", "consumes", "depends", "keeps");
        assertThat(visible.get(1).slice().devices().get(1).attributes()).isEmpty();
    }

    @Test
    void slicesWithoutMixinsDoNotDependOnTheGate() {
        MixedSlice plain = slice(1, "devices: [{name: a, attributes: {includes: {string: nothing}}}]");

        assertThat(Stream.of(MixinsGate.values())
                        .map(gate -> visible(gate, plain).get(0).slice()))
                .allMatch(plain.own()::equals);
    }

    @Test
    void enabledGateRefusesMissingMixins() {
        MixedSlice broken = slice(1, "devices: [{name: a, includes: [card]}]");

        assertThatThrownBy(() -> visible(MixinsGate.ON, broken)).hasMessageContaining("\"card\" is not a device mixin");
        assertThat(names(visible(MixinsGate.OFF, broken).get(0))).isEmpty();
    }

    private static List<Visible> visible(MixinsGate gate, MixedSlice... slices) {
        return gate.visible(List.of(slices));
    }

    private static List<String> names(Visible visible) {
        return visible.slice().devices().stream().map(Device::name).toList();
    }

    private static MixedSlice slice(int generation, String content) {
        String spec = "driver: gpu.example.com\npool: {name: node-1, generation: %d, resourceSliceCount: 2}\n%s"
                .formatted(generation, content);
        JsonNode object = YAML.createObjectNode().set("spec", yaml(spec));
        return MixedSlices.read(
                object, json -> SliceFields.SPEC.read(json.path("spec")).named("slice"));
    }

    private static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
