package dev.fakegpu.operator.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.hardware.inventory.Inventory;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests two pairs of GPUs on a fabric, and a MIG device, which is not on it. */
class FabricPartitionsTest {

    private static final PoolId POOL = new PoolId("gpu.example.com", "node-1/fake");

    @Test
    void theGpusOfAClaimAreOnePartitionOfTheFabric() {
        assertThat(check("gpu-0", "gpu-1")).isEmpty();
        assertThat(check("gpu-1")).isEmpty();
        assertThat(check("gpu-0", "gpu-2"))
                .hasValue("fabric manager: GPU module set [5 6] does not match any FM partition; matchAttribute"
                        + " gpu.example.com/partition2 selects GPUs of one partition");
        assertThat(check("gpu-0", "gpu-1", "gpu-2"))
                .hasValue("fabric manager: GPU module set [5 7 6] does not match any FM partition; none of theirs has"
                        + " 3 GPUs");
        assertThat(check("mig-0", "gpu-3")).isEmpty();
    }

    private static Optional<String> check(String... devices) {
        var node = new Inventory(
                4,
                List.of(),
                List.of(
                        device("mig-0", Map.of()),
                        gpu("gpu-0", 5, 5),
                        gpu("gpu-1", 7, 5),
                        gpu("gpu-2", 6, 6),
                        gpu("gpu-3", 8, 6)));
        List<DeviceId> ids = Stream.of(devices).map(POOL::device).toList();
        return new HardwareCheck(
                        new ModeledHardware(Map.of(POOL, node)),
                        new HashSet<>(ids),
                        List.of(),
                        ClaimNaming.OwnNamespace)
                .check(new ClaimRef("default", "new", "new"), ids, Map.of())
                .problem();
    }

    private static Device gpu(String name, int moduleId, int pair) {
        return device(
                name,
                Map.of(
                        "gpuModuleID", AttributeValue.of(moduleId),
                        "partition1", AttributeValue.of(moduleId + 6),
                        "partition2", AttributeValue.of(pair)));
    }

    private static Device device(String name, Map<String, AttributeValue> attributes) {
        return new Device(name, attributes, Map.of(), List.of(), List.of());
    }
}
