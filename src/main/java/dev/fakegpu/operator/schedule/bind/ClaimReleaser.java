package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Releases claims that hold the companion's devices but are no longer used: claims whose pods have terminated, and deleted claims without a
 * pod. kube-controller-manager does the same. Both write against the same resource version, so only one of them succeeds; with this class,
 * releases also work where kube-controller-manager does not run. The scheduling thread finds the claims; writer threads release them.
 */
public final class ClaimReleaser {

    private static final Logger LOG = Logger.getLogger(ClaimReleaser.class);

    /** The delay does not grow, because other items wait for the devices. */
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final ObjectClient client;
    private final ObjectStores cluster;
    private final Predicate<PoolId> isOurs;
    private final ClaimWriter claims;
    private final Writers writers;
    private final Executor schedulingThread;
    private final BiConsumer<String, String> podsAgain;
    private final Set<String> inProgress = ConcurrentHashMap.newKeySet();

    /**
     * @param isOurs the pools whose unused devices are released
     * @param podsAgain schedules the pods that use a claim again, given its namespace and name; if they cannot be placed, their claims are
     *     released again
     */
    public ClaimReleaser(
            ObjectClient client,
            ObjectStores cluster,
            Predicate<PoolId> isOurs,
            ClaimWriter claims,
            Writers writers,
            Executor schedulingThread,
            BiConsumer<String, String> podsAgain) {
        this.client = client;
        this.cluster = cluster;
        this.isOurs = isOurs;
        this.claims = claims;
        this.writers = writers;
        this.schedulingThread = schedulingThread;
        this.podsAgain = podsAgain;
    }

    /**
     * Releases the allocated claims of a pod that cannot be placed if some of its claims are unallocated: other devices may work for this
     * pod, or another pod may be able to use these. Upstream: {@code PostFilter} in {@code dynamicresources.go}.
     */
    public void releaseOwnClaims(Pod pod, PodClaims podClaims) {
        var all = podClaims.claims();
        boolean someUnallocated = all.stream().anyMatch(claim -> !Allocations.isAllocated(claim));
        if (!someUnallocated || PodState.isBound(pod)) {
            return;
        }
        all.stream().filter(Allocations::isAllocated).forEach(claim -> releaseOwnClaim(pod, claim));
    }

    /** Releases an allocated claim unless other pods also use it or the pod has been bound in the meantime. */
    public void releaseOwnClaim(Pod pod, ResourceClaim claim) {
        if (isReservedOnlyFor(pod, claim)) {
            write(claim, () -> unlessBound(pod, () -> claims.release(claim, List.of())));
        }
    }

    /**
     * Releases an allocated claim of a pod for all pods that use it, unless another one has a node or is not known.
     *
     * @return all of them; empty if the claim is not released
     */
    public List<Pod> releaseForAll(Pod pod, ResourceClaim claim) {
        if (!PodClaims.isReservedFor(claim, pod)) {
            return List.of();
        }
        String namespace = claim.getMetadata().getNamespace();
        List<Optional<List<Pod>>> users = claim.getStatus().getReservedFor().stream()
                .map(consumer -> pods(namespace, consumer))
                .toList();
        List<Pod> all = users.stream()
                .flatMap(Optional::stream)
                .flatMap(List::stream)
                .filter(user -> !PodState.hasEnded(user))
                .toList();
        String withNode = PodState.isBound(pod) ? pod.getMetadata().getUid() : "";
        List<Pod> others = all.stream()
                .filter(user -> !user.getMetadata().getUid().equals(withNode))
                .toList();
        if (users.stream().anyMatch(Optional::isEmpty) || others.stream().anyMatch(PodState::isBound)) {
            return List.of();
        }
        write(claim, () -> unlessBound(others, claim));
        return all;
    }

    /** The pods for which a claim is reserved by this entry of {@code status.reservedFor}; empty if they are not known. */
    private Optional<List<Pod>> pods(String namespace, ResourceClaimConsumerReference consumer) {
        if (PodClaims.isGroup(consumer)) {
            return isKnownGroup(namespace, consumer)
                    ? Optional.of(List.copyOf(cluster.podsOfGroup(namespace, consumer.getName())))
                    : Optional.empty();
        }
        return cluster.pods()
                .get(namespace, consumer.getName())
                .filter(pod -> ClaimConsumers.isPod(consumer)
                        && consumer.getUid().equals(pod.getMetadata().getUid()))
                .map(List::of);
    }

    /**
     * Releases the claims of pods of a gang that are not placed, unless others use them, too.
     *
     * @param group the group whose own claims are also released; empty if one of its pods has a node
     */
    public void releaseClaims(Collection<Pod> pods, Optional<PodGroup> group) {
        Set<String> ours = Stream.concat(pods.stream(), group.stream())
                .map(object -> object.getMetadata().getUid())
                .collect(Collectors.toSet());
        pods.stream()
                .flatMap(pod -> PodClaims.of(pod, cluster.claims()).claims().stream())
                .filter(claim -> Allocations.isAllocated(claim)
                        && !claim.getStatus().getReservedFor().isEmpty()
                        && claim.getStatus().getReservedFor().stream()
                                .allMatch(consumer -> ours.contains(consumer.getUid())))
                .collect(Collectors.toMap(claim -> claim.getMetadata().getUid(), Function.identity(), (a, b) -> a))
                .values()
                .forEach(claim -> write(claim, () -> unlessBound(pods, claim)));
    }

    private void unlessBound(Collection<Pod> pods, ResourceClaim claim) {
        if (pods.stream().filter(pod -> PodClaims.isReservedFor(claim, pod)).noneMatch(this::isBoundByNow)) {
            claims.release(claim, List.of());
        }
    }

    /** Whether an allocated claim is reserved for no other consumer. */
    static boolean isReservedOnlyFor(Pod pod, ResourceClaim claim) {
        return claim.getStatus().getReservedFor().size() == 1 && PodClaims.isReservedForItself(claim, pod);
    }

    /** Deletes a claim for extended resources that an interrupted attempt to schedule the pod left behind. */
    public void deleteLeftover(Pod pod, ResourceClaim claim) {
        write(claim, () -> unlessBound(pod, () -> claims.delete(claim)));
    }

    /** Reads the pod from the API server: it may have been bound by now, by this process or by an earlier leader. */
    private void unlessBound(Pod pod, Runnable release) {
        if (PodState.isBound(pod) || !isBoundByNow(pod)) {
            release.run();
        }
    }

    private boolean isBoundByNow(Pod pod) {
        Pod stored = client.get(pod);
        if (stored == null
                || !stored.getMetadata().getUid().equals(pod.getMetadata().getUid())
                || !PodState.isBound(stored)) {
            return false;
        }
        cluster.pods().written(stored);
        return true;
    }

    public void releaseAllUnused() {
        cluster.claims().list().forEach(this::releaseIfUnused);
    }

    public void releaseIfUnused(String namespace, String claim) {
        cluster.claims().get(namespace, claim).ifPresent(this::releaseIfUnused);
    }

    /** Releases the claim if it holds devices of ours and is no longer used. */
    private void releaseIfUnused(ResourceClaim claim) {
        if (!UnreadableFields.isReadable(claim)) {
            return; // the claim may be in use by an object that cannot be read
        }
        boolean isHeldByUs =
                Allocations.devices(claim).stream().map(DeviceId::poolId).anyMatch(isOurs);
        if (isHeldByUs && mayBeUnused(claim)) {
            write(claim, () -> release(claim));
        }
    }

    /** Decides by the store; the API server is queried before anything is released. */
    private boolean mayBeUnused(ResourceClaim claim) {
        var reservedFor = claim.getStatus().getReservedFor();
        return reservedFor.isEmpty()
                ? claim.getMetadata().getDeletionTimestamp() != null
                : reservedFor.stream().anyMatch(consumer -> !isKnownToUse(claim, consumer));
    }

    private boolean isKnownToUse(ResourceClaim claim, ResourceClaimConsumerReference consumer) {
        if (PodClaims.isGroup(consumer)) {
            return isKnownGroup(claim.getMetadata().getNamespace(), consumer);
        }
        return !ClaimConsumers.isPod(consumer)
                || cluster.pods()
                        .get(claim.getMetadata().getNamespace(), consumer.getName())
                        .filter(pod ->
                                consumer.getUid().equals(pod.getMetadata().getUid()))
                        .filter(pod -> !PodState.hasEnded(pod))
                        .isPresent();
    }

    /** Also returns true if groups cannot be read, since nothing is known about them then. */
    private boolean isKnownGroup(String namespace, ResourceClaimConsumerReference consumer) {
        return !cluster.knowsPodGroups()
                || cluster.podGroups()
                        .get(namespace, consumer.getName())
                        .filter(group ->
                                consumer.getUid().equals(group.getMetadata().getUid()))
                        .isPresent();
    }

    /** Releases the claims that were used only by a PodGroup that is gone. */
    public void groupGone(PodGroup group) {
        String uid = group.getMetadata().getUid();
        cluster.claims().list().stream()
                .filter(claim -> claim.getStatus() != null
                        && claim.getStatus().getReservedFor().stream()
                                .anyMatch(consumer -> uid.equals(consumer.getUid())))
                .forEach(this::releaseIfUnused);
    }

    private void write(ResourceClaim claim, Runnable release) {
        var metadata = claim.getMetadata();
        if (!inProgress.add(metadata.getUid())) {
            return;
        }
        writers.decision(() -> {
            boolean isDone;
            try {
                isDone = tryTo(release, claim);
            } finally {
                inProgress.remove(metadata.getUid());
            }
            if (!isDone) {
                writers.decisionIn(
                        RETRY_DELAY,
                        () -> schedulingThread.execute(() -> retry(metadata.getNamespace(), metadata.getName())));
            }
        });
    }

    /** Lets the pods that hold the claim be scheduled again, since they may get other devices now. */
    private void retry(String namespace, String claim) {
        releaseIfUnused(namespace, claim);
        podsAgain.accept(namespace, claim);
    }

    private static boolean tryTo(Runnable release, ResourceClaim claim) {
        try {
            release.run();
            return true;
        } catch (RuntimeException e) {
            LOG.logf(
                    e instanceof KubernetesClientException answer && ClaimWriter.isOutdated(answer)
                            ? Logger.Level.DEBUG
                            : Logger.Level.WARN,
                    "claim %s/%s is not released yet; trying again in %d s: %s",
                    claim.getMetadata().getNamespace(),
                    claim.getMetadata().getName(),
                    RETRY_DELAY.toSeconds(),
                    e.getMessage());
            return false;
        }
    }

    private void release(ResourceClaim claim) {
        List<ResourceClaimConsumerReference> reservedFor = claim.getStatus().getReservedFor();
        var remaining = reservedFor.stream()
                .filter(consumer -> !hasEnded(claim.getMetadata().getNamespace(), consumer))
                .toList();
        boolean consumersEnded = remaining.size() < reservedFor.size();
        boolean deleted = claim.getMetadata().getDeletionTimestamp() != null && remaining.isEmpty();
        if (consumersEnded || deleted) {
            claims.release(claim, remaining);
        }
    }

    private boolean hasEnded(String namespace, ResourceClaimConsumerReference consumer) {
        if (PodClaims.isGroup(consumer)) {
            return !isKnownGroup(namespace, consumer) && isGone(new PodGroup(), namespace, consumer);
        }
        if (!ClaimConsumers.isPod(consumer)) {
            return false;
        }
        return cluster.pods()
                .get(namespace, consumer.getName())
                .filter(pod -> consumer.getUid().equals(pod.getMetadata().getUid()))
                .map(PodState::hasEnded)
                .orElseGet(() -> isGone(new Pod(), namespace, consumer));
    }

    /**
     * Queries the API server, since the claim may be reserved for a new object that the store does not have yet.
     *
     * @param empty an object of the consumer's kind without any content
     */
    private boolean isGone(HasMetadata empty, String namespace, ResourceClaimConsumerReference consumer) {
        empty.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(consumer.getName())
                .build());
        HasMetadata stored = client.get(empty);
        return stored == null || !consumer.getUid().equals(stored.getMetadata().getUid());
    }
}
