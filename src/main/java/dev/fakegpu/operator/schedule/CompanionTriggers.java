package dev.fakegpu.operator.schedule;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuProblems;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.schedule.bind.ClaimReleaser;
import dev.fakegpu.operator.schedule.cache.AllocatorHandover;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.Arrivals;
import dev.fakegpu.operator.schedule.queue.CompanionScope;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Turns changes in the cluster into events for the scheduling thread, which update the cache and queue the affected pods and claims.
 */
final class CompanionTriggers {

    private final ObjectStores cluster;
    private final Arrivals schedulingThread;
    private final SchedulerCache cache;
    private final PendingPodIndex pendingPods;
    private final ClaimAllocation claims;
    private final ClaimReleaser claimReleaser;
    private final EndingHolders endingHolders;
    private final PostFilter postFilter;

    CompanionTriggers(
            ObjectStores cluster,
            Arrivals schedulingThread,
            SchedulerCache cache,
            PendingPodIndex pendingPods,
            ClaimAllocation claims,
            ClaimReleaser claimReleaser,
            EndingHolders endingHolders,
            PostFilter postFilter) {
        this.cluster = cluster;
        this.schedulingThread = schedulingThread;
        this.cache = cache;
        this.pendingPods = pendingPods;
        this.claims = claims;
        this.claimReleaser = claimReleaser;
        this.endingHolders = endingHolders;
        this.postFilter = postFilter;
    }

    /**
     * Starts listening, and handles existing objects as if they were new.
     *
     * @param fakeGpuListener also called, in the informer's thread
     */
    void register(ObjectStore.Listener<FakeGpu> fakeGpuListener) {
        cluster.fakeGpus().addListener(fakeGpuListener);
        cluster.settings().addListener((before, after) -> schedulingThread.execute(this::settingsChanged));
        cluster.slices().addListener((before, after) -> {
            String name = either(before, after).getMetadata().getName();
            schedulingThread.execute(() -> cache.sliceChanged(name));
        });
        cluster.taintRules().addListener((before, after) -> schedulingThread.execute(cache::slicesChanged));
        cluster.deviceClasses().addListener((before, after) -> schedulingThread.execute(cache::classesChanged));
        cluster.fakeGpus().addListener((before, after) -> {
            if (before == null
                    || after == null
                    || generation(before) != generation(after)
                    || !FakeGpuProblems.of(before).equals(FakeGpuProblems.of(after))) { // explanations list these
                schedulingThread.execute(this::fakeGpusChanged);
            } else if (!AllocatorHandover.relevantStatus(before).equals(AllocatorHandover.relevantStatus(after))) {
                schedulingThread.execute(cache::slicesChanged);
            }
        });
        cluster.nodes().addListener((before, after) -> {
            if (before == null || after == null || !SchedulableNode.isSame(before, after)) {
                String name = either(before, after).getMetadata().getName();
                schedulingThread.execute(() -> nodeChanged(name));
            }
        });
        cluster.claims().addListener(this::reservationsChanged);
        cluster.claims().addListener(listener(claims::isPending, this::claimChanged));
        cluster.pods().addListener(listener(pendingPods::isPending, this::podChanged));
        cluster.pods().addListener(this::memberChanged);
        cluster.pods().addListener(endingHolders::changed);
        cluster.podGroups().addListener((before, after) -> {
            PodGroup group = either(before, after);
            schedulingThread.execute(() -> groupChanged(group));
        });
        cluster.namespaces().addListener((before, after) -> {
            if (isLabelled(before) != isLabelled(after)) {
                String name = either(before, after).getMetadata().getName();
                schedulingThread.execute(() -> namespaceChanged(name));
            }
        });
        schedulingThread.execute(cache::settingsChanged);
        schedulingThread.execute(this::handleExisting);
    }

    /** @param isPending whether the companion has to schedule a new object */
    private <T extends HasMetadata> ObjectStore.Listener<T> listener(Predicate<T> isPending, Consumer<T> event) {
        return (before, after) -> {
            T version = either(before, after);
            if (before == null && isPending.test(version)) {
                schedulingThread.execute(version.getMetadata().getNamespace(), () -> event.accept(version));
            } else {
                schedulingThread.execute(() -> event.accept(version));
            }
        };
    }

    private void handleExisting() {
        cluster.nodes().list().forEach(node -> nodeChanged(node.getMetadata().getName()));
        cluster.claims()
                .list()
                .forEach(claim -> cache.claimChanged(
                        claim.getMetadata().getNamespace(), claim.getMetadata().getName()));
        cache.refresh();
        cluster.pods().list().forEach(this::podChanged);
        cluster.claims().list().forEach(this::claimChanged);
    }

    /** Retries all pending pods, since a pod that was rejected because of a field does not wait for any node to change. */
    private void settingsChanged() {
        CompanionOptions before = cache.options();
        cache.settingsChanged();
        if (before.unsupported() != cache.options().unsupported()
                || before.preemption() != cache.options().preemption()) {
            pendingPods.retryAll();
        }
    }

    private void fakeGpusChanged() {
        cache.fakeGpusChanged();
        cache.refresh();
        claimReleaser.releaseAllUnused();
    }

    private void nodeChanged(String name) {
        cache.nodeChanged(name, cluster.nodes().get(null, name).orElse(null));
    }

    private void namespaceChanged(String name) {
        cluster.claims().list().stream()
                .filter(claim -> name.equals(claim.getMetadata().getNamespace()))
                .forEach(claims::changed);
    }

    /** A gang may wait until its claim has room for several of its pods. */
    private void reservationsChanged(@Nullable ResourceClaim before, @Nullable ResourceClaim after) {
        if (before != null && after != null && reservations(after) < reservations(before)) {
            String namespace = after.getMetadata().getNamespace();
            String name = after.getMetadata().getName();
            schedulingThread.execute(() -> pendingPods.hasMoreRoom(namespace, name));
        }
    }

    private static int reservations(ResourceClaim claim) {
        return claim.getStatus() == null
                ? 0
                : claim.getStatus().getReservedFor().size();
    }

    /** A gang may wait for pods that the companion does not queue: those of other schedulers, and those with scheduling gates. */
    private void memberChanged(@Nullable Pod before, @Nullable Pod after) {
        Pod pod = either(before, after);
        if (!counted(before).equals(counted(after))) {
            String namespace = pod.getMetadata().getNamespace();
            PodGroup.nameFor(pod).ifPresent(group -> schedulingThread.execute(() -> gangChanged(namespace, group)));
        }
    }

    private void gangChanged(String namespace, String group) {
        if (cluster.podGroups()
                .get(namespace, group)
                .filter(PodGroup::isPlacedTogether)
                .isPresent()) {
            pendingPods.groupChanged(namespace, group);
        }
    }

    /** What a gang counts of a member and says about it; empty if the pod no longer counts. */
    private static Optional<List<Object>> counted(@Nullable Pod pod) {
        return Optional.ofNullable(pod)
                .filter(each -> !PodState.hasEnded(each) && each.getMetadata().getDeletionTimestamp() == null)
                .map(each -> List.of(PodState.isBound(each), each.getSpec().getSchedulingGates()));
    }

    /** @param version may be outdated: the version in the store counts */
    private void claimChanged(ResourceClaim version) {
        String namespace = version.getMetadata().getNamespace();
        String name = version.getMetadata().getName();
        cache.claimChanged(namespace, name);
        pendingPods.claimChanged(namespace, name);
        cluster.claims()
                .get(namespace, name)
                .ifPresentOrElse(
                        claims::changed,
                        () -> claims.deleted(version.getMetadata().getUid()));
        claimReleaser.releaseIfUnused(namespace, name);
    }

    /** @param version may be outdated: the version in the store counts */
    private void podChanged(Pod version) {
        String namespace = version.getMetadata().getNamespace();
        String name = version.getMetadata().getName();
        cache.podStored(version);
        pendingPods.changed(namespace, name);
        postFilter.podChanged(version);
        boolean usesClaims = cluster.pods()
                .get(namespace, name)
                .filter(pod -> !PodState.hasEnded(pod))
                .filter(pod -> pod.getMetadata()
                        .getUid()
                        .equals(version.getMetadata().getUid())) // or a new pod has the same name
                .isPresent();
        if (!usesClaims) {
            PodClaims.names(version).forEach(claim -> {
                claimReleaser.releaseIfUnused(namespace, claim);
                claims.retry(namespace, claim);
            });
        }
    }

    /** @param version may be outdated: the version in the store counts */
    private void groupChanged(PodGroup version) {
        var metadata = version.getMetadata();
        pendingPods.groupChanged(metadata.getNamespace(), metadata.getName());
        cluster.podsOfGroup(metadata.getNamespace(), metadata.getName()).stream()
                .filter(PodState::hasEnded)
                .flatMap(pod -> PodClaims.names(pod).stream())
                .distinct()
                .forEach(claim -> claims.retry(metadata.getNamespace(), claim));
        boolean isGone = cluster.podGroups()
                .get(metadata.getNamespace(), metadata.getName())
                .filter(stored -> stored.getMetadata().getUid().equals(metadata.getUid()))
                .isEmpty();
        if (isGone) {
            claimReleaser.groupGone(version);
        }
    }

    private static boolean isLabelled(@Nullable Namespace namespace) {
        return namespace != null && CompanionScope.isLabelled(namespace);
    }

    private static <T> T either(@Nullable T before, @Nullable T after) {
        return after == null ? Objects.requireNonNull(before) : after;
    }

    private static long generation(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getGeneration(), 0L);
    }
}
