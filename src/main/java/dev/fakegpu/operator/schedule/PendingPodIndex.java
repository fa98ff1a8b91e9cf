package dev.fakegpu.operator.schedule;

import dev.fakegpu.cluster.fit.BindingConditions;
import dev.fakegpu.cluster.fit.ClaimProblems;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.schedule.cache.AssumeCache;
import dev.fakegpu.operator.schedule.queue.CompanionScope;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.SchedulingQueue;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pending pods, by name and by claim. Queues a pod when it or one of its claims changes in a way that can affect scheduling. Not
 * thread-safe.
 */
final class PendingPodIndex {

    private final AssumeCache assumeCache;
    private final SchedulingQueue queue;
    private final CompanionScope scope;

    /** A pending pod and its claims, as stored at one moment. */
    record PendingPod(Pod pod, PodClaims claims) {}

    /** @param version covers everything about the pod and its claims that can affect scheduling */
    private record Entry(QueueItem item, Optional<String> group, List<String> claims, String version) {

        static Entry of(QueueItem item, Pod pod, String version) {
            return new Entry(item, PodGroup.nameFor(pod), PodClaims.names(pod), version);
        }
    }

    private record GroupName(String namespace, String name) {}

    private final Map<String, Entry> byName = new HashMap<>();
    private final Map<String, Set<String>> byClaim = new HashMap<>();

    /** The PodGroup, if any, of each pod whose decision is being written, by the UID of the pod. */
    private final Map<String, Optional<GroupName>> inFlight = new HashMap<>();

    private final Set<GroupName> changedGroups = new LinkedHashSet<>();

    PendingPodIndex(AssumeCache assumeCache, SchedulingQueue queue, CompanionScope scope) {
        this.assumeCache = assumeCache;
        this.queue = queue;
        this.scope = scope;
    }

    /** Whether the companion has to schedule the pod. Thread-safe. */
    boolean isPending(Pod pod) {
        return scope.isPending(pod);
    }

    void changed(String namespace, String name) {
        String key = namespace + "/" + name;
        Optional<Pod> pod = scope.pendingPod(namespace, name);
        Entry before = byName.get(key);
        if (before != null
                && (pod.isEmpty()
                        || !pod.get()
                                .getMetadata()
                                .getUid()
                                .equals(before.item().uid()))) {
            remove(key, before);
            before.group().ifPresent(group -> groupChanged(namespace, group));
            before = null;
        }
        if (pod.isPresent()) {
            var claims = scope.claims(pod.get());
            var now = Entry.of(QueueItem.of(pod.get()), pod.get(), version(pod.get(), claims));
            if (before == null || !before.version().equals(now.version())) {
                add(key, now);
                now.group().ifPresent(group -> groupChanged(namespace, group));
            }
        }
    }

    void claimChanged(String namespace, String claim) {
        List.copyOf(byClaim.getOrDefault(namespace + "/" + claim, Set.of())).forEach(pod -> changed(namespace, pod));
    }

    /** Records that the claim can be reserved for more pods than before, which matters to those that are placed together. */
    void hasMoreRoom(String namespace, String claim) {
        byClaim.getOrDefault(namespace + "/" + claim, Set.of()).stream()
                .flatMap(pod -> Stream.ofNullable(byName.get(namespace + "/" + pod)))
                .flatMap(entry -> entry.group().stream())
                .forEach(group -> groupChanged(namespace, group));
    }

    /** Schedules the pods that use the claim again, although nothing about them changed. */
    void retry(String namespace, String claim) {
        byClaim.getOrDefault(namespace + "/" + claim, Set.of()).stream()
                .flatMap(pod -> Stream.ofNullable(byName.get(namespace + "/" + pod)))
                .map(Entry::item)
                .forEach(this::activate);
    }

    /** Records that a PodGroup or one of its pods changed, which may affect the other pods: see {@link #activateChangedGroups}. */
    void groupChanged(String namespace, String group) {
        changedGroups.add(new GroupName(namespace, group));
    }

    /**
     * Queues the pods of the PodGroups that changed. Each pod is queued once, no matter how many changes there were. While a decision about
     * one of the pods is being written, the others wait.
     */
    void activateChangedGroups() {
        if (!changedGroups.isEmpty()) {
            List<GroupName> settled = changedGroups.stream()
                    .filter(group -> !inFlight.containsValue(Optional.of(group)))
                    .toList();
            settled.forEach(changedGroups::remove);
            settled.forEach(this::activate);
        }
    }

    private void activate(GroupName group) {
        scope.podsOfGroup(group.namespace(), group.name()).stream()
                .flatMap(pod -> Stream.ofNullable(
                        byName.get(group.namespace() + "/" + pod.getMetadata().getName())))
                .map(Entry::item)
                .filter(item -> !queue.isBackingOff(item.uid()))
                .forEach(this::activate);
    }

    /** Retries all pending pods after a change that may matter to any of them. */
    void retryAll() {
        byName.values().forEach(entry -> activate(entry.item()));
    }

    /** Records that a decision about the pod is being written; it is not scheduled again until {@link #written}. */
    void writing(QueueItem item) {
        inFlight.put(
                item.uid(),
                Optional.ofNullable(byName.get(item.namespace() + "/" + item.name()))
                        .flatMap(Entry::group)
                        .map(group -> new GroupName(item.namespace(), group)));
    }

    boolean isBeingWritten(String uid) {
        return inFlight.containsKey(uid);
    }

    void written(QueueItem item) {
        inFlight.remove(item.uid());
    }

    /**
     * The pod, to be scheduled now; empty if it is no longer pending. It is queued again when it differs from the version returned here;
     * the version of its last event may be older.
     */
    Optional<PendingPod> forDecision(QueueItem item) {
        return scope.pendingPod(item).map(pod -> {
            var pending = new PendingPod(pod, scope.claims(pod));
            String key = item.namespace() + "/" + item.name();
            Entry before = byName.get(key);
            if (before != null && before.item().uid().equals(item.uid())) {
                put(key, Entry.of(before.item(), pod, version(pod, pending.claims())));
            }
            return pending;
        });
    }

    private void add(String key, Entry now) {
        put(key, now);
        activate(now.item());
    }

    private void activate(QueueItem item) {
        if (!inFlight.containsKey(item.uid())) {
            queue.activate(item);
        }
    }

    private void put(String key, Entry now) {
        Entry before = byName.put(key, now);
        if (before != null) {
            unindex(before);
        }
        now.claims()
                .forEach(claim -> byClaim.computeIfAbsent(
                                now.item().namespace() + "/" + claim, ignored -> new HashSet<>())
                        .add(now.item().name()));
    }

    private void remove(String key, Entry before) {
        byName.remove(key);
        unindex(before);
        queue.remove(before.item().uid());
    }

    private void unindex(Entry before) {
        for (String claim : before.claims()) {
            byClaim.computeIfPresent(before.item().namespace() + "/" + claim, (key, pods) -> {
                pods.remove(before.item().name());
                return pods.isEmpty() ? null : pods;
            });
        }
    }

    private String version(Pod pod, PodClaims claims) {
        return Objects.requireNonNullElse(pod.getMetadata().getGeneration(), 0L)
                + UnreadableFields.of(pod).orElse("")
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
                + ClaimProblems.deletion(claim)
                + (reservations >= Limits.RESERVATIONS)
                + assumeCache.isAssumed(metadata.getUid())
                + BindingConditions.areMet(claim)
                + BindingConditions.failure(claim)
                + UnreadableFields.isReadable(claim);
    }
}
