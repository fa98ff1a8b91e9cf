package dev.fakegpu.engine.headroom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the results that kube-controller-manager's {@code views_test.go} expects. */
class PoolStatusEstimateTest {

    private static final PoolId POOL = new PoolId("gpu.example.com", "pool");

    private static Device device(String name, String type, String set, long units) {
        return new Device(
                name,
                Map.of("type", AttributeValue.of(type)),
                Map.of(),
                List.of(new CounterConsumption(set, Map.of("units", Quantity.of(units)), List.of(type))),
                List.of());
    }

    private static List<Slice> pool(Device... devices) {
        var sets = List.of(
                new CounterSet("a", Map.of("units", Quantity.of(4))),
                new CounterSet("b", Map.of("units", Quantity.of(4))));
        return List.of(new Slice(
                "s",
                POOL,
                1,
                1,
                new NodeSelection.AllNodes(),
                null,
                sets,
                List.of(devices),
                List.of(),
                "gpu.example.com/type"));
    }

    private static PoolStatusEstimate estimate(List<Slice> slices, String type, String... held) {
        return PoolStatusEstimate.of(slices, type, device -> Set.of(held).contains(device.device()))
                .orElseThrow();
    }

    @Test
    void countsByCountersWithoutGroups() {
        List<Slice> slices = pool(
                device("whole", "Full", "a", 4), device("half-0", "Half", "a", 2), device("half-1", "Half", "a", 2));

        assertThat(estimate(slices, "Half").allocatable()).isEqualTo(2);
        assertThat(estimate(slices, "Half", "half-0").allocatable()).isEqualTo(1);
        assertThat(estimate(slices, "Full", "half-0").allocatable()).isZero();
    }

    @Test
    void countsTaintedDevices() {
        Device tainted =
                device("half-0", "Half", "a", 2).withTaints(List.of(new DeviceTaint("lost", "", "NoSchedule")));

        assertThat(estimate(pool(tainted), "Half").allocatable()).isEqualTo(1);
    }

    @Test
    void differentCostsGiveNoEstimate() {
        List<Slice> slices = pool(device("half-0", "Half", "a", 2), device("half-1", "Half", "b", 2));

        assertThat(estimate(slices, "Half").costsDiffer()).containsExactly(POOL);
    }

    @Test
    void unknownTypesGiveNoEstimate() {
        assertThat(PoolStatusEstimate.of(pool(device("half-0", "Half", "a", 2)), "Quarter", device -> false))
                .isEmpty();
    }
}
