package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** A resource pool as one node sees it. */
public sealed interface Pool {

    PoolId id();

    /**
     * All slices are there and consistent. Nodes that see the same slices share one object and with it the {@link PoolCaches}. Safe
     * for use by several threads.
     */
    final class Usable implements Pool {
        private final PoolId id;
        private final List<PoolDevice> devices;
        private final List<Slice> allSlices;
        private final Set<String> targetingSlices;
        private final Map<String, CounterSet> counterSets;
        private final boolean bindingConditions;
        private final boolean perDeviceNodeSelection;
        private final PoolCaches caches;

        Usable(
                PoolId id,
                List<PoolDevice> devices,
                List<Slice> allSlices,
                Set<String> targetingSlices,
                Map<String, CounterSet> counterSets,
                PoolTemplate template) {
            this.id = id;
            this.devices = List.copyOf(devices);
            this.allSlices = allSlices;
            this.targetingSlices = Set.copyOf(targetingSlices);
            this.counterSets = Map.copyOf(counterSets);
            bindingConditions = devices.stream()
                    .anyMatch(device -> !device.device().binding().conditions().isEmpty());
            perDeviceNodeSelection =
                    devices.stream().anyMatch(device -> device.slice().selectsNodesPerDevice());
            caches = new PoolCaches(this, template);
        }

        @Override
        public PoolId id() {
            return id;
        }

        /** The devices in the slices that the node can reach, in the order in which they are tried. */
        public List<PoolDevice> devices() {
            return devices;
        }

        /** Devices in slices for other nodes that consume this pool's counters. */
        public Stream<PoolDevice> elsewhere() {
            return allSlices.stream()
                    .filter(slice -> slice.counterSets().isEmpty() && !targetingSlices.contains(slice.name()))
                    .flatMap(slice -> slice.devices().stream()
                            .filter(device -> !device.consumesCounters().isEmpty())
                            .map(device -> new PoolDevice(device, slice)));
        }

        /** Those of its devices, and of the devices {@link #elsewhere}, that have one of these ids, in their order. */
        Stream<PoolDevice> among(Set<DeviceId> ids) {
            if (allSlices.isEmpty()) { // no device is elsewhere
                return ids.stream()
                        .flatMap(id -> Stream.ofNullable(caches.position(id)))
                        .sorted()
                        .map(devices::get);
            }
            return Stream.concat(devices.stream(), elsewhere()).filter(device -> ids.contains(device.id()));
        }

        /** The pool's counter sets, by name. */
        public Map<String, CounterSet> counterSets() {
            return counterSets;
        }

        /** Pools with such devices are tried after all others. */
        public boolean hasBindingConditions() {
            return bindingConditions;
        }

        /** Whether some devices have a node selection of their own, so that the node may not reach all of {@link #devices}. */
        public boolean selectsNodesPerDevice() {
            return perDeviceNodeSelection;
        }

        public PoolCaches caches() {
            return caches;
        }

        @Override
        public String toString() {
            return "Usable[" + id + ", " + devices.size() + " devices]";
        }
    }

    /**
     * The number of slices of the newest generation is not the one that the driver announced.
     *
     * @param expected how many slices the driver announced
     * @param found how many there are
     * @param ignored how many more were ignored because they use compatibility groups ({@link GroupsGate#OFF})
     */
    record Incomplete(PoolId id, long expected, int found, int ignored) implements Pool {}

    /** The slices contradict each other. */
    record Invalid(PoolId id, String reason) implements Pool {}
}
