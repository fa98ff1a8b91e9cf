package dev.fakegpu.inventory;

import dev.fakegpu.catalog.GpuModel;
import dev.fakegpu.catalog.MigCapacity;
import dev.fakegpu.catalog.MigPlacement;
import dev.fakegpu.catalog.MigProfile;
import dev.fakegpu.catalog.MigTable;
import dev.fakegpu.catalog.VgpuTable;
import dev.fakegpu.catalog.VgpuType;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One physical GPU of a model, and what it is offered as. One counter set holds for all of it, whole GPU, MIG and vGPU alike:
 * KEP-5963 compares groups within a set only, so separate sets would never exclude one another.
 */
final class ModelGpu {

    static final String GROUP_WHOLE = "gpu-full";
    static final String GROUP_MIG = "mig";
    static final String GROUP_VGPU_PREFIX = "vgpu-";

    private static final String FRAMEBUFFER = "framebuffer";

    private final GpuModel model;
    private final Offer offer;
    private final GpuIdentity identity;
    private final Map<String, Quantity> counters;

    ModelGpu(GpuModel model, Offer offer, GpuIdentity identity) {
        this.model = model;
        this.offer = offer;
        this.identity = identity;
        this.counters = counters(model, !offer.vgpu().isEmpty());
    }

    private static Map<String, Quantity> counters(GpuModel model, boolean vgpu) {
        var counters = new LinkedHashMap<String, Quantity>();
        if (model.mig() != null) {
            counters.putAll(MigResource.counters(model.mig().total()));
            counters.putAll(memorySlices(new MigPlacement(0, model.mig().memorySlices())));
        }
        if (vgpu) {
            counters.put(FRAMEBUFFER, physicalMemory(model));
        }
        return counters;
    }

    /** Nothing to share, no counter set: a GPU without MIG that is offered as a whole only. */
    Optional<CounterSet> counterSet() {
        return counters.isEmpty() ? Optional.empty() : Optional.of(new CounterSet(counterSetName(), counters));
    }

    List<Device> devices() {
        var devices = new ArrayList<Device>();
        if (offer.whole()) {
            devices.add(whole());
        }
        offer.mig().stream()
                .flatMap(
                        profile -> profile.possiblePlacements().stream().map(placement -> instance(profile, placement)))
                .sorted(Comparator.comparing(Device::name))
                .forEach(devices::add);
        if (model.vgpu() != null) {
            offer.vgpu().forEach(type -> addSlots(devices, model.vgpu(), type));
        }
        return devices;
    }

    private Device whole() {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("type", AttributeValue.of("gpu"));
        attributes.put("uuid", AttributeValue.of(identity.uuid()));
        attributes.putAll(product());
        attributes.putAll(location());
        return new Device(
                deviceName(), attributes, wholeCapacity(model.mig()), consumes(counters, GROUP_WHOLE), List.of());
    }

    private Map<String, Quantity> wholeCapacity(@Nullable MigTable mig) {
        var capacity = new LinkedHashMap<String, Quantity>();
        capacity.putAll(mig == null ? Map.of() : MigResource.capacities(mig.total()));
        capacity.put("memory", physicalMemory(model));
        return capacity;
    }

    private Device instance(MigProfile profile, MigPlacement placement) {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("type", AttributeValue.of("mig"));
        attributes.put("profile", AttributeValue.of(profile.name()));
        attributes.put("parentUUID", AttributeValue.of(identity.uuid()));
        attributes.putAll(product());
        attributes.putAll(location());
        MigCapacity capacity = profile.capacity();
        var consumed = new LinkedHashMap<>(MigResource.counters(capacity));
        consumed.putAll(memorySlices(placement));
        return new Device(
                deviceName() + "-mig-" + profile.slug() + "-" + profile.giProfileId() + "-" + placement.start(),
                attributes,
                MigResource.capacities(capacity),
                consumes(consumed, GROUP_MIG),
                List.of());
    }

    /** The most that a GPU can hold is said by publishing that many slots; no counter counts them. */
    private void addSlots(List<Device> devices, VgpuTable table, VgpuType type) {
        for (int slot = 0; slot < type.maxInstances().equalSize(); slot++) {
            devices.add(slot(table, type, slot));
        }
    }

    private Device slot(VgpuTable table, VgpuType type, int slot) {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("type", AttributeValue.of("vgpu"));
        attributes.put("profile", AttributeValue.of(table.namePrefix() + type.name()));
        attributes.put("profileSlug", AttributeValue.of(type.slug()));
        attributes.put("slot", AttributeValue.of(slot));
        attributes.put("uuid", AttributeValue.of(identity.uuid()));
        attributes.put("productName", AttributeValue.of(model.identity().productName()));
        attributes.put("vgpuFramework", AttributeValue.of(table.framework()));
        attributes.put("sriovCapable", AttributeValue.of(table.sriovCapable()));
        attributes.putAll(pci());
        return new Device(
                "vgpu-" + deviceName() + "-" + type.slug() + "-" + slot,
                attributes,
                Map.of(),
                consumes(
                        Map.of(FRAMEBUFFER, Quantity.ofMebibytes(type.framebufferMiB())),
                        GROUP_VGPU_PREFIX + type.slug()),
                List.of());
    }

    private List<CounterConsumption> consumes(Map<String, Quantity> consumed, String group) {
        return consumed.isEmpty()
                ? List.of()
                : List.of(new CounterConsumption(counterSetName(), consumed, List.of(group)));
    }

    private String deviceName() {
        return "gpu-" + identity.index();
    }

    private String counterSetName() {
        return deviceName() + "-counter-set";
    }

    private Map<String, AttributeValue> product() {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("productName", AttributeValue.of(model.identity().productName()));
        attributes.put("brand", AttributeValue.of(model.identity().brand()));
        attributes.put("architecture", AttributeValue.of(model.identity().architecture()));
        attributes.put(
                "cudaComputeCapability", AttributeValue.version(model.identity().cudaComputeCapability()));
        attributes.put("driverVersion", AttributeValue.version(model.software().driverVersion()));
        attributes.put(
                "cudaDriverVersion", AttributeValue.version(model.software().cudaDriverVersion()));
        return attributes;
    }

    private Map<String, AttributeValue> location() {
        var attributes = new LinkedHashMap<>(pci());
        attributes.put("resource.kubernetes.io/numaNode", AttributeValue.of(identity.numaNode()));
        return attributes;
    }

    private Map<String, AttributeValue> pci() {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("resource.kubernetes.io/pciBusID", AttributeValue.of(identity.pciBusId()));
        attributes.put("resource.kubernetes.io/pcieRoot", AttributeValue.of(identity.pcieRoot()));
        return attributes;
    }

    private static Map<String, Quantity> memorySlices(MigPlacement placement) {
        var slices = new LinkedHashMap<String, Quantity>();
        for (int slice = placement.start(); slice < placement.start() + placement.size(); slice++) {
            slices.put("memory-slice-" + slice, Quantity.ONE);
        }
        return slices;
    }

    private static Quantity physicalMemory(GpuModel model) {
        return Quantity.ofMebibytes(model.identity().memoryMiB());
    }
}
