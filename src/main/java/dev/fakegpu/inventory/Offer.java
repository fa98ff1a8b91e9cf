package dev.fakegpu.inventory;

import dev.fakegpu.api.PartitionsSpec;
import dev.fakegpu.catalog.GpuModel;
import dev.fakegpu.catalog.MigBackedVgpuType;
import dev.fakegpu.catalog.MigProfile;
import dev.fakegpu.catalog.VgpuTable;
import dev.fakegpu.catalog.VgpuType;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Which devices a GPU of a model is offered as: a checked PartitionsSpec with its names looked up, each list in the catalog's order.
 *
 * @param whole the GPU itself
 * @param mig profiles to make an instance of at every placement
 * @param vgpu types to make slots of
 * @param mixedSize whether these slots are those of mixed-size mode
 * @param migBacked types to make a vGPU of at every placement of their instance
 * @param vfio the GPU itself, for passing through
 */
record Offer(
        boolean whole,
        List<MigProfile> mig,
        List<VgpuType> vgpu,
        boolean mixedSize,
        List<MigBackedVgpuType> migBacked,
        boolean vfio) {

    static Offer of(GpuModel model, PartitionsSpec partitions) {
        var mig = Optional.ofNullable(partitions.mig());
        var vgpu = Optional.ofNullable(partitions.vgpu());
        var migBacked = Optional.ofNullable(partitions.migBackedVgpu());
        return new Offer(
                partitions.offersWhole(),
                mig.map(spec -> chosen(migProfiles(model), MigProfile::name, spec.profiles()))
                        .orElse(List.of()),
                vgpu.map(spec -> chosen(vgpuTypes(model), VgpuType::name, spec.types()))
                        .orElse(List.of()),
                vgpu.filter(PartitionsSpec.Vgpu::mixedSize).isPresent(),
                migBacked
                        .map(spec -> chosen(migBackedTypes(model), MigBackedVgpuType::name, spec.types()))
                        .orElse(List.of()),
                partitions.offersVfio());
    }

    /** What there is to choose from; nothing if the model does not have it. */
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
