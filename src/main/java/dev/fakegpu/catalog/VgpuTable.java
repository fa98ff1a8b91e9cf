package dev.fakegpu.catalog;

import java.util.List;
import java.util.Optional;

/**
 * Time-sliced vGPU types of a model.
 *
 * @param namePrefix what comes before the type in NVIDIA's full name: {@code GRID A100X-} in {@code GRID A100X-4C}
 * @param framework how the host manages vGPUs: {@code mdev} or {@code vdev} (vendor-specific VFIO)
 * @param sriovCapable whether vGPUs sit on PCI virtual functions
 * @param types from small to large
 */
public record VgpuTable(
        Provenance provenance, String namePrefix, String framework, boolean sriovCapable, List<VgpuType> types) {

    public VgpuTable {
        types = List.copyOf(types);
        Invalid.when(types.isEmpty(), "a vGPU table without types");
        Invalid.when(!namePrefix.endsWith("-"), "vGPU name prefix \"%s\" does not end with a dash", namePrefix);
        Invalid.when(!framework.equals("mdev") && !framework.equals("vdev"), "vGPU framework \"%s\"", framework);
        Invalid.when(types.stream().map(VgpuType::name).distinct().count() < types.size(), "a vGPU type occurs twice");
        List<Integer> sizes = types.stream().map(VgpuType::framebufferMiB).toList();
        Invalid.when(!sizes.equals(sizes.stream().sorted().toList()), "vGPU types are not sorted by size: %s", sizes);
    }

    public Optional<VgpuType> type(String name) {
        return types.stream().filter(type -> type.name().equals(name)).findFirst();
    }
}
