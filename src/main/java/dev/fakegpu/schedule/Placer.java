package dev.fakegpu.schedule;

import dev.fakegpu.allocate.Allocator;
import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.ClusterState;
import dev.fakegpu.allocate.Holdings;
import dev.fakegpu.allocate.Limit;
import dev.fakegpu.allocate.Outcome;
import dev.fakegpu.allocate.SliceIndex;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.explain.Explainer;
import dev.fakegpu.explain.Explanation;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Asks the allocator for one node after the other, and the explainer where none will do. */
final class Placer {

    /** As long as kube-scheduler gives its plugin for all nodes of a pod. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(10);

    private final Selectors selectors;
    private final AllocatorOptions options;
    private List<Slice> indexed = List.of();
    private SliceIndex slices;

    Placer(Selectors selectors, AllocatorOptions options) {
        this.selectors = selectors;
        this.options = options;
        slices = new SliceIndex(indexed, options);
    }

    /**
     * Where claims go.
     *
     * @param allocations one for each claim, in the claims' order
     */
    record Placement(String node, List<Allocation> allocations) {}

    /** The first node on which everything can be allocated. */
    Optional<Placement> place(ClusterState state, List<Node> nodes, List<Claim> claims) {
        var allocator = new Allocator(index(state), state.classes(), holdings(state), selectors, options);
        Limit limit = Limit.of(TIME_LIMIT, System::nanoTime);
        for (Node node : nodes) {
            Outcome outcome = allocator.allocate(read(node), claims, limit);
            if (outcome instanceof Outcome.Allocated allocated) {
                return Optional.of(new Placement(node.getMetadata().getName(), allocated.allocations()));
            }
            if (endsAttempt(outcome)) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static boolean endsAttempt(Outcome outcome) {
        return outcome instanceof Outcome.Aborted
                || outcome instanceof Outcome.Failed failed && failed.scope() == Outcome.Scope.FATAL;
    }

    /** Why there is no placement. */
    Explanation explain(ClusterState state, List<Node> nodes, List<Claim> claims) {
        return new Explainer(index(state), state.classes(), holdings(state), selectors, options)
                .explain(nodes.stream().map(Placer::read).toList(), claims);
    }

    private Holdings holdings(ClusterState state) {
        return new Holdings(state.allocated(), options.groupPolicy());
    }

    /** What was put together from slices is kept for as long as they are the same. */
    private SliceIndex index(ClusterState state) {
        if (!sameObjects(state.slices(), indexed)) {
            slices = slices.update(state.slices());
            indexed = state.slices();
        }
        return slices;
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean sameObjects(List<Slice> left, List<Slice> right) {
        return left.size() == right.size()
                && IntStream.range(0, left.size()).allMatch(i -> left.get(i) == right.get(i));
    }

    private static dev.fakegpu.allocate.Node read(Node node) {
        var status = node.getStatus();
        return new dev.fakegpu.allocate.Node(
                node.getMetadata().getName(),
                CompanionView.labels(node),
                status == null || status.getDeclaredFeatures() == null
                        ? Set.of()
                        : Set.copyOf(status.getDeclaredFeatures()));
    }
}
