package dev.fakegpu.engine.preemption;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.preemption.PreemptionProblem.Candidate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A node without some of the victims, where the claims that are then unused are released. Not thread-safe. */
final class OccupiedNode {

    private final PreemptionProblem problem;
    private final Candidate node;
    private final SearchLimit limit;
    private final AllocatedDevices allocated;
    private final Allocator allocator;
    private final Set<String> gone = new HashSet<>();
    private final Map<ClaimRef, List<AllocatedDevice>> released = new HashMap<>();
    private List<Allocation> last = List.of();
    private @Nullable String aborted;

    OccupiedNode(PreemptionProblem problem, Candidate node, SearchLimit limit) {
        this.problem = problem;
        this.node = node;
        this.limit = limit;
        AllocationContext context = problem.context();
        // Copies only the relevant part of the state, since there are thousands of nodes.
        allocated = context.allocated()
                .ofPools(context.slices().pools(node.node()).stream()
                        .map(Pool::id)
                        .toList());
        allocator = new Allocator(new AllocationContext(
                context.slices(), context.classes(), allocated, context.selectors(), context.options()));
    }

    void remove(Victim victim) {
        for (Victim.Member pod : victim.pods()) {
            gone.add(pod.uid());
            pod.claims().stream().filter(this::isUnused).forEach(claim -> {
                released.putIfAbsent(claim, allocated.ofClaim(claim));
                allocated.replace(claim, List.of());
            });
        }
    }

    private boolean isUnused(ClaimRef claim) {
        Set<String> users = problem.users().get(claim);
        return users != null && gone.containsAll(users);
    }

    void restore(Victim victim) {
        for (Victim.Member pod : victim.pods()) {
            gone.remove(pod.uid());
            pod.claims().forEach(claim -> {
                List<AllocatedDevice> devices = released.remove(claim);
                if (devices != null) {
                    allocated.replace(claim, devices);
                }
            });
        }
    }

    /** Whether the waiting pod fits. Also false once a limit was reached. */
    boolean isFree() {
        if (aborted != null || !problem.fit().fits(node.node(), gone)) {
            return false;
        }
        Outcome outcome = allocator.allocate(node.node(), node.claims(), limit);
        if (outcome instanceof Outcome.Aborted early) {
            aborted = early.message();
        }
        if (!(outcome instanceof Outcome.Allocated found)
                || !problem.fit().fitsWith(node.node(), gone, found.allocations())) {
            return false;
        }
        last = found.allocations();
        return true;
    }

    /** The allocations that the waiting pod would have had when it last fit. */
    Map<ClaimRef, Allocation> allocations() {
        Map<ClaimRef, Allocation> byClaim = new HashMap<>();
        for (int i = 0; i < last.size(); i++) {
            byClaim.put(node.claims().get(i).ref(), last.get(i));
        }
        return byClaim;
    }

    Optional<String> aborted() {
        return Optional.ofNullable(aborted);
    }
}
