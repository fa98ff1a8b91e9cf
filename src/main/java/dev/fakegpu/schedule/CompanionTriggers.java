package dev.fakegpu.schedule;

import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.Worker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What wakes the companion, and which of it can help those who wait. */
final class CompanionTriggers {

    private final ClusterWatch cluster;
    private final Attempts attempts;
    private final Worker worker;

    CompanionTriggers(ClusterWatch cluster, Attempts attempts, Worker worker) {
        this.cluster = cluster;
        this.attempts = attempts;
        this.worker = worker;
    }

    void register() {
        cluster.slices().addListener((before, after) -> help());
        cluster.deviceClasses().addListener((before, after) -> help());
        cluster.fakeGpus().addListener((before, after) -> {
            if (before == null || after == null || generation(before) != generation(after)) {
                help();
            }
        });
        cluster.nodes().addListener((before, after) -> {
            if (before == null || after == null || !sameForScheduling(before, after)) {
                help();
            }
        });
        cluster.claims().addListener((before, after) -> {
            if (frees(before, after)) {
                help();
            } else {
                worker.request();
            }
        });
        cluster.pods().addListener((before, after) -> worker.request());
        cluster.namespaces().addListener((before, after) -> worker.request());
    }

    private void help() {
        attempts.helpfulChange();
        worker.request();
    }

    private static boolean frees(@Nullable ResourceClaim before, @Nullable ResourceClaim after) {
        return before != null
                && Allocations.isAllocated(before)
                && (after == null || !Allocations.devices(before).equals(Allocations.devices(after)));
    }

    /** Heartbeats change nothing that a scheduler looks at. */
    private static boolean sameForScheduling(Node before, Node after) {
        return Objects.equals(before.getSpec(), after.getSpec())
                && CompanionView.labels(before).equals(CompanionView.labels(after))
                && NodeFit.isReady(before) == NodeFit.isReady(after)
                && Objects.equals(
                        before.getMetadata().getDeletionTimestamp(),
                        after.getMetadata().getDeletionTimestamp());
    }

    private static long generation(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getGeneration(), 0L);
    }
}
