package dev.fakegpu.cluster.preemption;

import dev.fakegpu.cluster.fit.NodeUsage;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.preemption.PreemptionOutcome;
import dev.fakegpu.engine.preemption.PreemptionProblem;
import dev.fakegpu.engine.preemption.PreemptionProblem.Candidate;
import dev.fakegpu.engine.preemption.PreemptionSearch;
import dev.fakegpu.engine.preemption.Victim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the pods that would have to be preempted, for one state of a cluster. Not thread-safe. */
public final class PreemptionFinder {

    private final Victims victims;
    private final NodeUsage usage;

    /** @param usage the usage by the same pods; a search changes it temporarily */
    public PreemptionFinder(OccupiedCluster cluster, NodeUsage usage) {
        victims = new Victims(cluster);
        this.usage = usage;
    }

    /** Whether any pod has a lower priority than this one. */
    public boolean isAnyLower(Pod pod) {
        return victims.all().stream().anyMatch(victim -> victim.priority() < Victims.priority(pod));
    }

    /**
     * Finds the pods that would have to be preempted for a pod; empty if preemption does not help, or if a limit was reached before that
     * was known. Candidates are pods of lower priority that are on a node or hold devices that the node can access.
     *
     * @param context the state of the devices that the pod requests
     * @param nodes in order of preference
     */
    public Optional<Preemption> find(
            Pod pod, Demand demand, AllocationContext context, List<SchedulableNode> nodes, SearchLimit limit) {
        var later = new AllocationContext(
                context.slices(),
                context.classes(),
                context.allocated().without(victims.ending(context.allocated().claims())),
                context.selectors(),
                context.options());
        return search(pod, demand, later, context.allocated(), victims.users(), nodes, limit);
    }

    /** Finds them for a scheduler that does not know that claims are released when pods go, such as kube-scheduler 1.37. */
    public Optional<Preemption> findKeepingClaims(
            Pod pod, Demand demand, AllocationContext context, List<SchedulableNode> nodes, SearchLimit limit) {
        return search(pod, demand, context, context.allocated(), Map.of(), nodes, limit);
    }

    private Optional<Preemption> search(
            Pod pod,
            Demand demand,
            AllocationContext context,
            AllocatedDevices held,
            Map<ClaimRef, Set<String>> users,
            List<SchedulableNode> nodes,
            SearchLimit limit) {
        List<Victim> lower = victims.all().stream()
                .filter(victim -> victim.priority() < Victims.priority(pod))
                .toList();
        var reach = new Reach(context, lower, this::nodes);
        List<Candidate> candidates = nodes.stream()
                .map(node -> new Candidate(node.devices(), demand.claims(node), reach.of(node.devices())))
                .toList();
        Map<String, SchedulableNode> byName =
                nodes.stream().collect(Collectors.toMap(SchedulableNode::name, Function.identity()));
        var problem = new PreemptionProblem(context, candidates, users, victims.budgets(), fit(demand, byName));
        PreemptionOutcome outcome = PreemptionSearch.find(problem, limit);
        if (outcome instanceof PreemptionOutcome.Found found) {
            return Optional.of(preemption(found, held));
        }
        return outcome instanceof PreemptionOutcome.NotNeeded place
                ? Optional.of(new Preemption(
                        place.node(),
                        List.of(),
                        ending(place.node(), place.allocations(), held),
                        0,
                        place.allocations()))
                : Optional.empty();
    }

    private Stream<String> nodes(Victim victim) {
        return victim.pods().stream()
                .map(member -> victims.pod(member.uid()).getSpec().getNodeName());
    }

    private PreemptionProblem.Fit fit(Demand demand, Map<String, SchedulableNode> nodes) {
        return new PreemptionProblem.Fit() {
            @Override
            public boolean fits(NodeInfo info, Set<String> gone) {
                SchedulableNode node = Objects.requireNonNull(nodes.get(info.name()));
                return isSoWithout(gone, node, () -> demand.fits(node));
            }

            @Override
            public boolean fitsWith(NodeInfo info, Set<String> gone, List<Allocation> found) {
                SchedulableNode node = Objects.requireNonNull(nodes.get(info.name()));
                return isSoWithout(gone, node, () -> demand.fitsWith(node, found));
            }
        };
    }

    private boolean isSoWithout(Set<String> gone, SchedulableNode node, BooleanSupplier question) {
        List<Pod> absent = Stream.concat(gone.stream().map(victims::pod), victims.endingOn(node.name()))
                .toList();
        return usage.holdsWithout(absent, question);
    }

    /** Devices depend only on other devices in their pools. */
    private List<Pod> ending(String node, Map<ClaimRef, Allocation> allocations, AllocatedDevices held) {
        Set<PoolId> pools = allocations.values().stream()
                .flatMap(allocation -> allocation.results().stream())
                .map(result -> result.device().poolId())
                .collect(Collectors.toSet());
        return Stream.concat(
                        victims.endingOn(node),
                        victims.endingWith(claim -> held.ofClaim(claim).stream()
                                .anyMatch(device -> pools.contains(device.id().poolId()))))
                .distinct()
                .toList();
    }

    private Preemption preemption(PreemptionOutcome.Found found, AllocatedDevices held) {
        return new Preemption(
                found.node(),
                found.victims().stream()
                        .flatMap(victim -> victim.pods().stream())
                        .map(member -> victims.pod(member.uid()))
                        .toList(),
                ending(found.node(), found.allocations(), held),
                found.violations(),
                found.allocations());
    }
}
