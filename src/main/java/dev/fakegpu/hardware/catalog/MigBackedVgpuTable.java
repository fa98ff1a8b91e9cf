package dev.fakegpu.hardware.catalog;

import java.util.List;

/**
 * The vGPU types that run on MIG instances.
 *
 * @param types the types, from small to large instances
 */
public record MigBackedVgpuTable(Provenance provenance, List<MigBackedVgpuType> types) {

    private static final int MAX_TYPES = 64;

    public MigBackedVgpuTable {
        types = List.copyOf(types);
        Invalid.when(types.isEmpty() || types.size() > MAX_TYPES, "%d MIG-backed vGPU types", types.size());
        Invalid.when(
                types.stream().map(MigBackedVgpuType::name).distinct().count() < types.size(),
                "a MIG-backed vGPU type occurs twice");
    }
}
