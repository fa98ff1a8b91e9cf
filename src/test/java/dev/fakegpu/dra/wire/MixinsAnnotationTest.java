package dev.fakegpu.dra.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.HardwareWithMixins;
import dev.fakegpu.dra.mixin.MixedSlice;
import dev.fakegpu.dra.mixin.Mixins;
import dev.fakegpu.dra.mixin.MixinsGate;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MixinsAnnotationTest {

    @Test
    void hasTheSpec() {
        MixedSlice slice = slice(1, 8);

        assertThat(MixinsAnnotation.write(slice))
                .isEqualTo(MixedSlices.spec(slice).toString())
                .contains("\"name\":\"device-0\"");
    }

    /** All annotations together are limited to 256 KiB; an API server would refuse the slice. */
    @Test
    void saysThatTheSpecIsTooLarge() {
        assertThat(MixinsAnnotation.write(slice(128, 1_100)))
                .matches("not shown: with mixins the spec has 1[45]\\d{4} bytes, and at most 131072 fit here");
    }

    @Test
    void devicesWithMixinsAreOmittedWhileTheGateIsOff() {
        MixedSlice shown = withAMixin();

        MixinsGate.Visible visible = visible(shown.flat(), MixinsAnnotation.write(shown));

        assertThat(visible.devices()).containsExactly("device-0");
        assertThat(visible.slice().devices()).extracting(Device::name).containsExactly("device-1");
        assertThat(visible.of(shown.flat()).devices()).extracting(Device::name).containsExactly("device-1");
    }

    @Test
    void anAnnotationForAnotherSpecDoesNotCount() {
        MixedSlice shown = withAMixin();
        String text = MixinsAnnotation.write(shown);

        assertThat(visible(shown.flat().withPool(2, 1), text).isComplete())
                .as("of another generation")
                .isTrue();
        assertThat(visible(shown.flat().withDevices(List.of()), text).isComplete())
                .as("of other devices")
                .isTrue();
        assertThat(List.of("", "{", "[]", "{}", "not shown: …", text.replace("[\"m\"]", "[\"n\"]")))
                .allSatisfy(other -> assertThat(visible(shown.flat(), other)).satisfies(visible -> {
                    assertThat(visible.isComplete()).isTrue();
                    assertThat(visible.slice()).isEqualTo(shown.flat());
                }));
    }

    private static MixinsGate.Visible visible(Slice slice, String annotation) {
        var metadata = new ObjectMetaBuilder()
                .withName("slice")
                .addToAnnotations(MixinsAnnotation.KEY, annotation)
                .build();
        return MixinsAnnotation.visible(List.of(CompactSlice.of(metadata, slice)), MixinsGate.OFF)
                .get("slice");
    }

    /** A slice whose device 0 includes a mixin. */
    private static MixedSlice withAMixin() {
        MixedSlice plain = slice(2, 8);
        var mixins = new Mixins(
                Map.of("m", new Mixins.DeviceMixin(Map.of("model", AttributeValue.of("a")), Map.of())),
                Map.of(),
                Map.of());
        return MixedSlice.of(
                plain.own(),
                new HardwareWithMixins(
                        mixins,
                        List.of(),
                        List.of(
                                new Mixins.DeviceWithMixins(
                                        plain.own().devices().get(0), List.of("m"), List.of()),
                                plain.hardware().devices().get(1))));
    }

    private static MixedSlice slice(int devices, int length) {
        return MixedSlice.plain(new Slice(
                "slice",
                new PoolId("gpu.example.com", "pool"),
                1,
                1,
                new NodeSelection.NodeName("node-1"),
                List.of(),
                IntStream.range(0, devices)
                        .mapToObj(i -> new Device(
                                "device-" + i,
                                Map.of("text", AttributeValue.of("x".repeat(length))),
                                Map.of(),
                                List.of(),
                                List.of()))
                        .toList()));
    }
}
