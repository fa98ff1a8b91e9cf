package dev.fakegpu.engine.preemption;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceRequest;
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
import dev.fakegpu.engine.preemption.PreemptionProblem.Candidate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A small random preemption: GPUs that are used whole or in parts, with counters and groups, a shared device, network devices, claims that
 * several pods use, PodGroups that are disrupted as a whole, and PodDisruptionBudgets.
 *
 * @param nodeOf the node of each pod, by UID
 * @param places the number of pods that fit, by node
 */
record RandomPreemption(
        PreemptionProblem problem,
        List<Slice> slices,
        Map<ClaimRef, List<AllocatedDevice>> held,
        Map<String, String> nodeOf,
        Map<String, Integer> places) {

    static final String DRIVER = "gpu.example.com";
    static final int UNITS = 4;
    private static final Selectors SELECTORS = new Selectors();
    private static final List<String> KINDS = List.of("quarter", "half", "whole", "shared", "net");
    private static final Map<String, DeviceClass> CLASSES = Stream.concat(KINDS.stream(), Stream.of("part"))
            .collect(LinkedHashMap::new, (all, kind) -> all.put(kind, deviceClass(kind)), Map::putAll);

    private static DeviceClass deviceClass(String kind) {
        String kinds = kind.equals("part") ? "'quarter', 'half'" : "'" + kind + "'";
        return new DeviceClass(
                kind, List.of("device.attributes['gpu.example.com'].kind in [" + kinds + "]"), List.of());
    }

    static RandomPreemption of(long seed) {
        return new Maker(new Random(seed)).make();
    }

    /** Whether the devices and shares can be held at the same time. */
    static boolean canBeHeld(List<Slice> slices, List<AllocatedDevice> all) {
        for (Slice slice : slices) {
            long units = 0;
            var groups = new HashSet<List<String>>();
            for (Device device : slice.devices()) {
                List<AllocatedDevice> holders = all.stream()
                        .filter(each -> each.id().equals(slice.pool().device(device.name())))
                        .toList();
                boolean isShared = device.allowMultipleAllocations();
                if (!isShared && holders.size() > 1) {
                    return false;
                }
                long memory = holders.stream()
                        .flatMap(each -> Stream.ofNullable(each.share()))
                        .mapToLong(share ->
                                share.consumedCapacity().get("memory").value().longValue())
                        .sum();
                if (memory > UNITS) {
                    return false;
                }
                for (CounterConsumption each :
                        holders.isEmpty() ? List.<CounterConsumption>of() : device.consumesCounters()) {
                    units += each.counters().get("units").value().longValue();
                    groups.add(each.compatibilityGroups());
                }
            }
            if (units > UNITS || groups.size() > 1) {
                return false;
            }
        }
        return true;
    }

    private static final class Maker {

        private final Random random;
        private final List<Slice> slices = new ArrayList<>();
        private final Map<ClaimRef, List<AllocatedDevice>> held = new LinkedHashMap<>();
        private final Map<ClaimRef, Set<String>> users = new LinkedHashMap<>();
        private final Map<String, String> nodeOf = new LinkedHashMap<>();
        private final List<Victim> units = new ArrayList<>();

        Maker(Random random) {
            this.random = random;
        }

        RandomPreemption make() {
            List<NodeInfo> nodes = IntStream.range(0, 1 + random.nextInt(3))
                    .mapToObj(node -> new NodeInfo("node-" + node, Map.of()))
                    .toList();
            nodes.forEach(node -> slices.addAll(pool(node.name())));
            slices.add(slice("net", new NodeSelection.AllNodes(), List.of(), devices("net", random.nextInt(3))));
            int pods = 1 + random.nextInt(7);
            while (nodeOf.size() < pods) {
                addUnit(nodes);
            }
            Map<String, Integer> places = new LinkedHashMap<>();
            nodes.forEach(node -> places.put(
                    node.name(),
                    Math.max(1, (int) on(node.name()) + (random.nextInt(3) == 0 ? 0 : 2) - random.nextInt(2))));
            int priority = 1 + random.nextInt(3);
            List<Claim> claims = IntStream.range(0, 1 + random.nextInt(2))
                    .mapToObj(number -> claim("wanted-" + number))
                    .toList();
            var context = AllocationContext.of(
                    new ClusterState(
                            slices,
                            CLASSES,
                            held.values().stream().flatMap(List::stream).toList()),
                    SELECTORS,
                    new AllocatorOptions(GroupsGate.ON, GroupPolicy.LIVE, List.of()));
            List<Candidate> candidates = nodes.stream()
                    .map(node -> new Candidate(
                            node,
                            claims,
                            units.stream()
                                    .filter(unit -> unit.priority() < priority && concerns(unit, node.name()))
                                    .toList()))
                    .toList();
            var problem = new PreemptionProblem(
                    context, candidates, users, budgets(), (node, gone) -> isPlace(node, gone, places));
            return new RandomPreemption(problem, slices, held, nodeOf, places);
        }

        private boolean isPlace(NodeInfo node, Set<String> gone, Map<String, Integer> places) {
            long there = nodeOf.entrySet().stream()
                    .filter(each -> each.getValue().equals(node.name()) && !gone.contains(each.getKey()))
                    .count();
            return there < places.get(node.name());
        }

        private long on(String node) {
            return nodeOf.values().stream().filter(node::equals).count();
        }

        private boolean concerns(Victim unit, String node) {
            return unit.pods().stream()
                    .anyMatch(pod -> node.equals(nodeOf.get(pod.uid()))
                            || pod.claims().stream()
                                    .flatMap(claim -> held.get(claim).stream())
                                    .anyMatch(device -> Set.of(node, "net")
                                            .contains(device.id().poolId().name())));
        }

        /** A pool in which the whole GPU excludes its parts by counters, or by groups. */
        private List<Slice> pool(String node) {
            boolean hasGroups = random.nextBoolean();
            var devices = new ArrayList<Device>();
            for (int number = 0; number < UNITS; number++) {
                devices.add(part("quarter", number, 1, hasGroups ? "parts" : ""));
            }
            devices.add(part("half", 0, 2, hasGroups ? "parts" : ""));
            devices.add(part("half", 1, 2, hasGroups ? "parts" : ""));
            devices.add(part("whole", 0, hasGroups ? 1 : UNITS, hasGroups ? "whole" : ""));
            if (random.nextBoolean()) {
                devices.add(device("shared", 0).sharedBy(Map.of("memory", DeviceCapacity.of(Quantity.of(UNITS)))));
            }
            var sets = List.of(new CounterSet("gpu", Map.of("units", Quantity.of(UNITS))));
            var pool = new PoolId(DRIVER, node);
            var nodes = new NodeSelection.NodeName(node);
            return List.of(
                    new Slice(node + "-sets", pool, 1, 2, nodes, sets, List.of()),
                    new Slice(node + "-devices", pool, 1, 2, nodes, List.of(), devices));
        }

        private static Slice slice(String name, NodeSelection nodes, List<CounterSet> sets, List<Device> devices) {
            return new Slice(name, new PoolId(DRIVER, name), 1, 1, nodes, sets, devices);
        }

        private static Device part(String kind, int number, long units, String group) {
            return device(kind, number)
                    .withConsumesCounters(List.of(new CounterConsumption(
                            "gpu", Map.of("units", Quantity.of(units)), group.isEmpty() ? List.of() : List.of(group))));
        }

        private static Device device(String kind, int number) {
            return new Device(
                    kind + "-" + number, Map.of("kind", AttributeValue.of(kind)), Map.of(), List.of(), List.of());
        }

        private static List<Device> devices(String kind, int count) {
            return IntStream.range(0, count)
                    .mapToObj(number -> device(kind, number))
                    .toList();
        }

        /** Adds a pod, or pods of a group that are disrupted together, on random nodes. */
        private void addUnit(List<NodeInfo> nodes) {
            boolean isGroup = random.nextInt(5) == 0;
            int priority = random.nextInt(4);
            List<Victim.Member> pods = IntStream.range(0, isGroup ? 1 + random.nextInt(2) : 1)
                    .mapToObj(ignored ->
                            pod(nodes.get(random.nextInt(nodes.size())).name(), isGroup ? random.nextInt(4) : priority))
                    .toList();
            units.add(new Victim(priority, isGroup, pods));
        }

        private Victim.Member pod(String node, int priority) {
            String uid = "pod-" + nodeOf.size();
            nodeOf.put(uid, node);
            Set<ClaimRef> claims = new HashSet<>();
            if (random.nextInt(6) > 0) {
                claims.add(random.nextInt(5) == 0 && !held.isEmpty() ? known() : newClaim(uid, node));
                claims.removeIf(claim -> !held.containsKey(claim));
            }
            claims.forEach(claim ->
                    users.computeIfAbsent(claim, ignored -> new HashSet<>()).add(uid));
            if (random.nextInt(15) == 0) {
                claims.forEach(claim -> users.get(claim).add("training"));
            }
            Instant started = random.nextInt(5) == 0 ? Instant.MAX : Instant.EPOCH.plusSeconds(random.nextInt(3));
            return new Victim.Member(uid, priority, started, claims);
        }

        private ClaimRef known() {
            return List.copyOf(held.keySet()).get(random.nextInt(held.size()));
        }

        /** A claim that holds a free device, if there is one. */
        private ClaimRef newClaim(String uid, String node) {
            var claim = new ClaimRef("team", uid, uid);
            List<AllocatedDevice> all =
                    held.values().stream().flatMap(List::stream).toList();
            List<AllocatedDevice> free = slices.stream()
                    .filter(slice -> Set.of(node, "net").contains(slice.pool().name()))
                    .flatMap(slice -> slice.devices().stream()
                            .map(device -> hold(slice.pool().device(device.name()), device, claim)))
                    .filter(device -> canBeHeld(
                            slices,
                            Stream.concat(all.stream(), Stream.of(device)).toList()))
                    .toList();
            if (!free.isEmpty()) {
                held.put(claim, List.of(free.get(random.nextInt(free.size()))));
            }
            return claim;
        }

        private AllocatedDevice hold(DeviceId id, Device device, ClaimRef claim) {
            return new AllocatedDevice(
                    id,
                    claim,
                    null,
                    device.allowMultipleAllocations()
                            ? new AllocatedDevice.Share(
                                    claim.uid(), Map.of("memory", Quantity.of(1 + random.nextInt(3))))
                            : null);
        }

        private Claim claim(String name) {
            String kind = random.nextInt(4) == 0 ? "part" : KINDS.get(random.nextInt(KINDS.size()));
            Map<String, Quantity> capacity =
                    kind.equals("shared") ? Map.of("memory", Quantity.of(1 + random.nextInt(3))) : null;
            int count = kind.equals("whole") || kind.equals("shared") ? 1 : 1 + random.nextInt(2);
            var request = new ExactRequest(
                    "r", kind, List.of(), false, ExactRequest.EXACT_COUNT, count, List.of(), capacity, Map.of(), null);
            return new Claim(
                    new ClaimRef("team", name, name),
                    List.of(new DeviceRequest("r", request, List.of())),
                    List.of(),
                    List.of());
        }

        private List<Budget> budgets() {
            List<String> pods = List.copyOf(nodeOf.keySet());
            return IntStream.range(0, random.nextInt(3))
                    .mapToObj(ignored -> new Budget(
                            random.nextInt(2),
                            new HashSet<>(pods.stream()
                                    .filter(pod -> random.nextBoolean())
                                    .toList())))
                    .toList();
        }
    }
}
