package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Small hardware for tests: one driver, a class with all of its devices, and claims that request devices by name. */
final class Hardware {

    static final Selectors SELECTORS = new Selectors();
    static final PoolId POOL = new PoolId("gpu.example.com", "pool");
    static final NodeInfo NODE = new NodeInfo("node-1", Map.of());
    static final DeviceClass CLASS = new DeviceClass("gpu", List.of("device.driver == 'gpu.example.com'"), List.of());

    private Hardware() {}

    static CounterConsumption on(String counterSet, long units, String... groups) {
        return new CounterConsumption(counterSet, Map.of("units", Quantity.of(units)), List.of(groups));
    }

    static Device device(String name, CounterConsumption... consumption) {
        return new Device(name, Map.of("name", AttributeValue.of(name)), Map.of(), List.of(consumption), List.of());
    }

    static Device tainted(Device device, String key) {
        return device.withTaints(List.of(new DeviceTaint(key, "", "NoSchedule")));
    }

    static CounterSet counters(String name, long units) {
        return new CounterSet(name, Map.of("units", Quantity.of(units)));
    }

    /** A complete pool of the node. */
    static List<Slice> pool(List<CounterSet> counterSets, Device... devices) {
        NodeSelection nodes = new NodeSelection.NodeName(NODE.name());
        return List.of(
                new Slice("0-counters", POOL, 1, 2, nodes, counterSets, List.of()),
                new Slice("1-devices", POOL, 1, 2, nodes, List.of(), List.of(devices)));
    }

    static ClusterState state(List<Slice> slices, AllocatedDevice... allocated) {
        return new ClusterState(slices, Map.of(CLASS.name(), CLASS), List.of(allocated));
    }

    static AllocatedDevice held(String device) {
        return held(device, (CompatibilityGroups) null);
    }

    static AllocatedDevice held(String device, @Nullable CompatibilityGroups groups) {
        return new AllocatedDevice(POOL.device(device), ref("holder-of-" + device), groups);
    }

    static ClaimRef ref(String name) {
        return new ClaimRef("default", name, name + "-uid");
    }

    static DeviceRequest request(String name, String selector, long count) {
        return DeviceRequest.exactly(name, CLASS.name(), List.of(selector), count, List.of());
    }

    static String named(String... names) {
        return "device.attributes['gpu.example.com'].name in ['" + String.join("', '", names) + "']";
    }

    static Claim claim(String name, DeviceRequest... requests) {
        return new Claim(ref(name), List.of(requests), List.of(), List.of());
    }

    /** Claims that each request one of the devices. */
    static List<Claim> claimsFor(List<String> devices) {
        return devices.stream()
                .map(device -> claim("wants-" + device, request("r", named(device), 1)))
                .toList();
    }

    static AllocatorOptions options(GroupsGate gate, GroupPolicy policy) {
        return new AllocatorOptions(gate, policy, List.of());
    }

    static Outcome allocate(ClusterState state, GroupsGate gate, GroupPolicy policy, List<Claim> claims) {
        return new Allocator(AllocationContext.of(state, SELECTORS, options(gate, policy))).allocate(NODE, claims);
    }

    static Outcome allocate(ClusterState state, Claim... claims) {
        return allocate(state, GroupsGate.ON, GroupPolicy.SNAPSHOT, List.of(claims));
    }

    /** The names of the devices, in order of allocation; otherwise only "none" or the message of the failure. */
    static List<String> devices(Outcome outcome) {
        if (outcome instanceof Outcome.Allocated allocated) {
            return allocated.allocations().stream()
                    .flatMap(allocation -> allocation.results().stream())
                    .map(result -> result.device())
                    .map(DeviceId::device)
                    .toList();
        }
        return outcome instanceof Outcome.Failed failed ? List.of(failed.message()) : List.of("none");
    }

    static <T> Stream<List<T>> permutations(List<T> items) {
        if (items.isEmpty()) {
            return Stream.of(List.of());
        }
        return items.stream().flatMap(first -> {
            List<T> rest = items.stream().filter(item -> item != first).toList();
            return permutations(rest)
                    .map(tail -> Stream.concat(Stream.of(first), tail.stream()).toList());
        });
    }
}
