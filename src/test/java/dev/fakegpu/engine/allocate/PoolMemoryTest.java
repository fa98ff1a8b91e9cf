package dev.fakegpu.engine.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.PoolLayout;
import dev.fakegpu.hardware.slices.PoolTarget;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphLayout;

/** Measures the memory that the allocator needs for a node with eight A100 that are offered as all possible devices. */
@Tag("long")
class PoolMemoryTest {

    static {
        // JOL needs this setting to inspect records.
        System.setProperty("jol.magicFieldOffset", "true");
    }

    private static final NodeInfo NODE = new NodeInfo("node-1", Map.of());
    private static final DeviceClass CLASS = new DeviceClass(
            "mig",
            List.of("device.driver == \"gpu.nvidia.com\" && device.attributes[\"gpu.nvidia.com\"].type == \"mig\""),
            List.of());
    private static final String PROFILE = "device.attributes[\"gpu.nvidia.com\"].?profile.orValue(\"\") == \"1g.5gb\"";

    private final List<Slice> slices = PoolLayout.slices(
            new PoolTarget(
                    new PoolId("gpu.nvidia.com", "node-1/a100"), "a100", new NodeSelection.NodeName(NODE.name())),
            Specs.plan(Specs.everything("A100-SXM4-40GB", 8)));
    private final AllocatorOptions options = new AllocatorOptions(GroupsGate.ON, GroupPolicy.LIVE, List.of());
    private final SliceIndex index = new SliceIndex(slices, options);
    private final Selectors selectors = new Selectors();

    @Test
    void aCompiledPoolTakesFewBytesForEachDevice() {
        long compiled = bytesForEachDevice();
        allocate(7);
        long afterUse = bytesForEachDevice();
        allocate(57);
        long afterLookingAhead = bytesForEachDevice();

        System.out.println("Compiled pool beside its slices: " + compiled + " bytes for each device, " + afterUse
                + " after use, " + afterLookingAhead + " after looking ahead");
        assertThat(compiled).isLessThanOrEqualTo(300);
        assertThat(afterUse).isLessThanOrEqualTo(300);
    }

    private void allocate(int count) {
        var request = DeviceRequest.exactly("r", "mig", List.of(PROFILE), Math.min(count, 32), List.of());
        var more = DeviceRequest.exactly("r", "mig", List.of(PROFILE), Math.max(0, count - 32), List.of());
        new Allocator(new AllocationContext(
                        index,
                        Map.of("mig", CLASS),
                        new AllocatedDevices(List.of(), GroupPolicy.LIVE),
                        selectors,
                        options))
                .allocate(NODE, List.of(claim("a", request), claim("b", more)));
    }

    private static Claim claim(String name, DeviceRequest request) {
        return new Claim(new ClaimRef("default", name, name), List.of(request), List.of(), List.of());
    }

    /** The memory for each device, without slices and compiled selectors, which are shared. */
    private long bytesForEachDevice() {
        Pool.Usable pool = (Pool.Usable) index.pools(NODE).get(0);
        long all = GraphLayout.parseInstance(pool, slices, selectors).totalSize();
        return (all - GraphLayout.parseInstance(slices, selectors).totalSize())
                / pool.devices().size();
    }
}
