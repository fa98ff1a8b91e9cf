package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceConstraint;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.ClusterState;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A random pool of a few devices on two nodes, some of which are held, and a random claim for it. */
record RandomPools(
        List<CounterSet> counterSets, List<Device> devices, List<AllocatedDevice> held, Claim claim, GroupsGate gate) {

    static final List<NodeInfo> NODES = List.of(new NodeInfo("node-1", Map.of()), new NodeInfo("node-2", Map.of()));
    static final PoolId POOL = new PoolId("gpu.example.com", "pool");
    static final String MEMORY = "memory";

    private static final DeviceClass CLASS = new DeviceClass("gpu", List.of(), List.of());
    private static final Selectors SELECTORS = new Selectors();
    private static final DeviceTaint TAINT = new DeviceTaint("worn", "", "NoSchedule");

    static RandomPools of(long seed) {
        return new Maker(new Random(seed * 7919 + 13)).make();
    }

    AllocationContext context() {
        var sets = new Slice("0-sets", POOL, 1, 2, new NodeSelection.AllNodes(), counterSets, List.of());
        var published =
                new Slice("1-devices", POOL, 1, 2, new NodeSelection.None(), true, List.of(), devices, List.of(), null);
        var state = new ClusterState(List.of(sets, published), Map.of(CLASS.name(), CLASS), held);
        return AllocationContext.of(state, SELECTORS, new AllocatorOptions(gate, GroupPolicy.SNAPSHOT, List.of()));
    }

    ExactRequest request() {
        return claim.requests().get(0).exactly();
    }

    /** Makes random pools and claims. */
    private static final class Maker {
        private final Random random;

        Maker(Random random) {
            this.random = random;
        }

        RandomPools make() {
            List<CounterSet> sets = IntStream.range(0, random.nextInt(3))
                    .mapToObj(this::counterSet)
                    .toList();
            List<Device> devices = IntStream.range(0, 2 + random.nextInt(5))
                    .mapToObj(number -> device(number, sets))
                    .toList();
            GroupsGate gate = random.nextInt(10) == 0 ? GroupsGate.UNAWARE : GroupsGate.ON;
            var empty = new RandomPools(sets, devices, List.of(), claim(), gate);
            return new RandomPools(sets, devices, held(empty), empty.claim(), gate);
        }

        private CounterSet counterSet(int number) {
            var counters = new HashMap<String, Quantity>();
            IntStream.rangeClosed(0, random.nextInt(2))
                    .forEach(counter -> counters.put("c" + counter, Quantity.of(1 + random.nextInt(8))));
            return new CounterSet("set-" + number, counters);
        }

        private Device device(int number, List<CounterSet> sets) {
            var consumption = sets.stream()
                    .filter(set -> random.nextInt(3) > 0)
                    .map(this::consumption)
                    .toList();
            Map<String, DeviceCapacity> capacity = random.nextBoolean()
                    ? Map.of(MEMORY, DeviceCapacity.of(Quantity.of(1 + random.nextInt(4))))
                    : Map.of();
            return new Device(
                            "device-" + number,
                            Map.of(
                                    "kind", AttributeValue.of(random.nextInt(3) > 0 ? "x" : "y"),
                                    "root", AttributeValue.of((long) random.nextInt(2))),
                            Map.of(),
                            consumption,
                            random.nextInt(10) == 0 ? List.of(TAINT) : List.of())
                    .withCapacity(capacity)
                    .withAllowMultipleAllocations(
                            random.nextInt(4) == 0 && !capacity.isEmpty() || random.nextInt(60) == 0)
                    .withNodes(nodes());
        }

        private CounterConsumption consumption(CounterSet set) {
            var amounts = new HashMap<String, Quantity>();
            set.counters().keySet().forEach(counter -> amounts.put(counter, Quantity.of(random.nextInt(4))));
            List<String> groups = random.nextInt(3) == 0
                    ? List.of()
                    : Stream.of("a", "b", "c")
                            .filter(group -> random.nextBoolean())
                            .toList();
            return new CounterConsumption(set.name(), amounts, groups);
        }

        private NodeSelection nodes() {
            return switch (random.nextInt(4)) {
                case 0 -> new NodeSelection.NodeName("node-1");
                case 1 -> new NodeSelection.NodeName("node-2");
                default -> new NodeSelection.AllNodes();
            };
        }

        private List<AllocatedDevice> held(RandomPools empty) {
            var held = new ArrayList<AllocatedDevice>();
            for (Device device : empty.devices()) {
                var ref = new ClaimRef("default", "holder-of-" + device.name(), device.name());
                var share = device.allowMultipleAllocations()
                        ? new AllocatedDevice.Share(
                                null, device.capacity().isEmpty() ? Map.of() : Map.of(MEMORY, Quantity.ONE))
                        : null;
                var more = new ArrayList<>(held);
                more.add(new AllocatedDevice(POOL.device(device.name()), ref, null, share));
                var tried = new RandomPools(empty.counterSets(), empty.devices(), more, empty.claim(), empty.gate());
                if (random.nextInt(4) == 0 && new BruteForceRoom(tried).goTogether(List.of())) {
                    held = more;
                }
            }
            return List.copyOf(held);
        }

        private Claim claim() {
            long count = random.nextInt(3) == 0 ? 2 : 1;
            List<String> selectors =
                    random.nextBoolean() ? List.of("device.attributes['gpu.example.com'].kind == 'x'") : List.of();
            List<DeviceToleration> tolerations = random.nextInt(4) == 0
                    ? List.of(new DeviceToleration(TAINT.key(), "Exists", "", "", null))
                    : List.of();
            Map<String, Quantity> capacity =
                    random.nextInt(3) == 0 ? Map.of(MEMORY, Quantity.of(1 + random.nextInt(2))) : null;
            var exactly = new ExactRequest(
                    "r", CLASS.name(), selectors, false, "ExactCount", count, tolerations, capacity, Map.of(), null);
            List<DeviceConstraint> constraints = random.nextInt(3) == 0
                    ? List.of(new DeviceConstraint(List.of(), "gpu.example.com/root", null))
                    : List.of();
            return new Claim(
                    new ClaimRef("default", "wanted", "wanted"),
                    List.of(new DeviceRequest("r", exactly, List.of())),
                    constraints,
                    List.of());
        }
    }
}
