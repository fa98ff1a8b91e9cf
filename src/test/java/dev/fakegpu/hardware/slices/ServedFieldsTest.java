package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServedFieldsTest {

    private static final Slice EVERYTHING = new Slice(
            "s",
            new PoolId("gpu.example.com", "n/f"),
            1,
            1,
            new NodeSelection.None(),
            true,
            List.of(new CounterSet("set", Map.of("memory", Quantity.ONE))),
            List.of(device()),
            List.of("*"),
            "gpu.example.com/one");

    private static Device device() {
        var policy = new DeviceCapacity.RequestPolicy(Quantity.ONE, List.of(), null);
        return new Device(
                "a",
                Map.of("one", AttributeValue.of("x"), "list", AttributeValue.strings(List.of("x"))),
                Map.of("memory", new DeviceCapacity(Quantity.ONE, policy)),
                List.of(new CounterConsumption("set", Map.of("memory", Quantity.ONE), List.of("g"))),
                List.of(new DeviceTaint("t", "", "NoSchedule")),
                true,
                new NodeSelection.AllNodes(),
                new Device.Binding(true, List.of("ready"), List.of("failed")),
                Map.of("cpu", new Device.NodeAllocatable(null, null)));
    }

    @Test
    void nothingIsRemovedIfEverythingIsServed() {
        assertThat(ServedFields.ALL.strip(EVERYTHING)).isEqualTo(EVERYTHING);
        assertThat(ServedFields.ALL.missing(List.of(EVERYTHING))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void unservedFieldsAreRemovedAndThenNothingElseIs(SliceField field) {
        for (ServedFields served :
                List.of(new ServedFields(Set.of(field), Set.of()), new ServedFields(Set.of(), Set.of(field)))) {
            Slice stripped = served.strip(EVERYTHING);

            assertThat(field.isUsedBy(EVERYTHING)).isTrue();
            assertThat(field.isUsedBy(stripped)).isFalse();
            assertThat(served.serves(field)).isFalse();
            assertThat(served.missing(List.of(EVERYTHING))).containsExactly(field);
            assertThat(ServedFields.lost(EVERYTHING, stripped)).contains(field);
            assertThat(served.strip(stripped)).isEqualTo(stripped);
            assertThat(stripped.pool()).isEqualTo(EVERYTHING.pool());
        }
    }

    @Test
    void unusedFieldsAreNotReported() {
        var served = new ServedFields(EnumSet.allOf(SliceField.class), Set.of());
        var plain = EVERYTHING.withDevices(List.of()).withCounterSets(List.of()).withSkipNodeOperations(List.of());

        assertThat(served.missing(List.of(
                        new Slice("s", plain.pool(), 1, 1, new NodeSelection.AllNodes(), List.of(), List.of()))))
                .isEmpty();
    }

    @Test
    void fieldsThatAVersionLacksDoNotCountAsDropped() {
        var served = new ServedFields(Set.of(SliceField.TAINTS), Set.of())
                .andDropped(Set.of(SliceField.TAINTS, SliceField.COUNTERS));

        assertThat(served).isEqualTo(new ServedFields(Set.of(SliceField.TAINTS), Set.of(SliceField.COUNTERS)));
    }
}
