package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.EqualPartsModel;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.InvalidModelException;
import dev.fakegpu.hardware.catalog.Model;
import dev.fakegpu.hardware.catalog.NodeProfile;
import dev.fakegpu.hardware.catalog.TemplateModel;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A validated spec and the model for which it was validated. Equal plans result in equal inventories.
 *
 * @param model the model with the spec's overrides; null for custom hardware
 */
public record InventoryPlan(
        FakeGpuSpec spec, String fakeGpuName, @Nullable Model model) {

    /** @param models the catalog, which must contain the spec's model; the overrides must be valid for it */
    static InventoryPlan of(FakeGpuSpec spec, String fakeGpuName, Catalog models) {
        return new InventoryPlan(spec, fakeGpuName, spec.custom() == null ? overridden(spec, models) : null);
    }

    private static Model overridden(FakeGpuSpec spec, Catalog models) {
        Model model = models.find(String.valueOf(spec.model())).orElseThrow();
        try {
            return spec.modelOverrides() == null ? model : Catalog.override(model, spec.modelOverrides());
        } catch (InvalidModelException e) {
            throw new IllegalStateException("was checked before: " + e.getMessage(), e);
        }
    }

    /**
     * The hardware of a node. It has all its compatibility groups and not the allocator's taint; {@link Inventory#published} changes both
     * as the spec requests.
     *
     * @param nodeName empty for network-attached devices, which belong to no node
     */
    public Inventory on(String nodeName) {
        return new DeviceSettings(spec, nodeName).applyTo(hardware(nodeName));
    }

    /** Whether the names of devices contain the index of their GPU. Devices that the user wrote can have any name. */
    boolean areGpusNumbered() {
        return model instanceof GpuModel || model instanceof EqualPartsModel;
    }

    /** What NVML knows about a whole GPU. */
    public NvmlGpu nvmlGpu() {
        if (model instanceof TemplateModel written && !written.template().kind().equals(GpuIdentity.GPU)) {
            return NvmlGpu.NONE;
        }
        var known = model instanceof GpuModel gpu ? ModelGpu.nvml(gpu, partitions(gpu)) : NvmlGpu.UNKNOWN;
        return known.in(Optional.ofNullable(spec.topologyOrDefault().profile())
                .flatMap(NodeProfile::find)
                .orElse(null));
    }

    /** The hardware before {@link DeviceSettings} are applied. */
    Inventory hardware(String nodeName) {
        if (spec.custom() != null) {
            return CustomInventory.of(spec.custom());
        }
        if (model instanceof EqualPartsModel equalParts) {
            return EqualPartsInventory.of(
                    equalParts,
                    spec.partitionsOrDefault(),
                    spec.gpusPerNode(),
                    spec.topologyOrDefault(),
                    fakeGpuName,
                    nodeName);
        }
        if (model instanceof TemplateModel written) {
            return TemplateInventory.of(written, spec, fakeGpuName, nodeName);
        }
        GpuModel gpu = (GpuModel) Objects.requireNonNull(model);
        return ModelInventory.of(
                gpu, partitions(gpu), spec.gpusPerNode(), spec.topologyOrDefault(), fakeGpuName, nodeName);
    }

    private ResolvedPartitions partitions(GpuModel gpu) {
        return ResolvedPartitions.of(gpu, spec.partitionsOrDefault(), spec.gpusPerNode());
    }
}
