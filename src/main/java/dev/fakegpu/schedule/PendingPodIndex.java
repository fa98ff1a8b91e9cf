package dev.fakegpu.schedule;

import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Which pods wait for the companion, and which of them are concerned when a claim changes. For one thread. */
final class PendingPodIndex {

    private final AssumeCache ledger;
    private final SchedulingQueue queue;
    private final Responsibility waiters;

    /** @param version of everything about the pod and its claims that can make a difference for it */
    private record Waiting(QueueItem item, List<String> claims, String version) {}

    private final Map<String, Waiting> byName = new HashMap<>();
    private final Map<String, Set<String>> byClaim = new HashMap<>();
    private final Set<String> inFlight = new HashSet<>();

    PendingPodIndex(AssumeCache ledger, SchedulingQueue queue, Responsibility waiters) {
        this.ledger = ledger;
        this.queue = queue;
        this.waiters = waiters;
    }

    void changed(String namespace, String name) {
        String key = namespace + "/" + name;
        Optional<Pod> pod = waiters.pod(namespace, name);
        Waiting before = byName.get(key);
        if (before != null
                && (pod.isEmpty()
                        || !pod.get()
                                .getMetadata()
                                .getUid()
                                .equals(before.item().uid()))) {
            remove(key, before);
            before = null;
        }
        if (pod.isPresent()) {
            var claims = waiters.claims(pod.get());
            var now = new Waiting(QueueItem.of(pod.get()), PodClaims.names(pod.get()), version(pod.get(), claims));
            if (before == null || !before.version().equals(now.version())) {
                add(key, now);
            }
        }
    }

    void claimChanged(String namespace, String claim) {
        List.copyOf(byClaim.getOrDefault(namespace + "/" + claim, Set.of())).forEach(pod -> changed(namespace, pod));
    }

    /** A decision about the pod is being written: until that has ended, nothing else is decided about it. */
    void writing(QueueItem item) {
        inFlight.add(item.uid());
    }

    void written(QueueItem item) {
        inFlight.remove(item.uid());
    }

    /**
     * A decision about the pod rests on this. What counts for the next one is whether that changes, and not what the last event said,
     * which may have been older.
     */
    void looksAt(QueueItem item, Pod pod, PodClaims claims) {
        String key = item.namespace() + "/" + item.name();
        Waiting before = byName.get(key);
        if (before != null && before.item().uid().equals(item.uid())) {
            put(key, new Waiting(before.item(), PodClaims.names(pod), version(pod, claims)));
        }
    }

    private void add(String key, Waiting now) {
        put(key, now);
        if (!inFlight.contains(now.item().uid())) {
            queue.activate(now.item());
        }
    }

    private void put(String key, Waiting now) {
        Waiting before = byName.put(key, now);
        if (before != null) {
            unindex(before);
        }
        now.claims()
                .forEach(claim -> byClaim.computeIfAbsent(
                                now.item().namespace() + "/" + claim, ignored -> new HashSet<>())
                        .add(now.item().name()));
    }

    private void remove(String key, Waiting before) {
        byName.remove(key);
        unindex(before);
        queue.remove(before.item().uid());
    }

    private void unindex(Waiting before) {
        for (String claim : before.claims()) {
            byClaim.computeIfPresent(before.item().namespace() + "/" + claim, (key, pods) -> {
                pods.remove(before.item().name());
                return pods.isEmpty() ? null : pods;
            });
        }
    }

    private String version(Pod pod, PodClaims claims) {
        return Objects.requireNonNullElse(pod.getMetadata().getGeneration(), 0L)
                + claims.claims().stream().map(this::version).collect(Collectors.joining(",", ":", ":"))
                + claims.waitingFor();
    }

    private String version(ResourceClaim claim) {
        var metadata = claim.getMetadata();
        int reservations = claim.getStatus() == null
                ? 0
                : claim.getStatus().getReservedFor().size();
        return metadata.getUid()
                + Allocations.isAllocated(claim)
                + (metadata.getDeletionTimestamp() != null)
                + (reservations >= PreFilter.MOST_RESERVATIONS)
                + ledger.isAssumed(metadata.getUid())
                + BindingConditions.areMet(claim)
                + BindingConditions.failure(claim);
    }
}
