package dev.fakegpu.engine.gang;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
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
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The members that have been placed so far, with their nodes and devices. Not thread-safe. */
final class GangState {

    private final GangProblem problem;
    private final SearchLimit limit;
    private final @Nullable SearchLimit distributions;
    private final AllocatedDevices allocated;
    private final Allocator allocator;
    private final List<OnNode> nodes;
    private final Map<Integer, Integer> nodeOf = new TreeMap<>();

    /** The member that is being placed. */
    private int adding;

    /** The allocated devices of all nodes. */
    private final Map<ClaimRef, Allocation> all = new HashMap<>();

    /** The members on a node, in the order in which they were placed, and the claims that were allocated there. */
    record OnNode(List<Integer> members, Map<ClaimRef, Allocation> allocations) {
        private static final OnNode NOTHING = new OnNode(List.of(), Map.of());
    }

    /**
     * Creates the state without members.
     *
     * @param distributions the limit of {@link Distribution}; null if devices that several nodes can access are given to the first member
     *     that needs them
     */
    GangState(GangProblem problem, SearchLimit limit, @Nullable SearchLimit distributions) {
        this.problem = problem;
        this.limit = limit;
        this.distributions = problem.sharesDevices() ? distributions : null;
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
     * Places a member on a node. The members that are already there may get other devices, and so may those of other nodes if nodes share
     * devices.
     *
     * @return the previous state of the nodes that changed, for {@link #restore}; null if the member does not fit
     * @throws GangException if an error or limit ends the search
     */
    @Nullable Map<Integer, OnNode> add(int member, int node) {
        adding = member;
        OnNode before = on(node);
        if (!fits(member, node, before.members())) {
            return null;
        }
        List<Integer> members = joined(before.members(), member);
        Map<ClaimRef, Allocation> allocations = allocations(before, claims(member, node), node);
        if (allocations != null) {
            set(node, new OnNode(members, allocations));
            if (admits(node, members)) {
                return Map.of(node, before);
            }
            restore(member, Map.of(node, before));
        }
        return distributions == null ? null : distributed(member, node, distributions);
    }

    private @Nullable Map<ClaimRef, Allocation> allocations(OnNode before, List<Claim> claims, int node) {
        if (!canReach(claims, node)) {
            return null;
        }
        Map<ClaimRef, Allocation> allocations = beside(before, claims, node);
        return allocations == null && !before.members().isEmpty() ? together(before, claims, node) : allocations;
    }

    /** Chooses the devices of all members again. */
    private @Nullable Map<Integer, OnNode> distributed(int member, int node, SearchLimit distributions) {
        Map<Integer, List<Integer>> members = new LinkedHashMap<>(); // the node first that lacks devices
        members.put(node, joined(on(node).members(), member));
        nodeOf.values().forEach(each -> members.putIfAbsent(each, on(each).members()));
        if (members.size() == 1 || distributions.reached() != null) {
            return null; // before the claims of all members are released and held again
        }
        Map<Integer, OnNode> before = members.keySet().stream().collect(Collectors.toMap(each -> each, this::on));
        before.keySet().forEach(each -> set(each, OnNode.NOTHING));
        var found = new Distribution(this, problem, distributions, members).find();
        if (found == null) {
            restore(member, before);
            return null;
        }
        members.forEach((each, there) -> set(each, new OnNode(there, found.getOrDefault(each, Map.of()))));
        return before;
    }

    boolean admits(int node, List<Integer> members) {
        return problem.fit().admits(node, members, all);
    }

    List<Claim> claims(int member, int node) {
        return problem.members().get(member).claims().apply(node);
    }

    private boolean fits(int member, int node, List<Integer> beside) {
        GangProblem.Fit fit = problem.fit();
        return fit.dependsOnOthers()
                ? fit.fitsWith(member, node, Collections.unmodifiableMap(nodeOf))
                : fit.fits(member, node, beside);
    }

    /** Takes back the member that came last. */
    void restore(int member, Map<Integer, OnNode> before) {
        nodeOf.remove(member);
        before.keySet().forEach(node -> set(node, OnNode.NOTHING));
        before.forEach(this::set);
    }

    /** Whether the node can use the claims that already have devices, such as those of a group. */
    private boolean canReach(List<Claim> claims, int node) {
        return claims.stream().allMatch(claim -> {
            Allocation allocation = all.get(claim.ref());
            return allocation == null || on(node).allocations().containsKey(claim.ref()) || reaches(allocation, node);
        });
    }

    boolean reaches(Allocation allocation, int node) {
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

    /** @param withheld devices that the claims do not get */
    @Nullable Map<ClaimRef, Allocation> allocate(List<Claim> claims, int node, Set<DeviceId> withheld) {
        allocated.withhold(withheld);
        Map<ClaimRef, Allocation> allocations = allocate(claims, node);
        allocated.withhold(Set.of());
        return allocations;
    }

    private @Nullable Map<ClaimRef, Allocation> allocate(List<Claim> claims, int node) {
        Outcome outcome = allocator.allocate(problem.nodes().get(node), claims, limit);
        if (outcome instanceof Outcome.Aborted aborted) {
            throw new GangException(new GangOutcome.Aborted(aborted.message()));
        }
        if (outcome instanceof Outcome.Failed failed && outcome.isFatal()) {
            throw new GangException(new GangOutcome.Failed(adding, failed.message()));
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
        release(on(node).allocations().keySet());
        hold(now.allocations());
        now.members().forEach(member -> nodeOf.put(member, node));
        nodes.set(node, now);
    }

    void hold(Map<ClaimRef, Allocation> allocations) {
        allocations.forEach((claim, allocation) -> {
            allocated.replace(claim, allocation.heldBy(claim));
            all.put(claim, allocation);
        });
    }

    void release(Set<ClaimRef> claims) {
        claims.forEach(claim -> {
            allocated.replace(claim, List.of());
            all.remove(claim);
        });
    }

    Allocation allocation(ClaimRef claim) {
        return Objects.requireNonNull(all.get(claim));
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
