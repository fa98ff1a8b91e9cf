package dev.fakegpu.explain;

import dev.fakegpu.allocate.Allocator;
import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.ClusterState;
import dev.fakegpu.allocate.Node;
import dev.fakegpu.allocate.Outcome;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.ExactRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Explains why claims cannot be allocated. It asks the allocator again, in parts and without some of the holders, so it is for use
 * after a failure, not on the way to an allocation. Not for use by several threads.
 */
public final class Explainer {

    /** {@code AllocationResultsMaxSize} of {@code resource.k8s.io/v1}. */
    private static final int MAX_DEVICES = 32;

    private static final int MAX_TRIED_HOLDERS = 8;

    private final ClusterState state;
    private final Selectors selectors;
    private final AllocatorOptions options;

    public Explainer(ClusterState state, Selectors selectors, AllocatorOptions options) {
        this.state = state;
        this.selectors = selectors;
        this.options = options;
    }

    /**
     * Explains why none of the nodes can serve the claims.
     *
     * @param nodes those that were tried
     * @param claims those of a pod that have no allocation yet
     */
    public Explanation explain(List<Node> nodes, List<Claim> claims) {
        return claims.stream()
                .flatMap(claim -> wrongByItself(claim).stream())
                .findFirst()
                .orElseGet(() -> explainNodes(nodes, claims));
    }

    private Optional<Explanation> wrongByItself(Claim claim) {
        long devices = 0;
        for (ExactRequest request : claim.requests().stream()
                .map(each -> java.util.Objects.requireNonNull(each.exactly()))
                .toList()) {
            String name = "request \"" + request.name() + "\" of " + claim.ref();
            if (!state.classes().containsKey(request.deviceClassName())) {
                return Optional.of(onEveryNode(
                        Reason.ClassNotFound,
                        request.deviceClassName().isEmpty()
                                ? name + " names no device class"
                                : name + " is for device class \"" + request.deviceClassName()
                                        + "\", which does not exist"));
            }
            if (request.count() > MAX_DEVICES - devices) {
                return Optional.of(onEveryNode(
                        Reason.TooManyDevices,
                        name + " is for " + request.count() + " devices" + (devices > 0 ? " after " + devices : "")
                                + "; a claim can have " + MAX_DEVICES));
            }
            devices += request.count();
        }
        return Optional.empty();
    }

    private static Explanation onEveryNode(Reason reason, String sentence) {
        return new Explanation(reason, Sentence.bounded(sentence), List.of());
    }

    private Explanation explainNodes(List<Node> nodes, List<Claim> claims) {
        var inspector = new NodeInspector(state, selectors, options);
        var findings = new ArrayList<Finding>();
        for (Node node : nodes) {
            List<Finding> ofNode = inspector.inspect(node, claims);
            if (ofNode.isEmpty()) {
                return new Explanation(Reason.Allocatable, "nothing is in the way on " + node.name(), List.of());
            }
            findings.addAll(ofNode);
        }
        if (findings.isEmpty()) {
            return onEveryNode(Reason.NoDevices, "there is no node to take devices from");
        }
        Finding chosen =
                findings.stream().min(Comparator.comparing(Finding::reason)).orElseThrow();
        List<ClaimRef> toRelease = nodes.stream()
                .filter(node -> node.name().equals(chosen.node()))
                .findFirst()
                .map(node -> toRelease(node, claims, chosen))
                .orElse(List.of());
        String sentence = new Sentence(nodes.size(), claims.size()).write(chosen, findings, toRelease);
        return new Explanation(chosen.alongside().isEmpty() ? chosen.reason() : Reason.NotTogether, sentence, findings);
    }

    /** One claim, or else all those in the way of the chosen device, or of any, whose devices would make room on the node. */
    private List<ClaimRef> toRelease(Node node, List<Claim> claims, Finding finding) {
        List<ClaimRef> all = others(finding.stopped());
        var candidates = new ArrayList<List<ClaimRef>>();
        all.forEach(holder -> candidates.add(List.of(holder)));
        candidates.add(others(finding.stopped().stream().limit(1).toList()));
        candidates.add(all);
        return candidates.stream()
                .filter(holders -> !holders.isEmpty() && fitsWithout(Set.copyOf(holders), node, claims))
                .findFirst()
                .orElse(List.of());
    }

    private static List<ClaimRef> others(List<Finding.Stopped> stopped) {
        return stopped.stream()
                .flatMap(device -> device.obstacle().holders().stream())
                .filter(Holder::isOther)
                .map(Holder::claim)
                .distinct()
                .limit(MAX_TRIED_HOLDERS)
                .toList();
    }

    private boolean fitsWithout(Set<ClaimRef> holders, Node node, List<Claim> claims) {
        List<AllocatedDevice> rest = state.allocated().stream()
                .filter(device -> !holders.contains(device.holder()))
                .toList();
        var without = new ClusterState(state.slices(), state.classes(), rest);
        return new Allocator(without, selectors, options).allocate(node, claims) instanceof Outcome.Allocated;
    }
}
