package dev.fakegpu.hardware.catalog;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The vGPU types of a model.
 *
 * @param namePrefix the part of NVIDIA's full name before the type: {@code GRID A100X-} in {@code GRID A100X-4C}
 * @param framework how the host manages vGPUs: {@code mdev} or {@code vdev} (vendor-specific VFIO)
 * @param sriovCapable whether vGPUs use PCI virtual functions
 * @param types the time-sliced types, from small to large
 * @param migBacked the types on MIG instances; null if there are none
 */
public record VgpuTable(
        Provenance provenance,
        String namePrefix,
        String framework,
        boolean sriovCapable,
        List<VgpuType> types,
        @Nullable MigBackedVgpuTable migBacked) {

    private static final int MAX_TYPES = 64;

    public VgpuTable {
        types = types.stream()
                .sorted(Comparator.comparingInt(VgpuType::framebufferMiB))
                .toList();
        Invalid.when(types.isEmpty() || types.size() > MAX_TYPES, "%d vGPU types", types.size());
        Invalid.when(!namePrefix.endsWith("-"), "vGPU name prefix \"%s\" does not end with a dash", namePrefix);
        Invalid.when(
                !framework.equals("mdev") && !framework.equals("vdev"),
                "vGPU framework \"%s\" is neither mdev nor vdev",
                framework);
        Invalid.when(types.stream().map(VgpuType::name).distinct().count() < types.size(), "a vGPU type occurs twice");
        types.forEach(type -> Names.checkText("vGPU name", namePrefix + type.name()));
        if (migBacked != null) {
            migBacked.types().forEach(type -> Names.checkText("vGPU name", namePrefix + type.name()));
        }
    }
}
