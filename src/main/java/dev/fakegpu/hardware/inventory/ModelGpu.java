package dev.fakegpu.hardware.inventory;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.api.TopologySpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.MigPlacement;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.MigTable;
import dev.fakegpu.hardware.catalog.VgpuTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * One physical GPU of a model and its devices. The whole GPU and its MIG, vGPU and VFIO devices share one counter set, since KEP-5963
 * compares groups only within a set: devices of separate sets would never exclude each other.
 */
final class ModelGpu {

    private final GpuModel model;
    private final ResolvedPartitions partitions;
    private final GpuIdentity identity;
    private final GpuAttributes attributes;
    private final List<MigLayout.Instance> staticMig;
    private final Map<String, Quantity> counters;

    ModelGpu(GpuModel model, ResolvedPartitions partitions, GpuIdentity identity, TopologySpec topology) {
        this.model = model;
        this.partitions = partitions;
        this.identity = identity;
        this.attributes = new GpuAttributes(model, identity, topology);
        this.staticMig = partitions.staticMig().getOrDefault(identity.index(), List.of());
        this.counters = staticMig.isEmpty() ? counters(model, partitions) : Map.of();
    }

    private static Map<String, Quantity> counters(GpuModel model, ResolvedPartitions partitions) {
        var counters = new LinkedHashMap<String, Quantity>();
        // NVIDIA's driver has counters only if MIG devices are dynamic.
        if (model.mig() != null && (!partitions.mig().isEmpty() || partitions.vgpus() || partitions.vfio())) {
            counters.putAll(MigResource.counters(
                    model.mig().total(), new MigPlacement(0, model.mig().memorySlices())));
        }
        // The VFIO device and the whole GPU exclude each other, so models without MIG need a shared counter, too.
        if (partitions.vgpus() || (partitions.vfio() && model.mig() == null)) {
            counters.put(VgpuDevices.FRAMEBUFFER, physicalMemory(model));
        }
        return counters;
    }

    /**
     * The counter set; empty if devices do not share anything. That is so if the GPUs of the FakeGpu are published only as a whole or as
     * static MIG devices, and for every GPU with static MIG devices.
     */
    Optional<CounterSet> counterSet() {
        return counters.isEmpty() ? Optional.empty() : Optional.of(new CounterSet(counterSetName(), counters));
    }

    /** The devices of the GPU. Static MIG devices exclude all others: while its MIG mode is on, a GPU cannot be used in another way. */
    List<Device> devices() {
        if (!staticMig.isEmpty()) {
            return staticMig.stream()
                    .map(this::existing)
                    .sorted(Comparator.comparing(Device::name))
                    .toList();
        }
        var devices = new ArrayList<Device>();
        if (partitions.whole()) {
            devices.add(whole());
        }
        partitions.mig().stream()
                .flatMap(
                        profile -> profile.possiblePlacements().stream().map(placement -> instance(profile, placement)))
                .sorted(Comparator.comparing(Device::name))
                .forEach(devices::add);
        if (model.vgpu() != null) {
            addVgpus(devices, model.vgpu());
        }
        if (partitions.vfio()) {
            devices.add(vfio());
        }
        return devices;
    }

    private void addVgpus(List<Device> devices, VgpuTable table) {
        var vgpus = new VgpuDevices(attributes, table, deviceName(), counterSetName());
        partitions.vgpu().forEach(type -> vgpus.slots(type, partitions.sizing()).forEach(devices::add));
        partitions
                .migBacked()
                .forEach(type -> Optional.ofNullable(model.mig())
                        .flatMap(mig -> mig.profile(type.migProfile()))
                        .ifPresent(profile -> vgpus.instances(type, profile).forEach(devices::add)));
    }

    private Device whole() {
        var whole = new LinkedHashMap<String, AttributeValue>();
        whole.put("type", AttributeValue.of("gpu"));
        whole.put("uuid", attributes.uuid());
        whole.putAll(attributes.product());
        whole.putAll(attributes.location());
        whole.putAll(attributes.fabric());
        return new Device(
                deviceName(), whole, wholeCapacity(), consumes(counters, PartitioningScheme.WHOLE), List.of());
    }

    /**
     * The capacity of the whole GPU. NVIDIA's driver considers MIG profiles only if it offers MIG devices. Then it publishes the maximum
     * over the profiles instead of the memory that NVML reports ({@code PartCapacities} in {@code cmd/gpu-kubelet-plugin/partitions.go}).
     */
    private Map<String, Quantity> wholeCapacity() {
        Map<String, Quantity> capacity = new LinkedHashMap<>();
        if (model.mig() != null && !partitions.mig().isEmpty()) {
            capacity.putAll(MigResource.capacities(model.mig().total()));
        }
        capacity.put(
                MigResource.MEMORY_CAPACITY,
                Quantity.ofMebibytes(nvml(model, partitions).publishedMiB()));
        return capacity;
    }

    static NvmlGpu nvml(GpuModel model, ResolvedPartitions partitions) {
        int reported = model.identity().reportedMemoryMiB();
        MigTable mig = model.mig();
        return mig == null || partitions.mig().isEmpty()
                ? new NvmlGpu(reported, reported, model, null)
                // Where profiles are fractions of the memory of the board, the largest one would have more than NVML
                // reports.
                : new NvmlGpu(Math.min(mig.total().memoryMiB(), reported), reported, model, null);
    }

    private Device instance(MigProfile profile, MigPlacement placement) {
        return new Device(
                instanceName(profile, placement),
                instanceAttributes(profile),
                MigResource.capacities(profile.capacity()),
                consumes(MigResource.counters(profile.capacity(), placement), PartitioningScheme.MIG),
                List.of());
    }

    /**
     * Only a static MIG device has a UUID and memory slices as capacities. It excludes no other device, so it needs no counters
     * ({@code MigDeviceInfo.GetDevice} in {@code cmd/gpu-kubelet-plugin/deviceinfo.go}).
     */
    private Device existing(MigLayout.Instance instance) {
        MigProfile profile = instance.profile();
        String name = instanceName(profile, instance.placement());
        Map<String, AttributeValue> existing = instanceAttributes(profile);
        existing.put("uuid", AttributeValue.of(identity.migUuid(name)));
        Map<String, Quantity> capacity = new LinkedHashMap<>(MigResource.capacities(profile.capacity()));
        capacity.putAll(MigResource.memorySlices(instance.placement()));
        return new Device(name, existing, capacity, List.of(), List.of());
    }

    private String instanceName(MigProfile profile, MigPlacement placement) {
        return deviceName() + "-mig-" + profile.slug() + "-" + profile.giProfileId() + "-" + placement.start();
    }

    private Map<String, AttributeValue> instanceAttributes(MigProfile profile) {
        var instance = new LinkedHashMap<String, AttributeValue>();
        instance.put("type", AttributeValue.of("mig"));
        instance.put("profile", AttributeValue.of(profile.name()));
        instance.put("parentUUID", attributes.uuid());
        instance.putAll(attributes.product());
        instance.putAll(attributes.location());
        return instance;
    }

    /**
     * NVIDIA's driver discovers VFIO devices on the PCI bus without NVML, so they have other attributes, and a UUID that is derived from
     * the address.
     */
    private Device vfio() {
        String pciId = model.identity().pciDeviceId().toLowerCase(Locale.ROOT);
        var vfio = new LinkedHashMap<String, AttributeValue>();
        vfio.put("type", AttributeValue.of("vfio"));
        vfio.put(
                "uuid",
                AttributeValue.of(UUID.nameUUIDFromBytes(identity.pciBusId().getBytes(UTF_8))
                        .toString()));
        vfio.put("productName", attributes.productName());
        vfio.put("deviceID", AttributeValue.of(pciId.substring(0, 6)));
        vfio.put("vendorID", AttributeValue.of("0x" + pciId.substring(6)));
        vfio.put("iommuFDEnabled", AttributeValue.of(true));
        vfio.putAll(attributes.location());
        vfio.putAll(attributes.fabric());
        return new Device(
                "gpu-vfio-" + identity.index(),
                vfio,
                Map.of("addressableMemory", physicalMemory(model)),
                consumes(counters, PartitioningScheme.VFIO),
                List.of());
    }

    private List<CounterConsumption> consumes(Map<String, Quantity> consumed, PartitioningScheme scheme) {
        return consumed.isEmpty()
                ? List.of()
                : List.of(new CounterConsumption(counterSetName(), consumed, List.of(scheme.group())));
    }

    private String deviceName() {
        return "gpu-" + identity.index();
    }

    private String counterSetName() {
        return deviceName() + "-counter-set";
    }

    private static Quantity physicalMemory(GpuModel model) {
        return Quantity.ofMebibytes(model.identity().memoryMiB());
    }
}
