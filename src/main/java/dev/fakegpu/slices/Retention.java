package dev.fakegpu.slices;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.inventory.Inventory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What is published of a pool while some of its devices are in use and are to change ({@code spec.updatePolicy: WhenReleased}).
 * KEP-5963, Failure modes: drivers must avoid changing the group declarations of devices in use.
 *
 * <ul>
 *   <li>A device in use keeps its name, its groups, its counters, and the counter sets that these are taken from, as they were.
 *   <li>If such a counter set is another one now, or gone, the GPU behind it is drained: of all that is new on it nothing is offered,
 *       since new amounts mean nothing on the old hardware. Devices of the old hardware that nobody uses are not offered either, or
 *       the change would never come.
 *   <li>What is kept is tainted, so that it is not given away once more.
 *   <li>Attributes, capacities and taints of a device that stays on its hardware are the new ones: health must not wait.
 * </ul>
 *
 * @param inventory what to publish now
 * @param kept names of devices that are not as they are wanted, in publishing order
 * @param withheld how many wanted devices wait for that
 */
public record Retention(Inventory inventory, List<String> kept, int withheld) {

    /** On devices that change, or go, as soon as they are released: they are not to be given away again before. */
    public static final DeviceTaint CHANGES_PENDING = new DeviceTaint("fakegpu.dev/changes-pending", "", "NoSchedule");

    /** {@code resource.k8s.io/v1} DeviceTaintsMaxLength. */
    private static final int MAX_TAINTS = 16;

    public Retention {
        kept = List.copyOf(kept);
    }

    /** Whether a published device is one that was kept. */
    public static boolean isPending(Device device) {
        return device.taints().stream().anyMatch(taint -> taint.key().equals(CHANGES_PENDING.key()));
    }

    /** A pool as it is published, with the groups that are kept beside it. */
    public record Published(List<CounterSet> counterSets, List<Device> devices) {
        public static final Published NOTHING = new Published(List.of(), List.of());

        public Published {
            counterSets = List.copyOf(counterSets);
            devices = List.copyOf(devices);
        }

        /** The definitions of these devices and what they consume from, as far as there are any. */
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

        /** With the definitions of another one instead of, or beside, those of the same names. */
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
     * @param wanted what is to be published; nothing for a pool that is to go
     * @param published the pool as it is
     * @param used names of devices that are allocated
     */
    public static Retention of(Inventory wanted, Published published, Set<String> used) {
        var before = new LinkedHashMap<String, Device>();
        published.devices().stream()
                .filter(device -> used.contains(device.name()))
                .forEach(device -> before.put(device.name(), device));
        if (before.isEmpty()) {
            return new Retention(wanted, List.of(), 0);
        }
        return new Merge(wanted, published, before).result();
    }

    private static final class Merge {
        private final Inventory wanted;
        private final Map<String, Device> before;
        private final Map<String, Device> after;
        private final Map<String, CounterSet> drained;

        Merge(Inventory wanted, Published published, Map<String, Device> before) {
            this.wanted = wanted;
            this.before = before;
            this.after = byName(wanted.devices(), Device::name);
            this.drained = drained(published);
        }

        /** Counter sets that devices in use take from, and that are not to stay as they were. */
        private Map<String, CounterSet> drained(Published published) {
            var consumed = before.values().stream()
                    .flatMap(device -> device.consumesCounters().stream())
                    .map(CounterConsumption::counterSet)
                    .collect(Collectors.toSet());
            return byName(
                    published.counterSets().stream()
                            .filter(set -> consumed.contains(set.name()))
                            .filter(set -> !wanted.counterSets().contains(set))
                            .toList(),
                    CounterSet::name);
        }

        Retention result() {
            var devices = new ArrayList<Device>();
            var kept = new ArrayList<String>();
            int withheld = 0;
            for (Device device : wanted.devices()) {
                Device used = before.get(device.name());
                if (used != null) {
                    Device now = keep(used, device);
                    devices.add(now);
                    if (!now.equals(device)) {
                        kept.add(device.name());
                    }
                } else if (consumesDrained(device)) {
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
            return new Retention(new Inventory(wanted.gpus(), counterSets(), devices), kept, withheld);
        }

        /** @return the wanted device itself if it can be published as it is */
        private Device keep(Device used, Device device) {
            if (consumesDrained(used) || consumesDrained(device)) {
                return pending(used.withTaints(device.taints()));
            }
            return used.consumesCounters().equals(device.consumesCounters())
                    ? device
                    : pending(device.withConsumesCounters(used.consumesCounters()));
        }

        private boolean consumesDrained(Device device) {
            return device.consumesCounters().stream()
                    .anyMatch(consumption -> drained.containsKey(consumption.counterSet()));
        }

        private List<CounterSet> counterSets() {
            var sets = byName(wanted.counterSets(), CounterSet::name);
            sets.putAll(drained);
            return List.copyOf(sets.values());
        }

        private static Device pending(Device device) {
            if (isPending(device) || device.taints().size() >= MAX_TAINTS) {
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
