package dev.fakegpu.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.PartitionsSpec;
import dev.fakegpu.catalog.Catalog;
import dev.fakegpu.catalog.EqualPartsModel;
import dev.fakegpu.catalog.GpuModel;
import dev.fakegpu.catalog.InvalidModelException;
import dev.fakegpu.catalog.Model;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A checked spec with its model as it was then. Equal plans give equal inventories.
 *
 * @param model with the spec's overrides; null for custom hardware
 */
public record InventoryPlan(
        FakeGpuSpec spec, String fakeGpuName, @Nullable Model model) {

    /** @param models has the model of the spec, and its overrides fit it */
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
     * The devices of a node: always with their compatibility groups and without the allocator's taint.
     * {@link Inventory#published} makes of it what is published.
     *
     * @param nodeName empty for network-attached devices, which are on no node
     */
    public Inventory on(String nodeName) {
        return new Decorations(spec, nodeName).applyTo(hardware(nodeName));
    }

    /** The same without what {@link Decorations} add. */
    Inventory hardware(String nodeName) {
        if (spec.custom() != null) {
            return CustomInventory.of(spec.custom());
        }
        PartitionsSpec partitions = spec.partitionsOrDefault();
        if (model instanceof EqualPartsModel equalParts) {
            return EqualPartsInventory.of(
                    equalParts, partitions, spec.gpusPerNode(), spec.topologyOrDefault(), fakeGpuName, nodeName);
        }
        GpuModel gpu = (GpuModel) Objects.requireNonNull(model);
        return ModelInventory.of(
                gpu, Offer.of(gpu, partitions), spec.gpusPerNode(), spec.topologyOrDefault(), fakeGpuName, nodeName);
    }
}
