package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A resource pool as one node sees it. */
public sealed interface Pool {

    PoolId id();

    /**
     * All slices are there and consistent. Nodes that see the same slices share one object, including its {@link PoolCaches}. Thread-safe.
     */
    final class Usable implements Pool {
        private final PoolId id;
        private final List<PoolDevice> devices;
        private final List<Slice> allSlices;
        private final Set<String> targetingSlices;
        private final Map<String, CounterSet> counterSets;
        private final boolean bindingConditions;
        private final boolean shareable;
        private final boolean perDeviceNodeSelection;
        private final PoolCaches caches;

        Usable(
                PoolId id,
                List<PoolDevice> devices,
                List<Slice> allSlices,
                Set<String> targetingSlices,
                Map<String, CounterSet> counterSets,
                PoolTemplate template,
                @Nullable Usable before) {
            this.id = id;
            this.devices = List.copyOf(devices);
            this.allSlices = allSlices;
            this.targetingSlices = targetingSlices;
            this.counterSets = Map.copyOf(counterSets);
            boolean bound = false;
            boolean multiple = false;
            boolean perDevice = false;
            for (PoolDevice device : devices) {
                bound |= !device.device().binding().conditions().isEmpty();
                multiple |= device.device().allowMultipleAllocations();
                perDevice |= device.slice().selectsNodesPerDevice();
            }
            bindingConditions = bound;
            shareable = multiple;
            perDeviceNodeSelection = perDevice;
            caches = new PoolCaches(this, template, before);
        }

        @Override
        public PoolId id() {
            return id;
        }

        /** The devices in the slices that the node can access, in the order of the search. */
        public List<PoolDevice> devices() {
            return devices;
        }

        /** The devices in slices for other nodes that consume this pool's counters. */
        public Stream<PoolDevice> elsewhere() {
            return allSlices.stream()
                    .filter(slice -> slice.counterSets().isEmpty() && !targetingSlices.contains(slice.name()))
                    .flatMap(slice -> slice.devices().stream()
                            .filter(device -> !device.consumesCounters().isEmpty())
                            .map(device -> new PoolDevice(device, slice)));
        }

        /** The devices of this pool and those {@link #elsewhere} that have one of these ids, in their order. */
        Stream<PoolDevice> among(Set<DeviceId> ids) {
            if (isWhole()) {
                return ids.stream()
                        .flatMap(id -> Stream.ofNullable(caches.position(id)))
                        .sorted()
                        .map(devices::get);
            }
            return Stream.concat(devices.stream(), elsewhere()).filter(device -> ids.contains(device.id()));
        }

        /** Whether these devices have the same names and consume the same as the pool's, in the same order. */
        boolean hasDevicesLike(List<PoolDevice> others) {
            if (devices.size() != others.size()) {
                return false;
            }
            for (int i = 0; i < devices.size(); i++) {
                if (!devices.get(i).isLike(others.get(i))) {
                    return false;
                }
            }
            return true;
        }

        /** One bit for each of these devices, set if the pool has an equal one in its place. */
        long[] equalDevices(List<PoolDevice> others) {
            var equal = new long[Bits.words(others.size())];
            for (int i = 0; i < Math.min(devices.size(), others.size()); i++) {
                if (devices.get(i).isEqual(others.get(i))) {
                    Bits.set(equal, i);
                }
            }
            return equal;
        }

        /** Whether all devices that consume the pool's counters are its own. */
        boolean isWhole() {
            return allSlices.isEmpty();
        }

        /** The pool's counter sets, by name. */
        public Map<String, CounterSet> counterSets() {
            return counterSets;
        }

        /** Whether any device has binding conditions. Such pools are tried after all others. */
        public boolean hasBindingConditions() {
            return bindingConditions;
        }

        /** Whether several requests can share the device. */
        public boolean isShareable(int device) {
            return shareable && devices.get(device).device().allowMultipleAllocations();
        }

        /** Whether some devices have their own node selection, so that the node may not be able to access all {@link #devices}. */
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
     * The number of slices of the newest generation differs from the one that the driver announced.
     *
     * @param expected the number of slices that the driver announced
     * @param found the number of slices that exist
     * @param ignored the number of slices that are ignored because they use compatibility groups ({@link GroupsGate#OFF})
     */
    record Incomplete(PoolId id, long expected, int found, int ignored) implements Pool {}

    /** The slices contradict each other. */
    record Invalid(PoolId id, String reason) implements Pool {}
}
