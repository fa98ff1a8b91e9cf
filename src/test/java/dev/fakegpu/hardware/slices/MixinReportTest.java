package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.mixin.HardwareWithMixins;
import dev.fakegpu.hardware.inventory.CustomInventory;
import dev.fakegpu.hardware.inventory.Specs;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MixinReportTest {

    private static final String CARD = """
            mixins: {device: [{name: card, attributes: {model: {string: X1}}, capacity: {memory: 8Gi}}]}""";

    @Test
    void resolvesIncludesAndSaysWhatTheySave() {
        // When
        MixinReport report = MixinReport.ofSlice(
                hardware(
                        CARD
                                + ", devices: [{name: a, includes: [card]}, {name: b, includes: [card]}, {name: c, includes: [card]}]"));

        // Then
        assertThat(report.problems()).isEmpty();
        assertThat(report.devices()).allSatisfy(device -> {
            assertThat(device.attributes()).containsOnlyKeys("model");
            assertThat(device.capacity()).containsOnlyKeys("memory");
        });
        assertThat(report.written().attributesAndCapacities()).isEqualTo(2);
        assertThat(report.flattened().attributesAndCapacities()).isEqualTo(6);
        assertThat(report.saved(75, 100))
                .startsWith("75 bytes with mixins, 100 without (25% saved); attributes and capacities 2 and 6,");
    }

    @Test
    void leavesOutObjectsThatCannotBeResolved() {
        // When
        MixinReport report = MixinReport.ofSlice(
                hardware(CARD + ", devices: [{name: a, includes: [kard]}, {name: b, includes: [card]}]"));

        // Then
        assertThat(report.devices()).extracting(device -> device.name()).containsExactly("b");
        assertThat(report.problems())
                .singleElement()
                .asString()
                .startsWith("device a: ")
                .contains("kard");
    }

    @Test
    void limitsOfASliceApplyToSlicesOnly() {
        // Given
        var devices = IntStream.rangeClosed(1, 129)
                .mapToObj(number -> "{name: d-" + number + "}")
                .collect(Collectors.joining(", "));
        var hardware = hardware(CARD + ", devices: [" + devices + "]");

        // Then
        assertThat(MixinReport.ofSlice(hardware).problems())
                .containsExactly("devices: 129 are too many; allowed: at most 128");
        assertThat(MixinReport.of(hardware).problems()).isEmpty();
    }

    private static HardwareWithMixins hardware(String custom) {
        return CustomInventory.mixed(
                Objects.requireNonNull(Specs.spec("{custom: {" + custom + "}}").custom()));
    }
}
