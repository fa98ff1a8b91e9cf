package dev.fakegpu.hardware.slices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceFields;
import dev.fakegpu.dra.mixin.HardwareWithMixins;
import dev.fakegpu.dra.mixin.MixedSlice;
import dev.fakegpu.dra.mixin.Mixins;
import dev.fakegpu.dra.wire.MixedSlices;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MixinCompactorTest {

    private static final int SLICES = Integer.getInteger("compacted.slices", 2_000);
    private static final long SEED = Long.getLong("compacted.seed", 5234);

    private static final String LONG = "a-value-that-is-long-enough-to-be-written-once-only";

    /** {@code -Dcompacted.slices=100000} tries more slices; {@code -Dcompacted.seed} sets another seed. */
    @Test
    void randomSlicesComeBackEqualAndNeverLarger() {
        int smaller = 0;
        int fullIncludes = 0;
        for (long seed = SEED; seed < SEED + SLICES; seed++) {
            Slice slice = RandomSlice.of(seed);
            MixedSlice compact = MixinCompactor.compact(slice);
            ObjectNode written = MixedSlices.spec(compact);

            assertThat(compact.flat())
                    .as("-Dcompacted.slices=1 -Dcompacted.seed=" + seed)
                    .isEqualTo(slice);
            assertThat(read(slice.name(), written).flat())
                    .as("written and read, -Dcompacted.slices=1 -Dcompacted.seed=" + seed)
                    .isEqualTo(slice);
            long saved = bytes(MixedSlices.spec(MixedSlice.plain(slice))) - bytes(written);
            assertThat(saved).as("bytes saved, seed %s", seed).isNotNegative();
            smaller += saved > 0 ? 1 : 0;
            int most = mostIncludes(compact.hardware());
            assertThat(most).as("seed %s", seed).isLessThanOrEqualTo(Limits.INCLUDES);
            fullIncludes += most == Limits.INCLUDES ? 1 : 0;
        }
        assertThat(smaller).as("slices that mixins make smaller").isBetween(SLICES / 3, SLICES);
        assertThat(fullIncludes)
                .as("slices with as many includes as there may be")
                .isPositive();
    }

    @Test
    void commonEntriesAreWrittenOnceAndThoseOfKindsOncePerKind() {
        // Given
        Slice slice = slice(
                List.of(),
                IntStream.range(0, 8)
                        .mapToObj(i -> new Device(
                                "d" + i,
                                Map.of(
                                        "model", AttributeValue.of(LONG),
                                        "kind", AttributeValue.of(LONG + i % 2),
                                        "index", AttributeValue.of(i)),
                                Map.of(),
                                List.of(),
                                List.of()))
                        .toList());

        // When
        HardwareWithMixins hardware = MixinCompactor.compact(slice).hardware();

        // Then
        assertThat(hardware.mixins().device().values().stream().map(Mixins.DeviceMixin::attributes))
                .containsExactlyInAnyOrder(
                        Map.of("model", AttributeValue.of(LONG)),
                        Map.of("kind", AttributeValue.of(LONG + 0)),
                        Map.of("kind", AttributeValue.of(LONG + 1)));
        assertThat(hardware.devices()).allSatisfy(device -> {
            assertThat(device.own().attributes()).containsOnlyKeys("index");
            assertThat(device.includes()).hasSize(2);
        });
    }

    @Test
    void consumptionsOfDifferentSetsShareAMixin() {
        Map<String, Quantity> counters =
                Map.of("memory-of-the-card", Quantity.of(1), "slices-of-the-card", Quantity.of(2));
        Slice slice = slice(
                List.of(),
                IntStream.range(0, 8)
                        .mapToObj(i -> new Device(
                                "d" + i,
                                Map.of(),
                                Map.of(),
                                List.of(new CounterConsumption("set-" + i, counters, List.of("group"))),
                                List.of()))
                        .toList());

        ObjectNode spec = MixedSlices.spec(MixinCompactor.compact(slice));

        assertThat(spec.at("/mixins/deviceCounterConsumption")).hasSize(1);
        assertThat(spec.at("/devices/7/consumesCounters"))
                .hasToString("[{\"counterSet\":\"set-7\",\"compatibilityGroups\":[\"group\"],\"includes\":[\"m0\"]}]");
    }

    @Test
    void counterSetsHaveMixins() {
        Map<String, Quantity> counters =
                Map.of("memory-of-the-card", Quantity.of(1), "slices-of-the-card", Quantity.of(2));
        Slice slice = slice(
                IntStream.range(0, 8)
                        .mapToObj(i -> new CounterSet("set-" + i, counters))
                        .toList(),
                List.of());

        ObjectNode spec = MixedSlices.spec(MixinCompactor.compact(slice));

        assertThat(spec.at("/sharedCounters/0")).hasToString("{\"name\":\"set-0\",\"includes\":[\"m0\"]}");
    }

    @Test
    void entriesThatWouldSaveNothingStayUnchanged() {
        Slice slice = slice(
                List.of(),
                List.of(
                        new Device("a", Map.of("x", AttributeValue.of(1)), Map.of(), List.of(), List.of()),
                        new Device("b", Map.of("x", AttributeValue.of(1)), Map.of(), List.of(), List.of())));

        assertThat(MixinCompactor.compact(slice)).isEqualTo(MixedSlice.plain(slice));
    }

    private static Slice slice(List<CounterSet> counterSets, List<Device> devices) {
        return new Slice(
                "slice",
                new PoolId("gpu.example.com", "pool"),
                1,
                1,
                new NodeSelection.NodeName("node-1"),
                counterSets,
                devices);
    }

    private static MixedSlice read(String name, ObjectNode spec) {
        JsonNode object = JsonNodeFactory.instance.objectNode().set("spec", spec);
        return MixedSlices.read(
                object, json -> SliceFields.SPEC.read(json.path("spec")).named(name));
    }

    private static int mostIncludes(HardwareWithMixins hardware) {
        IntStream ofDevices = hardware.devices().stream()
                .flatMapToInt(device -> IntStream.concat(
                        IntStream.of(device.includes().size()),
                        device.consumptionIncludes().stream().mapToInt(List::size)));
        IntStream ofSets =
                hardware.counterSets().stream().mapToInt(set -> set.includes().size());
        return IntStream.concat(ofDevices, ofSets).max().orElse(0);
    }

    private static long bytes(JsonNode json) {
        return json.toString().getBytes(UTF_8).length;
    }
}
