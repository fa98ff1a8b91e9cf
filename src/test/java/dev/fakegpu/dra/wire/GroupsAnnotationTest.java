package dev.fakegpu.dra.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupsAnnotationTest {

    private static final Slice WITH = slice(device("a", "one", "x"), device("b", "one", "x", "y"), device("c", "two"));
    private static final Slice WITHOUT =
            WITH.mapDevices(device -> device.withConsumption(CounterConsumption::withoutGroups));
    private static final String TEXT =
            "{\"pool\":\"n/f\",\"generation\":3,\"devices\":{\"a\":{\"one\":[\"x\"]},\"b\":{\"one\":[\"x\",\"y\"]}}}";

    @Test
    void groupsAreWrittenCompactlyAndOnlyIfThereAreAny() {
        assertThat(GroupsAnnotation.write(WITH)).isEqualTo(TEXT);
        assertThat(GroupsAnnotation.write(WITHOUT)).isNull();
    }

    @Test
    void whatWasWrittenIsReadBack() {
        assertThat(GroupsAnnotation.read(stored(WITHOUT, TEXT))).isEqualTo(WITH);
    }

    @Test
    void groupsInTheSliceCount() {
        var regrouped = slice(device("a", "one", "z"), device("b", "one"), device("c", "two"));

        assertThat(GroupsAnnotation.read(stored(regrouped, TEXT))).isEqualTo(regrouped);
    }

    @Test
    void anotherGenerationDoesNotCount() {
        var newer = WITHOUT.withPool(4, 1);

        assertThat(GroupsAnnotation.read(stored(newer, TEXT))).isEqualTo(newer);
    }

    @Test
    void anotherPoolDoesNotCount() {
        assertThat(GroupsAnnotation.read(stored(WITHOUT, TEXT.replace("n/f", "n/g"))))
                .isEqualTo(WITHOUT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[]",
                "7",
                "{\"pool\":\"n/f\",\"generation\":3,\"devices\":{\"a\":null,\"b\":7}}"
            })
    void anAnnotationOfAnotherClientDoesNoHarm(String text) {
        assertThat(GroupsAnnotation.read(stored(WITHOUT, text))).isEqualTo(WITHOUT);
    }

    /** All annotations of an object together are limited to 256 KiB. */
    @Test
    void theLargestAnnotationIsSmallEnough() {
        String longest = "x".repeat(60);
        var largest = slice(IntStream.range(100, 164)
                .mapToObj(index -> new Device(
                        longest + index,
                        Map.of(),
                        Map.of(),
                        List.of(
                                consumption(longest + "one", longest + "g-1", longest + "g-2"),
                                consumption(longest + "two", longest + "g-3", longest + "g-4")),
                        List.of()))
                .toArray(Device[]::new));

        assertThat(GroupsAnnotation.write(largest)).hasSizeLessThan(64 * 1024);
    }

    private static ResourceSlice stored(Slice slice, String annotation) {
        var stored = SliceWriter.write(slice);
        stored.getMetadata().setAnnotations(Map.of(GroupsAnnotation.KEY, annotation));
        return stored;
    }

    private static Slice slice(Device... devices) {
        return new Slice(
                "s",
                new PoolId("gpu.example.com", "n/f"),
                3,
                1,
                new NodeSelection.NodeName("n"),
                List.of(),
                List.of(devices));
    }

    private static Device device(String name, String set, String... groups) {
        return new Device(name, Map.of(), Map.of(), List.of(consumption(set, groups)), List.of());
    }

    private static CounterConsumption consumption(String set, String... groups) {
        return new CounterConsumption(set, Map.of("memory", Quantity.ONE), List.of(groups));
    }
}
