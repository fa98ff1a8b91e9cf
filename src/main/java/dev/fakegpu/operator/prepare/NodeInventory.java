package dev.fakegpu.operator.prepare;

import dev.fakegpu.api.ContainersSpec;
import dev.fakegpu.api.ContainersSpec.Convention;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.hardware.dcgm.NvmlReadings;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.hardware.inventory.NetworkInterfaces;
import dev.fakegpu.hardware.inventory.NvmlGpu;
import dev.fakegpu.hardware.slices.Retention;
import dev.fakegpu.hardware.slices.Retention.Published;
import dev.fakegpu.operator.prepare.config.Conventions;
import dev.fakegpu.operator.prepare.fault.DriverCall;
import dev.fakegpu.operator.prepare.fault.InjectedFault;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The GPUs of a node: the published devices, and the hardware that their FakeGpus model. */
public final class NodeInventory {

    private final InventoryPlanner planner;
    private final String node;
    private final List<ResourceSlice> slices;
    private final Function<ResourceSlice, Slice> reader;
    private final Function<String, Optional<FakeGpu>> fakeGpus;
    private final boolean hasDevicesOfOthers;
    private final List<ResourceSlice> elsewhere;

    /**
     * @param slices all slices; only those of the node and of network-attached devices are used. Whether a network-attached device is
     *     reachable from the node was decided at allocation.
     * @param reader reads a slice with its groups
     * @param fakeGpus finds a FakeGpu by name
     */
    public NodeInventory(
            InventoryPlanner planner,
            String node,
            Collection<ResourceSlice> slices,
            Function<ResourceSlice, Slice> reader,
            Function<String, Optional<FakeGpu>> fakeGpus) {
        this(
                planner,
                node,
                slices.stream().filter(slice -> isFor(node, slice)).toList(),
                reader,
                fakeGpus,
                false,
                List.of());
    }

    private NodeInventory(
            InventoryPlanner planner,
            String node,
            List<ResourceSlice> slices,
            Function<ResourceSlice, Slice> reader,
            Function<String, Optional<FakeGpu>> fakeGpus,
            boolean hasDevicesOfOthers,
            List<ResourceSlice> elsewhere) {
        this.planner = planner;
        this.node = node;
        this.slices = slices;
        this.reader = reader;
        this.fakeGpus = fakeGpus;
        this.hasDevicesOfOthers = hasDevicesOfOthers;
        this.elsewhere = elsewhere;
    }

    private static boolean isFor(String node, ResourceSlice slice) {
        var onNode = slice.getSpec().getNodeName();
        return onNode == null || onNode.equals(node);
    }

    /** The name of the node. */
    public String node() {
        return node;
    }

    /**
     * Returns this inventory with the devices that no FakeGpu models; their hardware is assumed to be what the slices of their pools
     * declare.
     *
     * @param ofPools all slices of the node's pools, for any node: an allocator uses the counter sets of all of them
     */
    public NodeInventory withDevicesOfOthers(Stream<ResourceSlice> ofPools) {
        return new NodeInventory(
                planner,
                node,
                slices,
                reader,
                fakeGpus,
                true,
                ofPools.filter(slice -> !slices.contains(slice)).toList());
    }

    public ModeledHardware hardware() {
        Map<PoolId, Inventory> pools = new HashMap<>();
        slices.forEach(slice -> {
            var pool = SliceReader.pool(slice);
            var fakeGpu = owner(slice);
            if (fakeGpu.isPresent() && !pools.containsKey(pool)) {
                pools.put(pool, inventory(fakeGpu.get(), pool));
            } else if (hasDevicesOfOthers && fakeGpu.isEmpty() && !pools.containsKey(pool)) {
                pools.put(pool, declared(withCounterSetsElsewhere(pool, published(pool))));
            }
        });
        return new ModeledHardware(pools);
    }

    private static Inventory declared(Published published) {
        return new Inventory(Math.max(1, published.counterSets().size()), published.counterSets(), published.devices());
    }

    private Published withCounterSetsElsewhere(PoolId pool, Published published) {
        Stream<CounterSet> sets = elsewhere.stream()
                .map(reader)
                .filter(slice -> slice.pool().equals(pool))
                .flatMap(slice -> slice.counterSets().stream());
        return new Published(
                Stream.concat(published.counterSets().stream(), sets).toList(), published.devices());
    }

    /**
     * Why a published device does not belong to this driver: its pool was left behind by another driver with the same name, or is still
     * served by it, or the device belongs to a driver with another name. Empty for a device of a FakeGpu, and for a device that is not
     * published.
     */
    Optional<String> foreign(DeviceId id) {
        var ofPool = slices.stream()
                .filter(slice -> id.poolId().equals(SliceReader.pool(slice)))
                .toList();
        return (hasDevicesOfOthers && !isOurs(id.driver()))
                        || ofPool.stream()
                                .anyMatch(slice -> FakeGpuOwner.name(slice).isPresent())
                ? Optional.empty()
                : ofPool.stream()
                        .filter(slice -> reader.apply(slice).devices().stream()
                                .anyMatch(device -> device.name().equals(id.device())))
                        .findFirst()
                        .map(slice -> isOurs(id.driver()) ? ofSameName(id, slice) : ofAnother(id));
    }

    private boolean isOurs(String driver) {
        return slices.stream()
                .anyMatch(slice -> driver.equals(slice.getSpec().getDriver())
                        && FakeGpuOwner.name(slice).isPresent());
    }

    private String ofAnother(DeviceId id) {
        return "device %s of pool %s belongs to no FakeGpu: its driver %s has to prepare it, and does not run on node %s"
                .formatted(id.device(), id.pool(), id.driver(), node);
    }

    private static String ofSameName(DeviceId id, ResourceSlice slice) {
        return ("device %s is in pool %s, which is of no FakeGpu: another driver with the name %s published"
                        + " ResourceSlice %s (%s); if that driver is no longer installed, delete the slice")
                .formatted(
                        id.device(), id.pool(), id.driver(), slice.getMetadata().getName(), FakeGpuOwner.others(slice));
    }

    public Set<DeviceId> published() {
        return read().flatMap(slice ->
                        slice.devices().stream().map(device -> slice.pool().device(device.name())))
                .collect(Collectors.toSet());
    }

    /** The NoExecute taints of published devices; devices without such taints are omitted. */
    Map<DeviceId, List<DeviceTaint>> evictingTaints() {
        Map<DeviceId, List<DeviceTaint>> taintsByDevice = new HashMap<>();
        read().forEach(slice -> slice.devices().forEach(device -> {
            var taints = device.taints().stream().filter(DeviceTaint::evicts).toList();
            if (!taints.isEmpty()) {
                taintsByDevice.put(slice.pool().device(device.name()), taints);
            }
        }));
        return taintsByDevice;
    }

    /** The health of the devices according to their published taints. */
    public Map<DeviceId, DeviceHealths.Health> healths() {
        return DeviceHealths.of(read().toList());
    }

    /** The faults that match the call, in the order of their specs; a FakeGpu whose spec is not accepted has none. */
    public List<InjectedFault> faults(DriverCall call) {
        return call.devices().stream()
                .map(DeviceId::poolId)
                .distinct()
                .flatMap(pool -> owner(pool).stream().flatMap(fakeGpu -> faults(fakeGpu, call, pool)))
                .distinct()
                .toList();
    }

    private Stream<InjectedFault> faults(FakeGpu fakeGpu, DriverCall call, PoolId pool) {
        var spec = fakeGpu.getSpec();
        var name = fakeGpu.getMetadata().getName();
        if (spec.faults().isEmpty() || !planner.check(spec, name).isEmpty()) {
            return Stream.empty();
        }
        var nodeName = spec.nodes().isNetworkAttached() ? "" : node;
        return planner
                .faults(spec, name, nodeName, call.operation(), call.labels(), names(call.devices(), pool))
                .stream()
                .map(fault -> new InjectedFault(fakeGpu.getMetadata().getUid(), fault));
    }

    private static Set<String> names(List<DeviceId> devices, PoolId pool) {
        return devices.stream()
                .filter(device -> device.poolId().equals(pool))
                .map(DeviceId::device)
                .collect(Collectors.toSet());
    }

    /** The drivers whose conventions apply to containers that get the device of this pool. */
    Set<Convention> conventions(PoolId pool, Device device) {
        var spec = owner(pool).map(FakeGpu::getSpec);
        return Conventions.of(
                spec.filter(planner::hasEqualParts).isPresent(),
                spec.map(FakeGpuSpec::containersOrDefault).orElse(ContainersSpec.DEFAULT),
                device);
    }

    /** Adds the network data for the claim's status if the device that containers get is a network interface. */
    DeviceSetup withNetwork(DeviceSetup setup) {
        DeviceId id = setup.container().id();
        return setup.withNetwork(owner(id.poolId())
                .filter(fakeGpu -> fakeGpu.getSpec().custom() != null
                        && planner.check(
                                        fakeGpu.getSpec(), fakeGpu.getMetadata().getName())
                                .isEmpty())
                .flatMap(fakeGpu -> NetworkInterfaces.of(
                        fakeGpu.getSpec(), id, setup.container().shareId()))
                .orElse(null));
    }

    /** What NVML tells about the device; unknown values are omitted. */
    public Map<String, String> readings(DeviceSetup setup) {
        PoolId pool = setup.container().id().poolId();
        var owner = owner(pool);
        return NvmlReadings.of(
                setup.device(),
                published(pool).counterSets(),
                owner.map(fakeGpu -> fakeGpu.getSpec().load()).orElse(null),
                owner.map(fakeGpu -> planner.nvmlGpu(
                                fakeGpu.getSpec(), fakeGpu.getMetadata().getName()))
                        .orElse(NvmlGpu.UNKNOWN));
    }

    private Optional<FakeGpu> owner(PoolId pool) {
        return slices.stream()
                .filter(slice -> pool.equals(SliceReader.pool(slice)))
                .flatMap(slice -> owner(slice).stream())
                .findFirst();
    }

    /** The groups in the current slices, for claims whose allocator did not record them. */
    public Optional<CompatibilityGroups> declaredGroups(DeviceId id) {
        return read().filter(slice -> slice.pool().equals(id.poolId()))
                .flatMap(slice -> slice.devices().stream())
                .filter(device -> device.name().equals(id.device()))
                .map(Device::compatibilityGroups)
                .findFirst();
    }

    /**
     * The hardware that the FakeGpu models, plus devices in use to which a change has not been applied yet. If its spec is not accepted,
     * only the published devices are known.
     */
    private Inventory inventory(FakeGpu fakeGpu, PoolId pool) {
        var spec = fakeGpu.getSpec();
        var name = fakeGpu.getMetadata().getName();
        var published = published(pool);
        if (!planner.check(spec, name).isEmpty()) {
            return declared(published);
        }
        var planned = planner.plan(spec, name, spec.nodes().isNetworkAttached() ? "" : node);
        var hardware = new Published(planned.counterSets(), planned.devices()).with(published.only(pending(published)));
        return new Inventory(planned.gpus(), hardware.counterSets(), hardware.devices());
    }

    private static Set<String> pending(Published published) {
        return published.devices().stream()
                .filter(Retention::isPending)
                .map(Device::name)
                .collect(Collectors.toSet());
    }

    private Published published(PoolId pool) {
        return Published.of(read().filter(slice -> slice.pool().equals(pool)).toList());
    }

    private Optional<FakeGpu> owner(ResourceSlice slice) {
        return FakeGpuOwner.of(slice, fakeGpus);
    }

    private Stream<Slice> read() {
        return slices.stream().map(reader);
    }
}
