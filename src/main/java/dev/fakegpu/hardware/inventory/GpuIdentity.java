package dev.fakegpu.hardware.inventory;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.api.TopologySpec;
import dev.fakegpu.hardware.catalog.NodeProfile;
import java.util.UUID;

/**
 * The identity of one GPU. It is derived from names, so a GPU keeps its identity across restarts.
 *
 * @param index the index of the GPU on its node, NVIDIA's minor number
 * @param uuid the UUID in NVML's format
 * @param pciBusId {@code <domain>:<bus>:<device>.<function>}
 */
record GpuIdentity(int index, String uuid, String pciBusId, String pcieRoot, int numaNode) {

    static final String GPU = "gpu";

    /**
     * The identity of one of {@code count} GPUs. {@code count} is at most 64, so that the bus numbers fit in a byte. GPUs fill NUMA nodes
     * and PCIe roots in order.
     */
    static GpuIdentity of(String nodeName, String fakeGpuName, int index, int count, TopologySpec topology) {
        return of(GPU, nodeName, fakeGpuName, index, count, topology);
    }

    /** @param kind the kind of the hardware, for which a profile has places */
    static GpuIdentity of(
            String kind, String nodeName, String fakeGpuName, int index, int count, TopologySpec topology) {
        UUID uuid = UUID.nameUUIDFromBytes((nodeName + "/" + fakeGpuName + "/" + index).getBytes(UTF_8));
        if (topology.profile() != null) {
            NodeProfile.Place place = NodeProfile.find(topology.profile())
                    .orElseThrow()
                    .places(kind)
                    .get(topology.firstPlaceOrDefault() + index);
            return new GpuIdentity(index, "GPU-" + uuid, place.bus() + ":00.0", place.root(), place.numaNode());
        }
        // Each FakeGpu has its own PCI domain, so that bus IDs are unique on nodes with several FakeGpus.
        int domain = (int) (UUID.nameUUIDFromBytes(fakeGpuName.getBytes(UTF_8)).getMostSignificantBits() >>> 48);
        int rootBus = 4 * (index - index % topology.gpusPerPcieRootOrDefault());
        return new GpuIdentity(
                index,
                "GPU-" + uuid,
                String.format("%04x:%02x:00.0", domain, 4 * index + 1),
                String.format("pci%04x:%02x", domain, rootBus),
                index / gpusPerNumaNode(count, topology));
    }

    /** The UUID of a static MIG device, in NVML's format. */
    String migUuid(String device) {
        return "MIG-" + UUID.nameUUIDFromBytes((uuid + "/" + device).getBytes(UTF_8));
    }

    /** The number of GPUs per NUMA node, rounded up. The last NUMA node may have fewer. */
    static int gpusPerNumaNode(int count, TopologySpec topology) {
        return (count + topology.numaNodesOrDefault() - 1) / topology.numaNodesOrDefault();
    }
}
