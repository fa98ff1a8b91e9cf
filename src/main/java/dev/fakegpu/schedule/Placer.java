package dev.fakegpu.schedule;

import dev.fakegpu.allocate.Allocator;
import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.ClusterState;
import dev.fakegpu.allocate.Outcome;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.explain.Explainer;
import dev.fakegpu.explain.Explanation;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import java.util.Optional;

/** Asks the allocator for one node after the other, and the explainer where none will do. */
final class Placer {

    private final Selectors selectors;
    private final AllocatorOptions options;

    Placer(Selectors selectors, AllocatorOptions options) {
        this.selectors = selectors;
        this.options = options;
    }

    /**
     * Where claims go.
     *
     * @param allocations one for each claim, in the claims' order
     */
    record Placement(String node, List<Allocation> allocations) {}

    /** The first node on which everything can be allocated. */
    Optional<Placement> place(ClusterState state, List<Node> nodes, List<Claim> claims) {
        var allocator = new Allocator(state, selectors, options);
        for (Node node : nodes) {
            Outcome outcome = allocator.allocate(read(node), claims);
            if (outcome instanceof Outcome.Allocated allocated) {
                return Optional.of(new Placement(node.getMetadata().getName(), allocated.allocations()));
            }
            if (outcome instanceof Outcome.Failed failed && failed.scope() == Outcome.Scope.FATAL) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Why there is no placement. */
    Explanation explain(ClusterState state, List<Node> nodes, List<Claim> claims) {
        return new Explainer(state, selectors, options)
                .explain(nodes.stream().map(Placer::read).toList(), claims);
    }

    private static dev.fakegpu.allocate.Node read(Node node) {
        return new dev.fakegpu.allocate.Node(node.getMetadata().getName(), CompanionView.labels(node));
    }
}
