package dev.fakegpu.engine.gang;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The members that have been placed so far, with their nodes and devices. Not thread-safe. */
final class GangState {

    private final GangProblem problem;
    private final SearchLimit limit;
    private final AllocatedDevices allocated;
    private final Allocator allocator;
    private final List<OnNode> nodes;
    private final Map<Integer, Integer> nodeOf = new TreeMap<>();

    /** The allocated devices of all nodes. */
    private final Map<ClaimRef, Allocation> all = new HashMap<>();

    /** The members on a node, in the order in which they were placed, and the claims that were allocated there. */
    record OnNode(List<Integer> members, Map<ClaimRef, Allocation> allocations) {
        private static final OnNode NOTHING = new OnNode(List.of(), Map.of());
    }

    GangState(GangProblem problem, SearchLimit limit) {
        this.problem = problem;
        this.limit = limit;
        AllocationContext context = problem.context();
        allocated = context.allocated().without(Set.of());
        allocator = new Allocator(new AllocationContext(
                context.slices(), context.classes(), allocated, context.selectors(), context.options()));
        nodes = new ArrayList<>(Stream.generate(() -> OnNode.NOTHING)
                .limit(problem.nodes().size())
                .toList());
    }

    OnNode on(int node) {
        return nodes.get(node);
    }

    /**
     * Places a member on a node. The members that are already there may get other devices.
     *
     * @return the previous state, for {@link #restore}; null if the member does not fit
     * @throws GangException if an error or limit ends the search
     */
    @Nullable OnNode add(int member, int node) {
        OnNode before = on(node);
        List<Claim> claims = claims(member, node);
        if (!fits(member, node, before.members()) || !canReach(claims, node)) {
            return null;
        }
        Map<ClaimRef, Allocation> allocations = beside(before, claims, node);
        if (allocations == null && !before.members().isEmpty()) {
            allocations = together(before, claims, node);
        }
        if (allocations == null) {
            return null;
        }
        List<Integer> members = joined(before.members(), member);
        set(node, new OnNode(members, allocations));
        if (!problem.fit().admits(node, members, all)) {
            restore(member, node, before);
            return null;
        }
        return before;
    }

    private List<Claim> claims(int member, int node) {
        return problem.members().get(member).claims().apply(node);
    }

    private boolean fits(int member, int node, List<Integer> beside) {
        GangProblem.Fit fit = problem.fit();
        return fit.dependsOnOthers()
                ? fit.fitsWith(member, node, Collections.unmodifiableMap(nodeOf))
                : fit.fits(member, node, beside);
    }

    /** Takes back the member that came last to a node. */
    void restore(int member, int node, OnNode before) {
        nodeOf.remove(member);
        set(node, before);
    }

    /** Whether the node can use the claims that already have devices, such as those of a group. */
    private boolean canReach(List<Claim> claims, int node) {
        return claims.stream().allMatch(claim -> {
            Allocation allocation = all.get(claim.ref());
            return allocation == null || on(node).allocations().containsKey(claim.ref()) || reaches(allocation, node);
        });
    }

    private boolean reaches(Allocation allocation, int node) {
        NodeInfo info = problem.nodes().get(node);
        return allocation.nodeSelector() == null || allocation.nodeSelector().matches(info.name(), info.labels());
    }

    private @Nullable Map<ClaimRef, Allocation> beside(OnNode before, List<Claim> claims, int node) {
        List<Claim> missing =
                claims.stream().filter(claim -> !all.containsKey(claim.ref())).toList();
        Map<ClaimRef, Allocation> more = allocate(missing, node);
        if (more == null) {
            return null;
        }
        var both = new HashMap<>(before.allocations());
        both.putAll(more);
        return both;
    }

    /** Allocates all claims of a node again, since the devices of the first member may be needed for the last one. */
    private @Nullable Map<ClaimRef, Allocation> together(OnNode before, List<Claim> claims, int node) {
        Map<ClaimRef, Claim> anew = new LinkedHashMap<>();
        Stream.concat(before.members().stream().map(member -> claims(member, node)), Stream.of(claims))
                .flatMap(List::stream)
                .filter(claim ->
                        !all.containsKey(claim.ref()) || before.allocations().containsKey(claim.ref()))
                .forEach(claim -> anew.put(claim.ref(), claim));
        set(node, new OnNode(before.members(), Map.of()));
        Map<ClaimRef, Allocation> allocations = allocate(List.copyOf(anew.values()), node);
        set(node, before);
        return allocations != null && areReachedByOthers(allocations, node) ? allocations : null;
    }

    private boolean areReachedByOthers(Map<ClaimRef, Allocation> allocations, int node) {
        return nodeOf.entrySet().stream()
                .filter(entry -> entry.getValue() != node)
                .allMatch(entry -> claims(entry.getKey(), entry.getValue()).stream()
                        .flatMap(claim -> Stream.ofNullable(allocations.get(claim.ref())))
                        .allMatch(allocation -> reaches(allocation, entry.getValue())));
    }

    private @Nullable Map<ClaimRef, Allocation> allocate(List<Claim> claims, int node) {
        Outcome outcome = allocator.allocate(problem.nodes().get(node), claims, limit);
        if (outcome instanceof Outcome.Aborted aborted) {
            throw new GangException(new GangOutcome.Aborted(aborted.message()));
        }
        if (outcome instanceof Outcome.Failed failed && outcome.isFatal()) {
            throw new GangException(new GangOutcome.Failed(failed.message()));
        }
        if (!(outcome instanceof Outcome.Allocated found)) {
            return null;
        }
        Map<ClaimRef, Allocation> allocations = new HashMap<>();
        for (int i = 0; i < claims.size(); i++) {
            allocations.put(claims.get(i).ref(), found.allocations().get(i));
        }
        return allocations;
    }

    private void set(int node, OnNode now) {
        on(node).allocations().keySet().forEach(claim -> {
            allocated.replace(claim, List.of());
            all.remove(claim);
        });
        now.allocations().forEach((claim, allocation) -> {
            allocated.replace(claim, allocation.heldBy(claim));
            all.put(claim, allocation);
        });
        now.members().forEach(member -> nodeOf.put(member, node));
        nodes.set(node, now);
    }

    private static List<Integer> joined(List<Integer> members, int member) {
        return Stream.concat(members.stream(), Stream.of(member)).toList();
    }

    GangOutcome.Places places() {
        Map<Integer, String> names = new TreeMap<>();
        nodeOf.forEach(
                (member, node) -> names.put(member, problem.nodes().get(node).name()));
        return new GangOutcome.Places(names, all);
    }
}
