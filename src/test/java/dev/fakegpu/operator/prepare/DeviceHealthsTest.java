package dev.fakegpu.operator.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.PoolLayout;
import dev.fakegpu.hardware.slices.PoolTarget;
import dev.fakegpu.operator.prepare.DeviceHealths.Health;
import dev.fakegpu.operator.prepare.DeviceHealths.State;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceHealthsTest {

    private static final DeviceId GPU = new DeviceId("gpu.example.com", "node-1/fake", "gpu-0");

    @Test
    void aDeviceWithoutTaintsIsHealthy() {
        assertThat(healths()).containsEntry(GPU, new Health(State.HEALTHY, ""));
    }

    @Test
    void taintsOfTheDriverDetermineTheHealth() {
        assertThat(healths(taint("gpu.example.com/xid", "79")))
                .containsEntry(GPU, new Health(State.UNHEALTHY, "tainted gpu.example.com/xid=79:NoExecute"));
        assertThat(healths(taint("gpu.example.com/gpu-lost", "")))
                .containsEntry(GPU, new Health(State.UNHEALTHY, "tainted gpu.example.com/gpu-lost:NoExecute"));
        assertThat(healths(taint("gpu.example.com/unmonitored", "")))
                .containsEntry(GPU, new Health(State.UNKNOWN, "tainted gpu.example.com/unmonitored:NoExecute"));
    }

    @Test
    void theWorstTaintWins() {
        assertThat(healths(taint("gpu.example.com/unmonitored", ""), taint("gpu.example.com/xid", "79"))
                        .get(GPU)
                        .state())
                .isEqualTo(State.UNHEALTHY);
    }

    @Test
    void otherTaintsAreIgnored() {
        assertThat(healths(taint("fakegpu.dev/allocator", "companion"), taint("other.example.com/xid", "79")))
                .containsEntry(GPU, Health.GOOD);
    }

    private static Map<DeviceId, Health> healths(DeviceTaint... taints) {
        var spec = Specs.spec("{model: A100-SXM4-40GB, count: 1, partitions: {whole: true}}");
        return DeviceHealths.of(
                PoolLayout.slices(PoolTarget.of(spec, "fake", new NodeSelection.NodeName("node-1")), Specs.plan(spec))
                        .stream()
                        .map(slice -> slice.withDevices(slice.devices().stream()
                                .map(device -> device.withTaints(Arrays.asList(taints)))
                                .toList()))
                        .toList());
    }

    private static DeviceTaint taint(String key, String value) {
        return new DeviceTaint(key, value, "NoExecute");
    }
}
