package dev.fakegpu.engine.gang;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.engine.allocate.SearchLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Distributes devices among members whose nodes are fixed. The claims of one node are allocated after those of another. If the devices that
 * one node gets leave too few for the nodes after it, it gets others: every distribution that serves all leaves out at least one of its
 * devices, so each of them is withheld in turn. With shares, only other devices are tried, not an alternative that takes less of the same
 * device.
 */
final class Distribution {

    private final GangState state;
    private final GangProblem problem;
    private final SearchLimit limit;
    private final Map<Integer, List<Integer>> members;
    private final List<Step> steps;

    /** Claims that are allocated at once, because the members that use them are on the same nodes. */
    private record Step(Set<Integer> nodes, List<Claim> claims) {
        int node() {
            return nodes.iterator().next();
        }
    }

    /**
     * @param state the state, in which no claim of the members holds devices
     * @param limit a limit of the number of allocations
     * @param members the members by node; the nodes are tried in this order
     */
    Distribution(GangState state, GangProblem problem, SearchLimit limit, Map<Integer, List<Integer>> members) {
        this.state = state;
        this.problem = problem;
        this.limit = limit;
        this.members = members;
        steps = steps();
    }

    private List<Step> steps() {
        Map<ClaimRef, Claim> claims = new LinkedHashMap<>();
        Map<ClaimRef, Set<Integer>> nodes = new HashMap<>();
        members.forEach((node, there) -> there.stream()
                .flatMap(member -> state.claims(member, node).stream())
                .forEach(claim -> {
                    claims.put(claim.ref(), claim);
                    nodes.computeIfAbsent(claim.ref(), ignored -> new TreeSet<>())
                            .add(node);
                }));
        Map<Set<Integer>, List<Claim>> byNodes = new LinkedHashMap<>();
        claims.forEach((ref, claim) -> byNodes.computeIfAbsent(
                        Objects.requireNonNull(nodes.get(ref)), ignored -> new ArrayList<>())
                .add(claim));
        return byNodes.entrySet().stream()
                .map(entry -> new Step(entry.getKey(), entry.getValue()))
                .toList();
    }

    /**
     * Allocates the claims of all members.
     *
     * @return the allocations, by a node that can use them; null if there are none, and then no claim holds devices
     */
    @Nullable Map<Integer, Map<ClaimRef, Allocation>> find() {
        if (!allocate(0)) {
            return null;
        }
        Map<Integer, Map<ClaimRef, Allocation>> found = new HashMap<>();
        for (Step step : steps) {
            Map<ClaimRef, Allocation> there = found.computeIfAbsent(step.node(), ignored -> new HashMap<>());
            step.claims().forEach(claim -> there.put(claim.ref(), state.allocation(claim.ref())));
        }
        return found;
    }

    private boolean allocate(int number) {
        if (number == steps.size()) {
            return members.entrySet().stream().allMatch(each -> state.admits(each.getKey(), each.getValue()));
        }
        Step step = steps.get(number);
        Set<DeviceId> outOfReach = step.nodes().stream()
                .flatMap(other -> problem.outOfReach(step.node(), other))
                .collect(Collectors.toSet());
        return allocate(number, outOfReach, new HashSet<>());
    }

    /** @param tried the sets of devices that were withheld before; this one is added */
    private boolean allocate(int number, Set<DeviceId> withheld, Set<Set<DeviceId>> tried) {
        if (!tried.add(withheld) || limit.reached() != null) {
            return false;
        }
        Step step = steps.get(number);
        Map<ClaimRef, Allocation> found = state.allocate(step.claims(), step.node(), withheld);
        if (found == null) {
            return false;
        }
        if (found.values().stream().allMatch(allocation -> isReached(allocation, step.nodes()))) {
            state.hold(found);
            if (allocate(number + 1)) {
                return true;
            }
            state.release(found.keySet());
        }
        return found.values().stream()
                .flatMap(allocation -> allocation.results().stream())
                .map(result -> result.device())
                .filter(device -> step.nodes().size() > 1 || problem.isShared(device.poolId(), step.node()))
                .anyMatch(device -> allocate(number, joined(withheld, device), tried));
    }

    private boolean isReached(Allocation allocation, Set<Integer> nodes) {
        return nodes.stream().allMatch(node -> state.reaches(allocation, node));
    }

    private static Set<DeviceId> joined(Set<DeviceId> devices, DeviceId more) {
        return Stream.concat(devices.stream(), Stream.of(more)).collect(Collectors.toSet());
    }
}
