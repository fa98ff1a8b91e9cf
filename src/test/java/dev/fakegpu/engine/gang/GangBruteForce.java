package dev.fakegpu.engine.gang;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Tries every node for every member and every device for every claim, without using the allocator. */
final class GangBruteForce {

    private final RandomGang gang;
    private final GangProblem problem;
    private final int[] nodeOf;
    private int most;

    private GangBruteForce(RandomGang gang) {
        this.gang = gang;
        problem = gang.problem();
        nodeOf = new int[problem.members().size()];
    }

    /** The maximum number of members that can be placed at the same time. */
    static int most(RandomGang gang) {
        var all = new GangBruteForce(gang);
        all.tryFrom(0, 0);
        return all.most;
    }

    /** The errors in places; empty if there are none. */
    static List<String> mistakes(RandomGang gang, GangOutcome.Places places) {
        var one = new GangBruteForce(gang);
        for (int member = 0; member < one.nodeOf.length; member++) {
            String node = places.nodes().get(member);
            one.nodeOf[member] = node == null ? -1 : names(gang).indexOf(node);
        }
        var mistakes = new ArrayList<String>();
        if (!one.areNodesRight()) {
            mistakes.add("wrong nodes: " + places.nodes());
        }
        Map<Claim, Set<Integer>> users = one.users();
        var given = new LinkedHashMap<Claim, List<DeviceId>>();
        users.keySet()
                .forEach(claim -> given.put(
                        claim,
                        Objects.requireNonNull(places.allocations().get(claim.ref())).results().stream()
                                .map(result -> result.device())
                                .toList()));
        given.forEach((claim, devices) -> {
            if (devices.size() != count(claim)
                    || !one.candidates(claim, users.get(claim)).containsAll(devices)) {
                mistakes.add(claim.ref() + " has " + devices);
            }
        });
        if (!one.canBeHeld(given.values().stream().flatMap(List::stream).toList())) {
            mistakes.add("held together: " + given.values());
        }
        return mistakes;
    }

    private static List<String> names(RandomGang gang) {
        return gang.problem().nodes().stream().map(node -> node.name()).toList();
    }

    private void tryFrom(int member, int placed) {
        if (placed + nodeOf.length - member <= most) {
            return;
        }
        if (member == nodeOf.length) {
            Map<Claim, Set<Integer>> users = users();
            if (areNodesRight() && canAllocate(new ArrayList<>(users.keySet()), users, List.of())) {
                most = placed;
            }
            return;
        }
        for (int node = 0; node < problem.nodes().size(); node++) {
            nodeOf[member] = node;
            tryFrom(member + 1, placed + 1);
        }
        nodeOf[member] = -1;
        tryFrom(member + 1, placed);
    }

    private boolean areNodesRight() {
        var counts = new HashMap<Integer, Integer>();
        var racks = new HashSet<String>();
        for (int node : nodeOf) {
            if (node >= 0) {
                counts.merge(node, 1, Integer::sum);
                racks.add(String.valueOf(problem.nodes().get(node).labels().get(RandomGang.RACK)));
            }
        }
        return counts.entrySet().stream()
                        .allMatch(each -> each.getValue() <= gang.pods().get(each.getKey()))
                && (problem.topology().isEmpty() || (racks.size() <= 1 && !racks.contains("null")));
    }

    /** The nodes of the placed pods, by claim. */
    private Map<Claim, Set<Integer>> users() {
        var users = new LinkedHashMap<Claim, Set<Integer>>();
        for (int member = 0; member < nodeOf.length; member++) {
            for (Claim claim : problem.members().get(member).claims().apply(0)) {
                if (nodeOf[member] >= 0) {
                    users.computeIfAbsent(claim, ignored -> new TreeSet<>()).add(nodeOf[member]);
                }
            }
        }
        return users;
    }

    private boolean canAllocate(List<Claim> claims, Map<Claim, Set<Integer>> users, List<DeviceId> held) {
        if (!canBeHeld(held)) {
            return false;
        }
        if (claims.isEmpty()) {
            return true;
        }
        Claim claim = claims.get(0);
        List<DeviceId> candidates = candidates(claim, Objects.requireNonNull(users.get(claim)));
        List<Claim> rest = claims.subList(1, claims.size());
        for (int one = 0; one < candidates.size(); one++) {
            if (count(claim) == 1) {
                if (canAllocate(rest, users, joined(held, candidates.get(one)))) {
                    return true;
                }
                continue;
            }
            for (int two = one + 1; two < candidates.size(); two++) {
                if (canAllocate(rest, users, joined(joined(held, candidates.get(one)), candidates.get(two)))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<DeviceId> joined(List<DeviceId> devices, DeviceId more) {
        var all = new ArrayList<>(devices);
        all.add(more);
        return all;
    }

    private static ExactRequest request(Claim claim) {
        return Objects.requireNonNull(claim.requests().get(0).exactly());
    }

    private static long count(Claim claim) {
        return request(claim).count();
    }

    private List<DeviceId> candidates(Claim claim, Set<Integer> nodes) {
        String wanted = request(claim).deviceClassName();
        var found = new ArrayList<DeviceId>();
        for (Slice slice : gang.slices()) {
            boolean reaches = !(slice.nodes() instanceof NodeSelection.NodeName only)
                    || nodes.stream()
                            .allMatch(node -> problem.nodes().get(node).name().equals(only.name()));
            for (Device device : slice.devices()) {
                String kind = String.valueOf(device.attributes().get("kind"));
                if (reaches && (kind.equals(wanted) || (wanted.equals("any") && !kind.equals("net")))) {
                    found.add(slice.pool().device(device.name()));
                }
            }
        }
        return found;
    }

    private boolean canBeHeld(List<DeviceId> held) {
        if (new HashSet<>(held).size() < held.size()) {
            return false;
        }
        var units = new HashMap<String, Long>();
        var groups = new HashMap<String, Set<List<String>>>();
        for (Slice slice : gang.slices()) {
            for (Device device : slice.devices()) {
                if (held.contains(slice.pool().device(device.name()))) {
                    for (CounterConsumption each : device.consumesCounters()) {
                        units.merge(
                                slice.pool().name(),
                                each.counters().get("units").value().longValue(),
                                Long::sum);
                        groups.computeIfAbsent(slice.pool().name(), ignored -> new HashSet<>())
                                .add(each.compatibilityGroups());
                    }
                }
            }
        }
        return units.values().stream().allMatch(sum -> sum <= 2)
                && groups.values().stream().allMatch(each -> each.size() == 1);
    }
}
