package dev.fakegpu.dra.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.MixedSlice;
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

    /** Annotations together may have 256 KiB; an API server would refuse the slice. */
    @Test
    void saysThatTheSpecIsTooLarge() {
        assertThat(MixinsAnnotation.write(slice(128, 1_100)))
                .matches("not shown: with mixins the spec has 1[45]\\d{4} bytes, and at most 131072 fit here");
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
