package dev.fakegpu.cluster.holdings;

import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.holdings.Holdings.PublishedDevice;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices.Membership;
import dev.fakegpu.engine.allocate.pool.GroupState;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.headroom.Count;
import dev.fakegpu.engine.headroom.Packing;
import dev.fakegpu.engine.headroom.PoolRemainder;
import dev.fakegpu.engine.matrix.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Computes the state of one {@link Gpu}. */
final class GpuReport {

    private final PoolId pool;
    private final List<PublishedDevice> devices;
    private final List<CounterSet> sets;
    private final Holdings holdings;
    private final PoolRemainder remainder;

    /** @param sets the counter sets of the pool, by name */
    GpuReport(PoolId pool, List<PublishedDevice> devices, Map<String, CounterSet> sets, Holdings holdings) {
        this.pool = pool;
        this.devices = devices;
        this.holdings = holdings;
        Set<String> used = new LinkedHashSet<>();
        devices.forEach(device -> device.device().consumesCounters().forEach(entry -> used.add(entry.counterSet())));
        this.sets = used.stream()
                .flatMap(name -> Optional.ofNullable(sets.get(name)).stream())
                .toList();
        remainder = PoolRemainder.of(this.sets, held().map(PublishedDevice::device), memberships(used));
    }

    private Stream<PublishedDevice> held() {
        return devices.stream().filter(this::isHeld);
    }

    private boolean isHeld(PublishedDevice device) {
        return !holdings.allocated(device.id()).isEmpty();
    }

    /** The groups that were recorded at allocation or, if none were, those of the slice. */
    private Stream<Membership> memberships(Set<String> used) {
        Set<DeviceId> published = devices.stream().map(PublishedDevice::id).collect(Collectors.toSet());
        Stream<Membership> now = held().flatMap(device -> holdings.allocated(device.id()).stream()
                .map(AllocatedDevice::groups)
                .map(recorded -> recorded == null ? device.device().compatibilityGroups() : recorded)
                .flatMap(GpuReport::memberships));
        Stream<Membership> before = holdings.recorded(pool, published).stream()
                .flatMap(device -> Stream.ofNullable(device.groups()))
                .flatMap(GpuReport::memberships);
        return Stream.concat(now, before).filter(membership -> used.contains(membership.counterSet()));
    }

    private static Stream<Membership> memberships(CompatibilityGroups groups) {
        return groups.byCounterSet().entrySet().stream().map(entry -> new Membership(entry.getKey(), entry.getValue()));
    }

    Gpu gpu() {
        return new Gpu(node(), pool, name(), mode(), rows(), kinds(), left(), hardware());
    }

    private String name() {
        if (!sets.isEmpty()) {
            return sets.stream().map(CounterSet::name).collect(Collectors.joining("+"));
        }
        Device first = devices.get(0).device();
        return Holdings.parent(first).isPresent() ? first.name().replaceFirst("-mig-.*$", "") : first.name();
    }

    private String node() {
        PublishedDevice first = devices.get(0);
        NodeSelection nodes = first.slice().nodesOf(first.device());
        if (nodes instanceof NodeSelection.NodeName only) {
            return only.name();
        }
        if (nodes instanceof NodeSelection.AllNodes) {
            return Gpu.ALL_NODES;
        }
        return nodes instanceof NodeSelection.None ? Gpu.NO_NODE : Gpu.SELECTED_NODES;
    }

    private List<Gpu.Holding> rows() {
        var rows = new ArrayList<Gpu.Holding>();
        held().forEach(device -> {
            List<AllocatedDevice> allocated = holdings.allocated(device.id());
            for (int i = 0; i < allocated.size(); i++) {
                AllocatedDevice.Share share = allocated.get(i).share();
                HeldClaim claim = holdings.claims(device.id()).get(i);
                var notes = new ArrayList<String>();
                device.device().unhealthyTaint().ifPresent(taint -> notes.add("unhealthy (" + taint.shortForm() + ")"));
                notes.addAll(claim.notes());
                if (allocated.size() > 1 && allocated.stream().anyMatch(each -> each.share() == null)) {
                    notes.add("held " + (allocated.size() == 2 ? "twice" : allocated.size() + " times"));
                }
                rows.add(new Gpu.Holding(
                        device.device().name(), claim, share == null ? Map.of() : share.consumedCapacity(), notes));
            }
        });
        return rows;
    }

    private String mode() {
        List<Device> inUse = held().map(PublishedDevice::device).toList();
        List<GroupState.Grouped> grouped = sets.stream()
                .map(set -> remainder.group(set.name()))
                .flatMap(state -> state instanceof GroupState.Grouped groups ? Stream.of(groups) : Stream.empty())
                .toList();
        if (inUse.isEmpty() && grouped.isEmpty()) {
            return Gpu.IDLE;
        }
        if (grouped.stream().anyMatch(groups -> groups.common().isEmpty())) {
            return Gpu.CONFLICT;
        }
        if (inUse.size() == 1 && isWhole(inUse.get(0))) {
            return inUse.get(0).allowMultipleAllocations() ? Gpu.SHARED : Gpu.WHOLE;
        }
        Set<String> common = new TreeSet<>();
        grouped.forEach(groups -> common.addAll(groups.common()));
        return common.isEmpty() ? Gpu.PARTITIONED : String.join(",", common);
    }

    /**
     * Whether the device is the whole hardware: it is compatible with no other device, not one of several in its group, and not a part of
     * another device.
     */
    private boolean isWhole(Device device) {
        Set<String> groups = groups(device);
        return devices.stream()
                .map(PublishedDevice::device)
                .filter(other -> !other.name().equals(device.name()))
                .allMatch(other -> groups.stream().noneMatch(groups(other)::contains)
                        && isExcluded(other)
                        && !isPart(device, other));
    }

    /** Whether another device consumes at least as much of all counters that this one consumes, and more of at least one. */
    private static boolean isPart(Device device, Device other) {
        Map<String, Quantity> ofOther = consumed(other);
        boolean consumesMore = false;
        for (Map.Entry<String, Quantity> consumed : consumed(device).entrySet()) {
            int difference =
                    ofOther.getOrDefault(consumed.getKey(), Quantity.ZERO).compareTo(consumed.getValue());
            if (difference < 0) {
                return false;
            }
            consumesMore |= difference > 0;
        }
        return consumesMore;
    }

    /** By counter set and counter. */
    private static Map<String, Quantity> consumed(Device device) {
        Map<String, Quantity> consumed = new HashMap<>();
        device.consumesCounters()
                .forEach(entry -> entry.counters()
                        .forEach((name, quantity) -> consumed.put(entry.counterSet() + "/" + name, quantity)));
        return consumed;
    }

    private static Set<String> groups(Device device) {
        Set<String> groups = new HashSet<>();
        device.consumesCounters().forEach(entry -> groups.addAll(entry.compatibilityGroups()));
        return groups;
    }

    private boolean isExcluded(Device device) {
        return remainder.groupsRefuse(device.consumesCounters())
                || remainder.shortCounter(device.consumesCounters()).isPresent();
    }

    private List<Gpu.KindRoom> kinds() {
        Map<String, PublishedDevice> byName = new LinkedHashMap<>();
        devices.forEach(device -> byName.put(device.device().name(), device));
        return Kind.alike(devices.stream().map(PublishedDevice::device).toList()).stream()
                .map(kind -> room(
                        Kind.title(kind),
                        kind.stream()
                                .map(device -> Objects.requireNonNull(byName.get(device.name())))
                                .toList()))
                .toList();
    }

    private Gpu.KindRoom room(String name, List<PublishedDevice> kind) {
        List<Device> free = kind.stream()
                .filter(device -> !isHeld(device))
                .map(PublishedDevice::device)
                .toList();
        List<Device> usable = free.stream().filter(device -> !isTainted(device)).toList();
        Count room = Packing.of(
                usable.stream()
                        .filter(device -> !isExcluded(device))
                        .map(device -> new Packing.Item(device.consumesCounters(), 1))
                        .toList(),
                remainder,
                GroupsGate.ON);
        String obstacle = room.atMost() > 0 ? "" : obstacle(free, usable);
        return new Gpu.KindRoom(name, kind.size(), kind.size() - free.size(), room, obstacle);
    }

    /** The companion's taint only says which scheduler allocates the device. */
    private static boolean isTainted(Device device) {
        return device.taints().stream()
                .anyMatch(taint -> taint.keepsFromScheduling() && !taint.key().equals(Labels.ALLOCATOR_TAINT));
    }

    private String obstacle(List<Device> free, List<Device> usable) {
        if (free.isEmpty()) {
            return "held";
        }
        if (usable.isEmpty()) {
            return free.stream().allMatch(device -> device.unhealthyTaint().isPresent()) ? "unhealthy" : "tainted";
        }
        List<CounterConsumption> first = usable.get(0).consumesCounters();
        boolean groups = usable.stream().allMatch(device -> remainder.groupsRefuse(device.consumesCounters()));
        Optional<String> counter = remainder.shortCounter(first);
        boolean counters = usable.stream()
                .allMatch(device ->
                        remainder.shortCounter(device.consumesCounters()).isPresent());
        if (groups == counters) {
            return "both";
        }
        return groups ? "groups" : counter.orElse("both");
    }

    private Gpu.Hardware hardware() {
        Map<String, Set<String>> common = new LinkedHashMap<>();
        sets.forEach(set -> {
            if (remainder.group(set.name()) instanceof GroupState.Grouped groups) {
                common.put(set.name(), groups.common());
            }
        });
        return new Gpu.Hardware(
                sets,
                devices.stream()
                        .map(device -> new Gpu.DeviceState(device.device(), obstacle(device)))
                        .toList(),
                common);
    }

    private String obstacle(PublishedDevice published) {
        if (isHeld(published)) {
            return "held";
        }
        Device device = published.device();
        return isTainted(device) || isExcluded(device)
                ? obstacle(List.of(device), isTainted(device) ? List.of() : List.of(device))
                : "";
    }

    private List<Gpu.Left> left() {
        Stream<Gpu.Left> counters = sets.stream()
                .flatMap(set -> set.counters().entrySet().stream()
                        .map(total -> new Gpu.Left(
                                set.name(),
                                total.getKey(),
                                remainder.left(set.name(), total.getKey()),
                                total.getValue())));
        Stream<Gpu.Left> capacities = held().filter(device -> device.device().allowMultipleAllocations())
                .flatMap(device -> device.device().capacity().entrySet().stream()
                        .map(capacity -> new Gpu.Left(
                                device.device().name(),
                                capacity.getKey(),
                                capacity.getValue().value().minus(taken(device.id(), capacity.getKey())),
                                capacity.getValue().value())));
        return Stream.concat(counters, capacities).toList();
    }

    private Quantity taken(DeviceId device, String capacity) {
        return holdings.allocated(device).stream()
                .flatMap(held -> Stream.ofNullable(held.share()))
                .flatMap(share -> Stream.ofNullable(share.consumedCapacity().get(capacity)))
                .reduce(Quantity.ZERO, Quantity::plus);
    }
}
