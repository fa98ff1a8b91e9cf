package dev.fakegpu.schedule;

import dev.fakegpu.api.Labels;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Namespaces with new pods and claims for the companion, which the scheduling thread has not seen yet because it is in the middle of an
 * attempt. Thread-safe.
 */
final class Arrivals {

    private final Set<String> namespaces = ConcurrentHashMap.newKeySet();

    /** Begins to listen. */
    void watch(ClusterWatch cluster) {
        cluster.pods().addListener((before, after) -> {
            if (before == null && after != null && isForCompanion(after)) {
                add(after.getMetadata().getNamespace());
            }
        });
        cluster.claims().addListener((before, after) -> {
            if (before == null && after != null && isForCompanion(after)) {
                add(after.getMetadata().getNamespace());
            }
        });
    }

    void add(String namespace) {
        namespaces.add(namespace);
    }

    /** The scheduling thread has seen all of them. */
    void clear() {
        namespaces.clear();
    }

    boolean includeOthersThan(String namespace) {
        return namespaces.stream().anyMatch(each -> !each.equals(namespace));
    }

    private static boolean isForCompanion(Pod pod) {
        return pod.getSpec() != null
                && Labels.SCHEDULER_NAME.equals(pod.getSpec().getSchedulerName());
    }

    private static boolean isForCompanion(ResourceClaim claim) {
        return claim.getMetadata().getLabels() != null
                && claim.getMetadata().getLabels().containsKey(Labels.ALLOCATE);
    }
}
