package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.PartitionsSpec;
import dev.fakegpu.api.PartitionsSpec.StaticMig;
import dev.fakegpu.api.PartitionsSpec.Vgpu.Sizing;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.MigBackedVgpuType;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.MigTable;
import dev.fakegpu.hardware.catalog.VgpuTable;
import dev.fakegpu.hardware.catalog.VgpuType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A valid PartitionsSpec with its names replaced by the model's profiles and types, in the catalog's order.
 *
 * @param whole whether the whole GPU is a device
 * @param mig MIG profiles; every placement is a device
 * @param staticMig the static MIG devices by the index of their GPU, which has no other devices
 * @param vgpu time-sliced types
 * @param sizing whether time-sliced vGPUs on the GPU must have the same size
 * @param migBacked MIG-backed types; every placement of their instance is a device
 * @param vfio whether the GPU is also a device for passthrough
 */
record ResolvedPartitions(
        boolean whole,
        List<MigProfile> mig,
        Map<Integer, List<MigLayout.Instance>> staticMig,
        List<VgpuType> vgpu,
        Sizing sizing,
        List<MigBackedVgpuType> migBacked,
        boolean vfio) {

    /** @param gpus the number of GPUs on a node */
    static ResolvedPartitions of(GpuModel model, PartitionsSpec partitions, int gpus) {
        var mig = Optional.ofNullable(partitions.mig());
        var vgpu = Optional.ofNullable(partitions.vgpu());
        var migBacked = Optional.ofNullable(partitions.migBackedVgpu());
        return new ResolvedPartitions(
                partitions.offersWhole(),
                mig.map(spec -> chosen(migProfiles(model), MigProfile::name, spec.profiles()))
                        .orElse(List.of()),
                mig.map(spec -> staticMig(model, spec.staticMig(), gpus)).orElse(Map.of()),
                vgpu.map(spec -> chosen(vgpuTypes(model), VgpuType::name, spec.types()))
                        .orElse(List.of()),
                vgpu.map(PartitionsSpec.Vgpu::sizingOrDefault).orElse(Sizing.EqualSize),
                migBacked
                        .map(spec -> chosen(migBackedTypes(model), MigBackedVgpuType::name, spec.types()))
                        .orElse(List.of()),
                partitions.offersVfio());
    }

    private static Map<Integer, List<MigLayout.Instance>> staticMig(GpuModel model, List<StaticMig> spec, int gpus) {
        Map<Integer, List<MigLayout.Instance>> byGpu = new HashMap<>();
        for (StaticMig entry : spec) {
            MigTable table = Objects.requireNonNull(model.mig());
            List<MigLayout.Instance> instances =
                    MigLayout.place(table, profiles(table, entry)).orElseThrow();
            gpus(entry, gpus).forEach(gpu -> byGpu.put(gpu, instances));
        }
        return byGpu;
    }

    /** The GPUs that an entry covers. */
    static List<Integer> gpus(StaticMig entry, int gpus) {
        return entry.gpus().isEmpty()
                ? IntStream.range(0, gpus).boxed().toList()
                : entry.gpus().stream().map(Long::intValue).toList();
    }

    /** The number of devices by profile in an entry. */
    static Map<MigProfile, Long> profiles(MigTable table, StaticMig entry) {
        return entry.devices().entrySet().stream()
                .collect(Collectors.toMap(count -> table.profile(count.getKey()).orElseThrow(), Map.Entry::getValue));
    }

    /** All profiles of the model; empty without MIG. */
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
