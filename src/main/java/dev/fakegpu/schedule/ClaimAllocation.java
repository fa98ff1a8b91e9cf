package dev.fakegpu.schedule;

import dev.fakegpu.allocate.ClusterState;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.stream.Collectors;

/** Claims that want to be allocated without a pod: they, or their namespace, carry the label {@link Labels#ALLOCATE}. */
final class ClaimAllocation {

    /** The spec of a claim never changes, so only the cluster around it can make another attempt worthwhile. */
    private static final String VERSION = "";

    private final ClusterWatch cluster;
    private final Placer placer;
    private final ClaimWriter claims;
    private final EventRecorder events;
    private final Attempts attempts;

    ClaimAllocation(ClusterWatch cluster, Placer placer, ClaimWriter claims, EventRecorder events, Attempts attempts) {
        this.cluster = cluster;
        this.placer = placer;
        this.claims = claims;
        this.events = events;
        this.attempts = attempts;
    }

    /** Oldest first. */
    List<ResourceClaim> waiting() {
        return cluster.claims().list().stream()
                .filter(claim -> claim.getMetadata().getDeletionTimestamp() == null)
                .filter(claim -> !Allocations.isAllocated(claim))
                .filter(this::isAskedFor)
                .sorted(CompanionView.oldestFirst())
                .toList();
    }

    /** A label on the claim itself, whatever its value, wins over one on the namespace. */
    private boolean isAskedFor(ResourceClaim claim) {
        String own = CompanionView.labels(claim).get(Labels.ALLOCATE);
        if (own != null) {
            return own.equals("true");
        }
        return cluster.namespaces()
                .get(null, claim.getMetadata().getNamespace())
                .filter(namespace ->
                        "true".equals(CompanionView.labels(namespace).get(Labels.ALLOCATE)))
                .isPresent();
    }

    void decide(ResourceClaim claim, CompanionView.Picture picture) {
        String uid = claim.getMetadata().getUid();
        if (!attempts.isWorthwhile(uid, VERSION)) {
            return;
        }
        var state = picture.state();
        var nodes = picture.nodes().stream()
                .filter(node -> NodeFit.problem(node, null).isEmpty())
                .toList();
        var wanted = List.of(ClaimReader.read(claim));
        placer.place(state, nodes, wanted)
                .map(placement -> placement.allocations().get(0))
                .ifPresentOrElse(allocation -> allocate(claim, allocation, state), () -> {
                    refuse(claim, state, nodes, wanted);
                    attempts.failed(uid, VERSION, picture.change());
                });
    }

    private void allocate(ResourceClaim claim, Allocation allocation, ClusterState state) {
        var allocated = claims.allocate(claim, allocation, state, null);
        events.normal(allocated, EventReason.Allocated, describe(allocation));
    }

    private void refuse(ResourceClaim claim, ClusterState state, List<Node> nodes, List<Claim> wanted) {
        var explanation = placer.explain(state, nodes, wanted);
        events.warning(claim, EventReason.NotAllocated, explanation.sentence());
        claims.explain(claim, explanation.reason() + ": " + explanation.sentence());
    }

    private static String describe(Allocation allocation) {
        return allocation.results().stream()
                .map(result -> "request \"%s\": %s of pool %s"
                        .formatted(
                                result.request(),
                                result.device().device(),
                                result.device().pool()))
                .collect(Collectors.joining("; "));
    }
}
