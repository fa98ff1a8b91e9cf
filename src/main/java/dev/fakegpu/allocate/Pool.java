package dev.fakegpu.allocate;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A resource pool as one node sees it. */
public sealed interface Pool {

    PoolId id();

    /**
     * All slices are there and consistent. Nodes that see the same slices share one object, which therefore also keeps what was
     * found out about its devices: their counters as numbers, what selectors say of them, the values of attributes. All of that is
     * worked out when it is first needed. Safe for use by several threads.
     */
    final class Usable implements Pool {
        private final PoolId id;
        private final List<PoolDevice> devices;
        private final List<Slice> allSlices;
        private final Set<String> targetingSlices;
        private final Map<String, CounterSet> counterSets;
        private final boolean bindingConditions;
        private final boolean perDeviceNodeSelection;
        private final CounterTable counters;
        private final SelectorMatchesCache selections;
        private final AttributeColumns attributes;
        private final ConsumedCapacityCache portions;
        private volatile @Nullable CounterComponents components;
        private volatile @Nullable CommittedState lastBaseline;
        private volatile @Nullable Map<DeviceId, Integer> positions;

        Usable(
                PoolId id,
                List<PoolDevice> devices,
                List<Slice> allSlices,
                Set<String> targetingSlices,
                Map<String, CounterSet> counterSets) {
            this.id = id;
            this.devices = List.copyOf(devices);
            this.allSlices = allSlices;
            this.targetingSlices = Set.copyOf(targetingSlices);
            this.counterSets = Map.copyOf(counterSets);
            bindingConditions = devices.stream()
                    .anyMatch(device -> !device.device().binding().conditions().isEmpty());
            perDeviceNodeSelection =
                    devices.stream().anyMatch(device -> device.slice().selectsNodesPerDevice());
            counters = CounterTable.of(this.counterSets, this.devices);
            selections = new SelectorMatchesCache(this.devices);
            attributes = new AttributeColumns(this.devices);
            portions = new ConsumedCapacityCache(this.devices);
        }

        @Override
        public PoolId id() {
            return id;
        }

        /** The devices that the node can reach, in the order in which they are tried. */
        public List<PoolDevice> devices() {
            return devices;
        }

        /** The devices of other nodes' slices, which matter for the counters that they consume. */
        public Stream<PoolDevice> elsewhere() {
            return allSlices.stream()
                    .filter(slice -> slice.counterSets().isEmpty() && !targetingSlices.contains(slice.name()))
                    .flatMap(slice -> slice.devices().stream()
                            .filter(device -> !device.consumesCounters().isEmpty())
                            .map(device -> new PoolDevice(device, slice)));
        }

        /** By name. */
        public Map<String, CounterSet> counterSets() {
            return counterSets;
        }

        /** Pools with such devices are tried after all others. */
        boolean hasBindingConditions() {
            return bindingConditions;
        }

        /** Whether some devices say themselves which nodes reach them, so that not all of {@link #devices} need to. */
        boolean selectsNodesPerDevice() {
            return perDeviceNodeSelection;
        }

        CounterTable counters() {
            return counters;
        }

        SelectorMatchesCache selections() {
            return selections;
        }

        AttributeColumns attributes() {
            return attributes;
        }

        /** Only searches that get stuck need them. */
        CounterComponents components() {
            CounterComponents known = components;
            if (known == null) {
                known = new CounterComponents(this);
                components = known;
            }
            return known;
        }

        ConsumedCapacityCache portions() {
            return portions;
        }

        /** What is left of the pool; kept for as long as the pool's devices are held by the same claims. */
        CommittedState baseline(AllocatedDevices holdings, GroupsGate gate) {
            CommittedState last = lastBaseline;
            if (last == null || !last.isOf(holdings, gate, id)) {
                last = CommittedState.of(this, holdings, gate);
                lastBaseline = last;
            }
            return last;
        }

        /** Where a device stands in {@link #devices}; null if it is not among them. */
        @Nullable Integer position(DeviceId device) {
            Map<DeviceId, Integer> known = positions;
            if (known == null) {
                known = new HashMap<>();
                for (int i = 0; i < devices.size(); i++) {
                    known.putIfAbsent(devices.get(i).id(), i);
                }
                positions = known;
            }
            return known.get(device);
        }

        @Override
        public String toString() {
            return "Usable[" + id + ", " + devices.size() + " devices]";
        }
    }

    /**
     * The driver has not published all slices of the generation, or more than it says.
     *
     * @param expected how many slices there should be
     * @param found how many there are
     * @param ignored how many more were left out of account because they use compatibility groups ({@link GroupsGate#OFF})
     */
    record Incomplete(PoolId id, long expected, int found, int ignored) implements Pool {}

    /** The slices contradict each other. */
    record Invalid(PoolId id, String reason) implements Pool {}
}
