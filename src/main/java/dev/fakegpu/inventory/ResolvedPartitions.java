package dev.fakegpu.inventory;

import dev.fakegpu.api.PartitionsSpec;
import dev.fakegpu.api.PartitionsSpec.Vgpu.Sizing;
import dev.fakegpu.catalog.GpuModel;
import dev.fakegpu.catalog.MigBackedVgpuType;
import dev.fakegpu.catalog.MigProfile;
import dev.fakegpu.catalog.VgpuTable;
import dev.fakegpu.catalog.VgpuType;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A valid PartitionsSpec with its names replaced by the model's profiles and types, in the catalog's order.
 *
 * @param whole whether the whole GPU is a device
 * @param mig profiles; every placement is a device
 * @param vgpu time-sliced types
 * @param sizing whether time-sliced vGPUs on the GPU must have the same size
 * @param migBacked MIG-backed types; every placement of their instance is a device
 * @param vfio whether the GPU is also a device for passthrough
 */
record ResolvedPartitions(
        boolean whole,
        List<MigProfile> mig,
        List<VgpuType> vgpu,
        Sizing sizing,
        List<MigBackedVgpuType> migBacked,
        boolean vfio) {

    static ResolvedPartitions of(GpuModel model, PartitionsSpec partitions) {
        var mig = Optional.ofNullable(partitions.mig());
        var vgpu = Optional.ofNullable(partitions.vgpu());
        var migBacked = Optional.ofNullable(partitions.migBackedVgpu());
        return new ResolvedPartitions(
                partitions.offersWhole(),
                mig.map(spec -> chosen(migProfiles(model), MigProfile::name, spec.profiles()))
                        .orElse(List.of()),
                vgpu.map(spec -> chosen(vgpuTypes(model), VgpuType::name, spec.types()))
                        .orElse(List.of()),
                vgpu.map(PartitionsSpec.Vgpu::sizingOrDefault).orElse(Sizing.EqualSize),
                migBacked
                        .map(spec -> chosen(migBackedTypes(model), MigBackedVgpuType::name, spec.types()))
                        .orElse(List.of()),
                partitions.offersVfio());
    }

    /** All profiles of the model; empty if it has no MIG. */
    static List<MigProfile> migProfiles(GpuModel model) {
        return model.mig() == null ? List.of() : model.mig().profiles();
    }

    static List<VgpuType> vgpuTypes(GpuModel model) {
        return model.vgpu() == null ? List.of() : model.vgpu().types();
    }

    static List<MigBackedVgpuType> migBackedTypes(GpuModel model) {
        return Optional.ofNullable(model.vgpu())
                .map(VgpuTable::migBacked)
                .map(table -> table.types())
                .orElse(List.of());
    }

    boolean vgpus() {
        return !vgpu.isEmpty() || !migBacked.isEmpty();
    }

    private static <T> List<T> chosen(List<T> all, Function<T, String> name, List<String> names) {
        return all.stream()
                .filter(one -> names.contains(PartitionsSpec.ALL) || names.contains(name.apply(one)))
                .toList();
    }
}
