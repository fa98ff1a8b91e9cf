package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.DevicesSelector;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.field.SliceInterner;
import dev.fakegpu.hardware.catalog.TemplateModel;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a FakeGpu publishes on each of its nodes. Usually, only the UUIDs of the GPUs differ between nodes. Then the devices are built once,
 * and nodes share everything else. Attributes and amounts are in the order in which the API server returns them, so that devices that were
 * read share them, too. Thread-safe.
 */
public final class NodeInventories {

    /** No real node can have this name. */
    private static final String TEMPLATE_NODE = "fakegpu.dev/template";

    private final InventoryPlan plan;
    private final @Nullable Inventory template;

    /** @param plan the plan of the FakeGpu, which must have been accepted */
    public NodeInventories(InventoryPlan plan) {
        this.plan = plan;
        this.template = areNodesAlike(plan) ? shared(published(TEMPLATE_NODE)) : null;
    }

    /**
     * What is published on a node. Except for the order, the result is that of {@link InventoryPlan#on} followed by
     * {@link Inventory#published}.
     */
    public Inventory on(String nodeName) {
        if (template == null) {
            return shared(published(nodeName));
        }
        Map<AttributeValue, AttributeValue> uuids = uuids(nodeName);
        return new Inventory(
                template.gpus(),
                template.counterSets(),
                template.devices().stream()
                        .map(device -> device.mapAttributes(value -> uuids.getOrDefault(value, value)))
                        .toList());
    }

    private Inventory published(String nodeName) {
        return plan.on(nodeName).published(plan.spec());
    }

    private static Inventory shared(Inventory inventory) {
        return new Inventory(
                inventory.gpus(),
                inventory.counterSets(),
                inventory.devices().stream()
                        .map(Device::sorted)
                        .map(SliceInterner.SHARED::intern)
                        .toList());
    }

    /**
     * Whether nodes differ only in the UUIDs of their GPUs. Static MIG devices have UUIDs of their own, units of template models have
     * addresses, and health and taints can be limited to some nodes.
     */
    private static boolean areNodesAlike(InventoryPlan plan) {
        FakeGpuSpec spec = plan.spec();
        var mig = spec.partitionsOrDefault().mig();
        return !(plan.model() instanceof TemplateModel)
                && (mig == null || mig.staticMig().isEmpty())
                && Stream.concat(
                                spec.health().stream().map(health -> health.selected()),
                                spec.taints().stream().map(taint -> taint.selected()))
                        .map(DevicesSelector::nodes)
                        .allMatch(List::isEmpty);
    }

    /** Maps the UUIDs of the template's GPUs to those of the node's. Custom hardware has none. */
    private Map<AttributeValue, AttributeValue> uuids(String nodeName) {
        var spec = plan.spec();
        if (spec.custom() != null) {
            return Map.of();
        }
        int count = spec.gpusPerNode();
        Map<AttributeValue, AttributeValue> uuids = new HashMap<>();
        for (int index = 0; index < count; index++) {
            String from = uuid(TEMPLATE_NODE, index, count);
            String to = uuid(nodeName, index, count);
            uuids.put(AttributeValue.of(from), SliceInterner.SHARED.intern(AttributeValue.of(to)));
            // dra-example-driver uses lower case.
            uuids.put(
                    AttributeValue.of(from.toLowerCase(Locale.ROOT)),
                    SliceInterner.SHARED.intern(AttributeValue.of(to.toLowerCase(Locale.ROOT))));
        }
        return uuids;
    }

    private String uuid(String nodeName, int index, int count) {
        return GpuIdentity.of(
                        nodeName, plan.fakeGpuName(), index, count, plan.spec().topologyOrDefault())
                .uuid();
    }
}
