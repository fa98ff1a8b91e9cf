package dev.fakegpu.inventory;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.api.TopologySpec;
import java.util.UUID;

/**
 * What tells one GPU from another. All of it follows from the names, so that a GPU keeps its identity over restarts.
 *
 * @param index the GPU's number on its node, NVIDIA's minor
 * @param uuid as NVML prints it
 * @param pciBusId {@code <domain>:<bus>:<device>.<function>}
 * @param pcieRoot {@code pci<domain>:<bus>}
 */
record GpuIdentity(int index, String uuid, String pciBusId, String pcieRoot, int numaNode) {

    /**
     * One of {@code count} GPUs; {@code count} is 64 at most, so that the bus numbers fit a byte. NUMA nodes and PCIe roots are
     * filled in the order of the GPUs.
     */
    static GpuIdentity of(String nodeName, String fakeGpuName, int index, int count, TopologySpec topology) {
        UUID uuid = UUID.nameUUIDFromBytes((nodeName + "/" + fakeGpuName + "/" + index).getBytes(UTF_8));
        // A PCI domain of its own for each FakeGpu keeps bus IDs apart where a node has several.
        int domain = (int) (UUID.nameUUIDFromBytes(fakeGpuName.getBytes(UTF_8)).getMostSignificantBits() >>> 48);
        int rootBus = 4 * (index - index % topology.gpusPerPcieRootOrDefault());
        return new GpuIdentity(
                index,
                "GPU-" + uuid,
                String.format("%04x:%02x:00.0", domain, 4 * index + 1),
                String.format("pci%04x:%02x", domain, rootBus),
                index / gpusPerNumaNode(count, topology));
    }

    /** Rounded up: the last NUMA node may have fewer. */
    static int gpusPerNumaNode(int count, TopologySpec topology) {
        return (count + topology.numaNodesOrDefault() - 1) / topology.numaNodesOrDefault();
    }
}
