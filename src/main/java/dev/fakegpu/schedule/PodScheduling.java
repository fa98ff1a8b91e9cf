package dev.fakegpu.schedule;

import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Pods that ask for {@link Labels#SCHEDULER_NAME}: a node is chosen, their claims are allocated and reserved, the pod is bound. */
final class PodScheduling {

    private final ClusterWatch cluster;
    private final Placer placer;
    private final ClaimWriter claims;
    private final PodWriter pods;
    private final Releases releases;
    private final EventRecorder events;
    private final Attempts attempts;

    PodScheduling(
            ClusterWatch cluster,
            Placer placer,
            ClaimWriter claims,
            PodWriter pods,
            Releases releases,
            EventRecorder events,
            Attempts attempts) {
        this.cluster = cluster;
        this.placer = placer;
        this.claims = claims;
        this.pods = pods;
        this.releases = releases;
        this.events = events;
        this.attempts = attempts;
    }

    /** Oldest first. */
    List<Pod> waiting() {
        return cluster.pods().list().stream()
                .filter(pod -> Labels.SCHEDULER_NAME.equals(pod.getSpec().getSchedulerName()))
                .filter(pod -> pod.getSpec().getNodeName() == null
                        || pod.getSpec().getNodeName().isEmpty())
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> pod.getSpec().getSchedulingGates().isEmpty())
                .sorted(CompanionView.oldestFirst())
                .toList();
    }

    void decide(Pod pod, CompanionView.Picture picture) {
        var podClaims = PodClaims.of(pod, cluster.claims());
        String uid = pod.getMetadata().getUid();
        String version = version(pod, podClaims);
        if (!attempts.isWorthwhile(uid, version)) {
            return;
        }
        schedule(pod, podClaims, picture).ifPresent(refusal -> {
            events.warning(pod, EventReason.FailedScheduling, refusal);
            pods.unschedulable(pod, refusal);
            attempts.failed(uid, version, picture.change());
        });
    }

    /** An unchanged pod with unchanged claims has nothing new to say for itself. */
    private static String version(Pod pod, PodClaims podClaims) {
        return pod.getMetadata().getGeneration()
                + podClaims.claims().stream()
                        .map(claim -> claim.getMetadata().getUid() + Allocations.isAllocated(claim))
                        .collect(Collectors.joining(",", ":", ":"))
                + podClaims.waitingFor();
    }

    /** @return why not; empty when the pod was bound */
    private Optional<String> schedule(Pod pod, PodClaims podClaims, CompanionView.Picture picture) {
        if (!podClaims.waitingFor().isEmpty()) {
            return Optional.of(String.join("; ", podClaims.waitingFor()));
        }
        var unallocated = podClaims.claims().stream()
                .filter(claim -> !Allocations.isAllocated(claim))
                .toList();
        var wanted = unallocated.stream().map(ClaimReader::read).toList();
        var candidates = new NodeCandidates(picture.nodes(), pod, podClaims.claims());
        var state = picture.state();
        var placement = placer.place(state, candidates.fitting(), wanted);
        if (placement.isEmpty()) {
            releases.giveUpOwnClaims(pod, podClaims);
            return Optional.of(
                    candidates.fitting().isEmpty()
                            ? candidates.summary()
                            : candidates.summary()
                                    + placer.explain(state, candidates.fitting(), wanted)
                                            .sentence());
        }
        for (int i = 0; i < unallocated.size(); i++) {
            claims.allocate(unallocated.get(i), placement.get().allocations().get(i), state, pod);
        }
        bind(pod, podClaims.claims(), placement.get().node());
        return Optional.empty();
    }

    private void bind(Pod pod, List<ResourceClaim> podClaims, String node) {
        podClaims.stream()
                .filter(Allocations::isAllocated)
                .filter(claim -> !PodClaims.isReservedFor(claim, pod))
                .forEach(claim -> claims.reserve(claim, pod));
        pods.bind(pod, node);
        events.normal(
                pod,
                EventReason.Scheduled,
                "Successfully assigned %s/%s to %s"
                        .formatted(
                                pod.getMetadata().getNamespace(),
                                pod.getMetadata().getName(),
                                node));
    }
}
