package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.Specs;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoolLayoutTest {

    private static final PoolId POOL = new PoolId("gpu.example.com", "node-1/fake");

    static Stream<String> models() {
        return Specs.gpuModels();
    }

    @ParameterizedTest
    @MethodSource("models")
    void limitsHoldForEveryModelWithEverythingOn(String model) {
        for (String sizing : List.of("EqualSize", "MixedSize")) {
            holdsFor(Specs.everythingAtAll(model, 1, sizing));
            holdsFor(Specs.everythingAtAll(model, 9, sizing));
        }
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("models")
    void limitsHoldForEveryModelWithEverythingOnAndAsManyGpusAsAllowed(String model) {
        for (String sizing : List.of("EqualSize", "MixedSize")) {
            holdsFor(Specs.everythingAtAll(model, 64, sizing));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 63, 64})
    void limitsHoldForEqualParts(int parts) {
        holdsFor(Specs.spec("{model: LATEST-GPU-MODEL, count: 64, partitions: {equalParts: %d}}".formatted(parts)));
    }

    private static void holdsFor(FakeGpuSpec spec) {
        Inventory published = Specs.plan(spec).published(spec);

        List<Slice> slices = slices(published);

        ApiLimits.hold(slices);
        assertThat(slices).flatExtracting(Slice::devices).isEqualTo(published.devices());
        assertThat(slices).flatExtracting(Slice::counterSets).isEqualTo(published.counterSets());
        assertThat(slices).extracting(Slice::nodes).containsOnly(new NodeSelection.NodeName("node-1"));
    }

    @Test
    void counterSetsComeFirstEightToASlice() {
        var inventory = new Inventory(9, sets(9), devices(1, i -> consuming("device-" + i, 1)));

        assertThat(slices(inventory))
                .extracting(slice ->
                        slice.counterSets().size() + "+" + slice.devices().size())
                .containsExactly("8+0", "1+0", "0+1");
    }

    @Test
    void plainDevicesComeInSlicesOf128() {
        var inventory = new Inventory(1, List.of(), devices(300, i -> plain("device-" + i)));

        assertThat(slices(inventory))
                .extracting(slice -> slice.devices().size())
                .containsExactly(128, 128, 44);
    }

    @Test
    void oneDeviceWithCountersHalvesItsSlice() {
        List<Device> devices = Stream.concat(
                        devices(100, i -> plain("plain-" + i)).stream(), Stream.of(consuming("last", 1)))
                .toList();

        assertThat(slices(new Inventory(1, sets(1), devices)))
                .extracting(slice -> slice.devices().size())
                .containsExactly(0, 100, 1);
    }

    @Test
    void manyConsumedCountersEndASliceEarly() {
        var inventory = new Inventory(
                1,
                sets(2),
                devices(
                        64,
                        i -> new Device(
                                "device-" + i,
                                Map.of(),
                                Map.of(),
                                List.of(consumption("set-0", 32), consumption("set-1", 32)),
                                List.of())));

        assertThat(slices(inventory))
                .extracting(slice -> slice.devices().size())
                .containsExactly(0, 32, 32);
    }

    @Test
    void aPoolWithoutDevicesIsPublishedToo() {
        assertThat(slices(new Inventory(1, List.of(), List.of())))
                .singleElement()
                .satisfies(slice -> {
                    assertThat(slice.devices()).isEmpty();
                    assertThat(slice.generation()).isEqualTo(1);
                    assertThat(slice.sliceCount()).isEqualTo(1);
                });
    }

    @Test
    void namesTellPoolsApart() {
        var empty = new Inventory(1, List.of(), List.of());

        assertThat(Stream.of(
                        PoolLayout.slices(on("b-c", new PoolId("d", "b-c/a"), "a"), empty),
                        PoolLayout.slices(on("c", new PoolId("d", "c/a-b"), "a-b"), empty),
                        PoolLayout.slices(on("c", new PoolId("e", "c/a-b"), "a-b"), empty)))
                .flatExtracting(slices -> slices)
                .extracting(Slice::name)
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name).matches("a-b-c-[0-9a-f]{6}-0000"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 199, 200, 201, 250})
    void longNodeNamesAreCutToNamesThatAreStillNames(int dotAt) {
        String node = ("n".repeat(dotAt) + "." + "m".repeat(253)).substring(0, 253);

        List<Slice> slices = PoolLayout.slices(
                on(node, new PoolId("gpu.example.com", node + "/fake"), "f".repeat(40)),
                new Inventory(1, List.of(), List.of()));

        ApiLimits.hold(slices);
        assertThat(slices.get(0).name()).hasSizeBetween(252, 253);
    }

    private static List<Slice> slices(Inventory inventory) {
        return PoolLayout.slices(on("node-1", POOL, "fake"), inventory);
    }

    private static PoolTarget on(String node, PoolId pool, String fakeGpuName) {
        return new PoolTarget(pool, fakeGpuName, new NodeSelection.NodeName(node));
    }

    private static List<CounterSet> sets(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new CounterSet("set-" + i, counters(32)))
                .toList();
    }

    private static List<Device> devices(int count, IntFunction<Device> device) {
        return IntStream.range(0, count).mapToObj(device).toList();
    }

    private static Device plain(String name) {
        return new Device(name, Map.of(), Map.of(), List.of(), List.of());
    }

    private static Device consuming(String name, int counters) {
        return new Device(name, Map.of(), Map.of(), List.of(consumption("set-0", counters)), List.of());
    }

    private static CounterConsumption consumption(String set, int counters) {
        return new CounterConsumption(set, counters(counters), List.of());
    }

    private static Map<String, Quantity> counters(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "counter-" + i, i -> Quantity.ONE));
    }
}
