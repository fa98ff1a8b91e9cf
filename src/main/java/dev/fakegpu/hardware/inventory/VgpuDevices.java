package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.PartitionsSpec.Vgpu.Sizing;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.catalog.MigBackedVgpuType;
import dev.fakegpu.hardware.catalog.MigPlacement;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.VgpuTable;
import dev.fakegpu.hardware.catalog.VgpuType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The vGPUs of one GPU, time-sliced and MIG-backed, as in a proposed design for NVIDIA's driver. In the design, the attribute {@code uuid}
 * is the GPU's UUID. Here the attribute for it has the same name as on dynamic MIG devices, which have no UUID of their own before they are
 * created either.
 */
record VgpuDevices(GpuAttributes gpu, VgpuTable table, String gpuName, String counterSet) {

    static final String FRAMEBUFFER = "framebuffer";

    /** As many slots as vGPUs of the type fit on one GPU. The number of slots limits them, not a counter. */
    Stream<Device> slots(VgpuType type, Sizing sizing) {
        return switch (sizing) {
            case EqualSize ->
                slots(type, type.maxInstances().equalSize(), PartitioningScheme.equalSizeGroup(type.slug()));
            case MixedSize -> slots(type, type.maxInstances().mixedSize(), PartitioningScheme.VGPU.group());
        };
    }

    private Stream<Device> slots(VgpuType type, int count, String group) {
        return IntStream.range(0, count).mapToObj(slot -> slot(type, slot, group));
    }

    private Device slot(VgpuType type, int slot, String group) {
        return new Device(
                "vgpu-" + gpuName + "-" + type.slug() + "-" + slot,
                attributes(type.name(), type.slug(), type.typeId(), Map.of("slot", AttributeValue.of(slot))),
                Map.of(),
                consumes(framebuffer(type.framebufferMiB()), group),
                List.of());
    }

    /**
     * One device for each placement of the type's MIG instance. It consumes the counters of the instance, so that placements and engines
     * exclude each other as for MIG devices.
     */
    Stream<Device> instances(MigBackedVgpuType type, MigProfile profile) {
        return profile.possiblePlacements().stream().map(placement -> instance(type, profile, placement));
    }

    private Device instance(MigBackedVgpuType type, MigProfile profile, MigPlacement placement) {
        var instance = new LinkedHashMap<String, AttributeValue>();
        instance.put("migProfile", AttributeValue.of(profile.name()));
        instance.put("placementStart", AttributeValue.of(placement.start()));
        instance.put("placementSize", AttributeValue.of(placement.size()));
        instance.put("gpuProfileId", AttributeValue.of(profile.giProfileId()));
        profile.computeProfileId().ifPresent(id -> instance.put("computeProfileId", AttributeValue.of(id)));
        var consumed = new LinkedHashMap<>(MigResource.counters(profile.capacity(), placement));
        consumed.putAll(framebuffer(type.framebufferMiB()));
        return new Device(
                "vgpu-" + gpuName + "-" + type.slug() + "-p" + placement.start(),
                attributes(type.name(), type.slug(), type.typeId(), instance),
                Map.of(),
                consumes(consumed, PartitioningScheme.MIG_BACKED_VGPU.group()),
                List.of());
    }

    private Map<String, AttributeValue> attributes(
            String type, String slug, @Nullable Integer typeId, Map<String, AttributeValue> instance) {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("type", AttributeValue.of("vgpu"));
        attributes.put("profile", AttributeValue.of(table.namePrefix() + type));
        attributes.put("profileSlug", AttributeValue.of(slug));
        attributes.putAll(instance);
        attributes.put("parentUUID", gpu.uuid());
        attributes.put("productName", gpu.productName());
        attributes.put("vgpuFramework", AttributeValue.of(table.framework()));
        attributes.put("sriovCapable", AttributeValue.of(table.sriovCapable()));
        if (typeId != null) {
            attributes.put("typeID", AttributeValue.of(typeId));
        }
        attributes.putAll(gpu.pci());
        return attributes;
    }

    private static Map<String, Quantity> framebuffer(int mebibytes) {
        return Map.of(FRAMEBUFFER, Quantity.ofMebibytes(mebibytes));
    }

    private List<CounterConsumption> consumes(Map<String, Quantity> consumed, String group) {
        return List.of(new CounterConsumption(counterSet, consumed, List.of(group)));
    }
}
