package dev.fakegpu.schedule;

import dev.fakegpu.schedule.fit.PodState;
import dev.fakegpu.schedule.fit.SchedulableNode;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells the deciding thread what changed in the cluster, and who is concerned. */
final class CompanionTriggers {

    private final ClusterWatch cluster;
    private final EventLoop mailbox;
    private final SchedulerCache cache;
    private final PendingPodIndex pods;
    private final ClaimAllocation claims;
    private final ClaimReleaser releases;

    CompanionTriggers(
            ClusterWatch cluster,
            EventLoop mailbox,
            SchedulerCache cache,
            PendingPodIndex pods,
            ClaimAllocation claims,
            ClaimReleaser releases) {
        this.cluster = cluster;
        this.mailbox = mailbox;
        this.cache = cache;
        this.pods = pods;
        this.claims = claims;
        this.releases = releases;
    }

    /** Listens from now on, and takes in what is there already. */
    void register() {
        cluster.slices().addListener((before, after) -> mailbox.tell(cache::slicesChanged));
        cluster.taintRules().addListener((before, after) -> mailbox.tell(cache::slicesChanged));
        cluster.deviceClasses().addListener((before, after) -> mailbox.tell(cache::classesChanged));
        cluster.fakeGpus().addListener((before, after) -> {
            if (before == null || after == null || generation(before) != generation(after)) {
                mailbox.tell(this::fakeGpusChanged);
            } else if (!AllocatorOwnership.relevantStatus(before).equals(AllocatorOwnership.relevantStatus(after))) {
                mailbox.tell(cache::slicesChanged);
            }
        });
        cluster.nodes().addListener((before, after) -> {
            if (before == null || after == null || !SchedulableNode.isSame(before, after)) {
                String name = either(before, after).getMetadata().getName();
                mailbox.tell(() -> nodeChanged(name));
            }
        });
        cluster.claims().addListener((before, after) -> mailbox.tell(() -> claimChanged(either(before, after))));
        cluster.pods().addListener((before, after) -> mailbox.tell(() -> podChanged(either(before, after))));
        cluster.namespaces().addListener((before, after) -> {
            if (asks(before) != asks(after)) {
                String name = either(before, after).getMetadata().getName();
                mailbox.tell(() -> claims.namespaceChanged(name));
            }
        });
        mailbox.tell(this::takeIn);
    }

    private void takeIn() {
        cluster.nodes().list().forEach(node -> nodeChanged(node.getMetadata().getName()));
        cluster.claims()
                .list()
                .forEach(claim -> cache.claimChanged(
                        claim.getMetadata().getNamespace(), claim.getMetadata().getName()));
        cache.refresh();
        cluster.pods().list().forEach(this::podChanged);
        cluster.claims().list().forEach(this::claimChanged);
    }

    private void fakeGpusChanged() {
        cache.fakeGpusChanged();
        cache.refresh();
        releases.considerAll();
    }

    private void nodeChanged(String name) {
        cache.nodeChanged(name, cluster.nodes().get(null, name).orElse(null));
        cache.changes().on(name);
    }

    /** @param version any of them: what counts is what the store knows now */
    private void claimChanged(ResourceClaim version) {
        String namespace = version.getMetadata().getNamespace();
        String name = version.getMetadata().getName();
        cache.claimChanged(namespace, name);
        pods.claimChanged(namespace, name);
        cluster.claims()
                .get(namespace, name)
                .ifPresentOrElse(
                        claims::changed, () -> claims.gone(version.getMetadata().getUid()));
        releases.consider(namespace, name);
    }

    /** @param version any of them: what counts is what the store knows now */
    private void podChanged(Pod version) {
        String namespace = version.getMetadata().getNamespace();
        String name = version.getMetadata().getName();
        cache.podStored(version);
        pods.changed(namespace, name);
        boolean uses = cluster.pods()
                .get(namespace, name)
                .filter(pod -> !PodState.hasEnded(pod))
                .isPresent();
        if (!uses) {
            PodClaims.names(version).forEach(claim -> releases.consider(namespace, claim));
        }
    }

    private static boolean asks(@Nullable Namespace namespace) {
        return namespace != null && Responsibility.asksForItsClaims(namespace);
    }

    private static <T> T either(@Nullable T before, @Nullable T after) {
        return after == null ? Objects.requireNonNull(before) : after;
    }

    private static long generation(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getGeneration(), 0L);
    }
}
