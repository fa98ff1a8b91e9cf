package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity.RequestPolicy;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.inventory.Inventory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The content of a pool while changes to devices in use are deferred ({@code spec.updatePolicy: WhenReleased}). KEP-5963, Failure modes:
 * drivers must avoid changing the group declarations of devices in use. KEP-5075, Risks, says the same about request policies.
 *
 * <ul>
 *   <li>A device in use keeps its name, groups and counters, and the counter sets that it consumes from.
 *   <li>A device in use keeps {@code allowMultipleAllocations}. If that or a request policy changes, the device keeps its capacities, since
 *       the policies apply to them.
 *   <li>If such a counter set was changed or removed, its GPU is drained: new devices of the GPU are not published yet, because their
 *       amounts do not apply to the old hardware. Unused devices of the old hardware are no longer published, because otherwise new claims
 *       could delay the change forever.
 *   <li>Devices without counters, such as static MIG devices and GPUs without partitions, do not say which devices they exclude. New
 *       devices of a GPU are therefore withheld while a device of it is in use that was removed and has no counters, or if only the new
 *       devices or only those in use have counters.
 *   <li>Devices that are kept get a taint, so that they are not allocated again.
 *   <li>Attributes, taints and other capacities change at once if the device stays on its hardware, so that its health is up to date.
 * </ul>
 *
 * @param inventory the inventory to publish now
 * @param kept the names of the devices that differ from the desired ones, in publishing order
 * @param withheld the number of desired devices that are not published yet because of the kept ones
 */
public record Retention(Inventory inventory, List<String> kept, int withheld) {

    /** A taint on devices that change or disappear once they are released. It keeps them from being allocated again. */
    public static final DeviceTaint CHANGES_PENDING = new DeviceTaint("fakegpu.dev/changes-pending", "", "NoSchedule");

    /** The fields that devices in use keep, as far as the API server stores them; otherwise groups are in an annotation. */
    public static final List<SliceField> FIELDS =
            List.of(SliceField.COUNTERS, SliceField.MULTIPLE_ALLOCATIONS, SliceField.REQUEST_POLICIES);

    /** Devices of a GPU have the same address. */
    private static final String PCI_BUS_ID = "resource.kubernetes.io/pciBusID";

    public Retention {
        kept = List.copyOf(kept);
    }

    /** Whether a published device has a deferred change. */
    public static boolean isPending(Device device) {
        return device.taints().stream().anyMatch(taint -> taint.key().equals(CHANGES_PENDING.key()));
    }

    /** A pool as published, including groups that are stored in an annotation. */
    public record Published(List<CounterSet> counterSets, List<Device> devices) {
        public static final Published NOTHING = new Published(List.of(), List.of());

        public Published {
            counterSets = List.copyOf(counterSets);
            devices = List.copyOf(devices);
        }

        /** @param slices all slices of a pool */
        public static Published of(List<Slice> slices) {
            return new Published(
                    slices.stream()
                            .flatMap(slice -> slice.counterSets().stream())
                            .toList(),
                    slices.stream().flatMap(slice -> slice.devices().stream()).toList());
        }

        /** A copy with only these devices and the counter sets that they consume from. */
        public Published only(Set<String> names) {
            var some = devices.stream()
                    .filter(device -> names.contains(device.name()))
                    .toList();
            var sets = some.stream()
                    .flatMap(device -> device.consumesCounters().stream())
                    .map(CounterConsumption::counterSet)
                    .collect(Collectors.toSet());
            return new Published(
                    counterSets.stream()
                            .filter(set -> sets.contains(set.name()))
                            .toList(),
                    some);
        }

        /** A copy with the entries of another pool added. They replace entries of the same name. */
        public Published with(Published other) {
            return new Published(
                    List.copyOf(merge(counterSets, other.counterSets, CounterSet::name)),
                    List.copyOf(merge(devices, other.devices, Device::name)));
        }

        private static <T> List<T> merge(List<T> some, List<T> others, Function<T, String> name) {
            var byName = new LinkedHashMap<String, T>();
            some.forEach(one -> byName.put(name.apply(one), one));
            others.forEach(one -> byName.put(name.apply(one), one));
            return List.copyOf(byName.values());
        }
    }

    /**
     * Determines what to publish.
     *
     * @param desired what should be published; empty for a pool that should be removed
     * @param published the pool as it is now
     * @param used the names of the devices that are allocated
     */
    public static Retention of(Inventory desired, Published published, Set<String> used) {
        var before = new LinkedHashMap<String, Device>();
        published.devices().stream()
                .filter(device -> used.contains(device.name()))
                .forEach(device -> before.put(device.name(), device));
        if (before.isEmpty()) {
            return new Retention(desired, List.of(), 0);
        }
        return new Merge(desired, published, before).result();
    }

    private static final class Merge {
        private final Inventory desired;
        private final Map<String, Device> before;
        private final Map<String, Device> after;
        private final Map<String, CounterSet> drained;
        private final Map<AttributeValue, List<Device>> usedByGpu;

        Merge(Inventory desired, Published published, Map<String, Device> before) {
            this.desired = desired;
            this.before = before;
            this.after = byName(desired.devices(), Device::name);
            this.drained = drained(published);
            this.usedByGpu = before.values().stream()
                    .filter(device -> device.attributes().containsKey(PCI_BUS_ID))
                    .collect(Collectors.groupingBy(
                            device -> Objects.requireNonNull(device.attributes().get(PCI_BUS_ID))));
        }

        /** The changed or removed counter sets that devices in use consume from. */
        private Map<String, CounterSet> drained(Published published) {
            var consumed = before.values().stream()
                    .flatMap(device -> device.consumesCounters().stream())
                    .map(CounterConsumption::counterSet)
                    .collect(Collectors.toSet());
            return byName(
                    published.counterSets().stream()
                            .filter(set -> consumed.contains(set.name()))
                            .filter(set -> !desired.counterSets().contains(set))
                            .toList(),
                    CounterSet::name);
        }

        Retention result() {
            var devices = new ArrayList<Device>();
            var kept = new ArrayList<String>();
            int withheld = 0;
            for (Device device : desired.devices()) {
                Device used = before.get(device.name());
                if (used != null) {
                    Device now = keep(used, device);
                    devices.add(now);
                    if (!now.equals(device)) {
                        kept.add(device.name());
                    }
                } else if (consumesDrained(device) || isExcluded(device)) {
                    withheld++;
                } else {
                    devices.add(device);
                }
            }
            for (Device gone : before.values()) {
                if (!after.containsKey(gone.name())) {
                    devices.add(pending(gone));
                    kept.add(gone.name());
                }
            }
            return new Retention(new Inventory(desired.gpus(), counterSets(), devices), kept, withheld);
        }

        /** @return the desired device itself if it can be published unchanged */
        private Device keep(Device used, Device device) {
            if (consumesDrained(used) || consumesDrained(device)) {
                return pending(used.withTaints(device.taints()));
            }
            Device now = isSharedAlike(used, device)
                    ? device
                    : device.withAllowMultipleAllocations(used.allowMultipleAllocations())
                            .withCapacity(used.capacity());
            if (!used.consumesCounters().equals(device.consumesCounters())) {
                now = now.withConsumesCounters(used.consumesCounters());
            }
            return now.equals(device) ? device : pending(now);
        }

        private static boolean isSharedAlike(Device one, Device other) {
            return one.allowMultipleAllocations() == other.allowMultipleAllocations()
                    && policies(one).equals(policies(other));
        }

        private static Map<String, RequestPolicy> policies(Device device) {
            var policies = new HashMap<String, RequestPolicy>();
            device.capacity().forEach((name, capacity) -> {
                if (capacity.requestPolicy() != null) {
                    policies.put(name, capacity.requestPolicy());
                }
            });
            return policies;
        }

        private boolean consumesDrained(Device device) {
            return device.consumesCounters().stream()
                    .anyMatch(consumption -> drained.containsKey(consumption.counterSet()));
        }

        /** Whether a device in use on the same GPU excludes the device, although counters do not show it. */
        private boolean isExcluded(Device device) {
            AttributeValue gpu = device.attributes().get(PCI_BUS_ID);
            boolean counted = !device.consumesCounters().isEmpty();
            return gpu != null
                    && usedByGpu.getOrDefault(gpu, List.of()).stream()
                            .anyMatch(used -> counted == used.consumesCounters().isEmpty()
                                    || (!counted && !after.containsKey(used.name())));
        }

        private List<CounterSet> counterSets() {
            var sets = byName(desired.counterSets(), CounterSet::name);
            sets.putAll(drained);
            return List.copyOf(sets.values());
        }

        private static Device pending(Device device) {
            if (isPending(device) || device.taints().size() >= Limits.TAINTS) {
                return device;
            }
            var taints = new ArrayList<>(device.taints());
            taints.add(CHANGES_PENDING);
            return device.withTaints(taints);
        }

        private static <T> Map<String, T> byName(List<T> list, Function<T, String> name) {
            var result = new LinkedHashMap<String, T>();
            list.forEach(element -> result.put(name.apply(element), element));
            return result;
        }
    }
}
