package dev.fakegpu.inventory;

import dev.fakegpu.api.PartitionsSpec;
import dev.fakegpu.catalog.GpuModel;
import dev.fakegpu.catalog.MigProfile;
import dev.fakegpu.catalog.MigTable;
import dev.fakegpu.catalog.VgpuTable;
import dev.fakegpu.catalog.VgpuType;
import java.util.List;

/**
 * Which devices a GPU of a model is offered as: a checked PartitionsSpec with its names looked up.
 *
 * @param whole the GPU itself
 * @param mig profiles to make an instance of at every placement
 * @param vgpu types to make slots of, in the catalogue's order
 */
record Offer(boolean whole, List<MigProfile> mig, List<VgpuType> vgpu) {

    static Offer of(GpuModel model, PartitionsSpec partitions) {
        return new Offer(
                partitions.offersWhole(),
                partitions.mig() == null || model.mig() == null
                        ? List.of()
                        : profiles(model.mig(), partitions.mig().profiles()),
                partitions.vgpu() == null || model.vgpu() == null
                        ? List.of()
                        : types(model.vgpu(), partitions.vgpu().types()));
    }

    private static List<MigProfile> profiles(MigTable table, List<String> names) {
        return table.profiles().stream()
                .filter(profile -> names.contains(PartitionsSpec.ALL) || names.contains(profile.name()))
                .toList();
    }

    private static List<VgpuType> types(VgpuTable table, List<String> names) {
        return table.types().stream()
                .filter(type -> names.contains(PartitionsSpec.ALL) || names.contains(type.name()))
                .toList();
    }
}
