package dev.fakegpu.engine.gang;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A small random gang and its cluster: GPUs that are used whole or as two halves, devices of two kinds, network devices, which only a claim
 * of the whole group requests, racks, and nodes that fit only some pods.
 *
 * @param pods by node, how many pods of the gang fit
 */
record RandomGang(GangProblem problem, List<Slice> slices, List<Integer> pods) {

    static final String DRIVER = "gpu.example.com";
    static final String RACK = "example.com/rack";
    private static final Selectors SELECTORS = new Selectors();
    private static final Map<String, DeviceClass> CLASSES = Map.of(
            "a",
            deviceClass("a", "'a'"),
            "b",
            deviceClass("b", "'b'"),
            "any",
            deviceClass("any", "'a', 'b'"),
            "net",
            deviceClass("net", "'net'"));

    static RandomGang of(long seed) {
        return of(seed, List.of());
    }

    /** A gang whose nodes can all access a few devices of the kinds that they also have themselves. */
    static RandomGang withDevicesOfAllNodes(long seed) {
        var random = new Random(seed);
        return of(
                seed,
                IntStream.rangeClosed(0, random.nextInt(3))
                        .mapToObj(number -> device("remote-" + number, random.nextBoolean() ? "a" : "b"))
                        .toList());
    }

    private static RandomGang of(long seed, List<Device> ofAllNodes) {
        var random = new Random(seed);
        int nodes = 1 + random.nextInt(3);
        var slices = new ArrayList<Slice>();
        var infos = new ArrayList<NodeInfo>();
        for (int node = 0; node < nodes; node++) {
            String name = "node-" + node;
            infos.add(
                    new NodeInfo(name, random.nextInt(5) == 0 ? Map.of() : Map.of(RACK, "rack-" + random.nextInt(2))));
            slices.addAll(pool(name, random));
        }
        slices.add(new Slice(
                "net",
                new PoolId(DRIVER, "net"),
                1,
                1,
                new NodeSelection.AllNodes(),
                List.of(),
                Stream.concat(devices(random.nextInt(3), "net").stream(), ofAllNodes.stream())
                        .toList()));
        List<Integer> pods = IntStream.range(0, nodes)
                .mapToObj(node -> 1 + random.nextInt(4))
                .toList();
        List<GangProblem.Member> members = members(random);
        var context = AllocationContext.of(
                new ClusterState(slices, CLASSES, List.of()),
                SELECTORS,
                new AllocatorOptions(GroupsGate.ON, GroupPolicy.LIVE, List.of()));
        return new RandomGang(
                new GangProblem(
                        context,
                        infos,
                        members,
                        1 + random.nextInt(members.size()),
                        random.nextInt(3) == 0 ? Optional.of(RACK) : Optional.empty(),
                        (member, node, beside) -> beside.size() < pods.get(node)),
                slices,
                pods);
    }

    private static DeviceClass deviceClass(String name, String kinds) {
        return new DeviceClass(
                name, List.of("device.attributes['gpu.example.com'].kind in [" + kinds + "]"), List.of());
    }

    /** Single devices, and a whole GPU that excludes its halves. */
    private static List<Slice> pool(String node, Random random) {
        var devices = new ArrayList<Device>();
        int alone = random.nextInt(3);
        for (int number = 0; number < alone; number++) {
            devices.add(device("alone-" + number, random.nextBoolean() ? "a" : "b"));
        }
        var sets = new ArrayList<CounterSet>();
        if (random.nextInt(3) > 0) {
            boolean hasGroups = random.nextBoolean();
            sets.add(new CounterSet("gpu", Map.of("units", Quantity.of(2))));
            devices.add(part("half-0", "a", 1, hasGroups ? List.of("halves") : List.of()));
            devices.add(part("half-1", random.nextBoolean() ? "a" : "b", 1, hasGroups ? List.of("halves") : List.of()));
            devices.add(part("whole", "b", hasGroups ? 1 : 2, hasGroups ? List.of("whole") : List.of()));
        }
        var pool = new PoolId(DRIVER, node);
        var nodes = new NodeSelection.NodeName(node);
        return List.of(
                new Slice(node + "-sets", pool, 1, 2, nodes, sets, List.of()),
                new Slice(node + "-devices", pool, 1, 2, nodes, List.of(), devices));
    }

    private static Device part(String name, String kind, long units, List<String> groups) {
        return device(name, kind)
                .withConsumesCounters(
                        List.of(new CounterConsumption("gpu", Map.of("units", Quantity.of(units)), groups)));
    }

    private static Device device(String name, String kind) {
        return new Device(name, Map.of("kind", AttributeValue.of(kind)), Map.of(), List.of(), List.of());
    }

    private static List<Device> devices(int count, String kind) {
        return IntStream.range(0, count)
                .mapToObj(number -> device(kind + "-" + number, kind))
                .toList();
    }

    private static List<GangProblem.Member> members(Random random) {
        Claim shared = random.nextInt(3) > 0 ? null : claim("shared", random.nextBoolean() ? "net" : "any", 1);
        return IntStream.range(0, 1 + random.nextInt(4))
                .mapToObj(number -> {
                    String kind = List.of("a", "b", "any").get(random.nextInt(3));
                    int count = 1 + random.nextInt(4) / 3;
                    boolean shares = shared != null && random.nextInt(4) > 0;
                    List<Claim> own = random.nextInt(6) == 0 ? List.of() : List.of(claim("of-" + number, kind, count));
                    List<Claim> claims = Stream.concat(own.stream(), shares ? Stream.of(shared) : Stream.empty())
                            .toList();
                    return new GangProblem.Member(List.of(own.isEmpty() ? "" : kind + count, shares), node -> claims);
                })
                .toList();
    }

    private static Claim claim(String name, String kind, int count) {
        return new Claim(
                new ClaimRef("team", name, name),
                List.of(DeviceRequest.exactly("r", kind, List.of(), count, List.of())),
                List.of(),
                List.of());
    }
}
