package dev.fakegpu.dra.mixin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceCapacity.RequestPolicy;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.mixin.Mixins.CounterSetWithMixins;
import dev.fakegpu.dra.mixin.Mixins.DeviceMixin;
import dev.fakegpu.dra.mixin.Mixins.DeviceWithMixins;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how includes of KEP-5234 are resolved. */
class MixinsTest {

    private static final DeviceCapacity SHARED =
            new DeviceCapacity(Quantity.of(10), new RequestPolicy(Quantity.ONE, List.of(), null));

    private static final Mixins MIXINS = new Mixins(
            Map.of(
                    "small", new DeviceMixin(attributes("size", 1, "common", 1), Map.of("memory", SHARED)),
                    "large",
                            new DeviceMixin(
                                    attributes("size", 2), Map.of("memory", DeviceCapacity.of(Quantity.of(20))))),
            Map.of("one", counters("slices", 1, "memory", 5), "two", counters("slices", 2)),
            Map.of("card", counters("slices", 7, "memory", 40), "engines", counters("engines", 3, "memory", 80)));

    @Test
    void laterIncludesOverrideEarlierOnes() {
        assertThat(flatten(device("foo"), "small", "large").attributes())
                .containsOnly(entry("size", AttributeValue.of(2)), entry("common", AttributeValue.of(1)));
        assertThat(flatten(device("foo"), "large", "small").attributes()).containsEntry("size", AttributeValue.of(1));
    }

    @Test
    void aDevicesOwnEntriesOverrideAllMixins() {
        var own = new Device("foo", attributes("size", 3), Map.of("memory", Quantity.of(30)), List.of(), List.of());

        assertThat(flatten(own, "small", "large").attributes())
                .containsOnly(entry("size", AttributeValue.of(3)), entry("common", AttributeValue.of(1)));
        assertThat(flatten(own, "small").capacity()).containsOnly(entry("memory", DeviceCapacity.of(Quantity.of(30))));
    }

    /** The whole value is replaced: a capacity does not keep the policy of the one that it overrides. */
    @Test
    void aCapacityComesWithItsPolicy() {
        assertThat(flatten(device("foo"), "small").capacity()).containsOnly(entry("memory", SHARED));
        assertThat(flatten(device("foo"), "small", "large").capacity())
                .containsOnly(entry("memory", DeviceCapacity.of(Quantity.of(20))));
    }

    @Test
    void countersAreMergedInTheSameWay() {
        var set = new CounterSetWithMixins(new CounterSet("set", counters("slices", 8)), List.of("card", "engines"));
        var device = new DeviceWithMixins(
                new Device(
                        "foo",
                        Map.of(),
                        Map.of(),
                        List.of(
                                new CounterConsumption("set", counters("memory", 6), List.of("group")),
                                new CounterConsumption("other", Map.of(), List.of())),
                        List.of()),
                List.of(),
                List.of(List.of("one", "two"), List.of("one")));

        assertThat(MIXINS.flatten(set))
                .isEqualTo(new CounterSet("set", counters("slices", 8, "memory", 80, "engines", 3)));
        assertThat(MIXINS.flatten(device).consumesCounters())
                .containsExactly(
                        new CounterConsumption("set", counters("slices", 2, "memory", 6), List.of("group")),
                        new CounterConsumption("other", counters("slices", 1, "memory", 5), List.of()));
    }

    @Test
    void missingMixinsAreNamed() {
        assertThatThrownBy(() -> flatten(device("foo"), "card"))
                .hasMessage("\"card\" is not a device mixin; there are: large, small");
    }

    @Test
    void entriesAreCountedAsWrittenAndAsResolved() {
        var hardware = new HardwareWithMixins(
                MIXINS,
                List.of(
                        new CounterSetWithMixins(new CounterSet("a", Map.of()), List.of("card")),
                        new CounterSetWithMixins(new CounterSet("b", Map.of()), List.of("card")),
                        new CounterSetWithMixins(new CounterSet("c", counters("own", 1)), List.of("card"))),
                List.of(
                        new DeviceWithMixins(device("foo"), List.of("small"), List.of()),
                        new DeviceWithMixins(device("bar"), List.of("small"), List.of())));

        assertThat(hardware.written()).isEqualTo(new HardwareWithMixins.Entries(5, 5, 3));
        assertThat(hardware.flattened()).isEqualTo(new HardwareWithMixins.Entries(6, 7, 0));
    }

    /** Each limit of KEP-5234 is reached exactly, and then exceeded by one. */
    @Test
    void moreAttributesThanASliceMayHaveAreRefused() {
        String mixins = String.join(
                ", ",
                IntStream.range(0, 128)
                        .mapToObj(i -> "{name: m%d, attributes: {%s}}"
                                .formatted(
                                        i,
                                        String.join(
                                                ", ",
                                                IntStream.range(0, 32)
                                                        .mapToObj(a -> "a%d: {int: 1}".formatted(a))
                                                        .toList())))
                        .toList());
        String spec = "custom: {mixins: {device: [%s]}, devices: [{name: foo%s}]}";

        assertThat(Specs.PLANNER.check(Specs.spec(spec.formatted(mixins, "")), "fake"))
                .isEmpty();
        assertThat(Specs.PLANNER.check(Specs.spec(spec.formatted(mixins, ", capacity: {c: 1}")), "fake"))
                .extracting(SpecProblem::sentence)
                .containsExactly(
                        "spec.custom: \"4097\" is too many attributes and capacities over devices and device mixins;"
                                + " allowed: at most 4096");
    }

    private static Device flatten(Device own, String... includes) {
        return MIXINS.flatten(new DeviceWithMixins(own, List.of(includes), List.of()));
    }

    private static Device device(String name) {
        return new Device(name, Map.of(), Map.of(), List.of(), List.of());
    }

    private static Map<String, AttributeValue> attributes(String name, long value) {
        return Map.of(name, AttributeValue.of(value));
    }

    private static Map<String, AttributeValue> attributes(String name, long value, String other, long otherValue) {
        return Map.of(name, AttributeValue.of(value), other, AttributeValue.of(otherValue));
    }

    private static Map<String, Quantity> counters(String name, long value) {
        return Map.of(name, Quantity.of(value));
    }

    private static Map<String, Quantity> counters(String name, long value, String other, long otherValue) {
        return Map.of(name, Quantity.of(value), other, Quantity.of(otherValue));
    }

    private static Map<String, Quantity> counters(
            String name, long value, String other, long otherValue, String third, long thirdValue) {
        return Map.of(name, Quantity.of(value), other, Quantity.of(otherValue), third, Quantity.of(thirdValue));
    }
}
