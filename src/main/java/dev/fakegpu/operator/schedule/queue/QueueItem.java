package dev.fakegpu.operator.schedule.queue;

import dev.fakegpu.cluster.fit.QueuePosition;
import dev.fakegpu.util.NaturalOrder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * A pending pod or claim, in scheduling order: highest priority first, then oldest first.
 *
 * @param priority {@code spec.priority} of a pod; 0 for a claim without a pod
 * @param created the timestamp as the API writes it; its string order is chronological
 */
public record QueueItem(Kind kind, String namespace, String name, String uid, int priority, String created)
        implements Comparable<QueueItem> {

    /** The kind of the object. */
    public enum Kind {
        POD,
        CLAIM
    }

    private static final Comparator<QueueItem> ORDER = Comparator.comparingInt(QueueItem::priority)
            .reversed()
            .thenComparing(QueueItem::created)
            .thenComparing(QueueItem::kind)
            .thenComparing(QueueItem::namespace)
            .thenComparing(QueueItem::name, NaturalOrder.OF_NAMES)
            .thenComparing(QueueItem::uid);

    public static QueueItem of(Pod pod) {
        var metadata = pod.getMetadata();
        return new QueueItem(
                Kind.POD,
                metadata.getNamespace(),
                metadata.getName(),
                metadata.getUid(),
                Objects.requireNonNullElse(pod.getSpec().getPriority(), 0),
                metadata.getCreationTimestamp());
    }

    public static QueueItem of(ResourceClaim claim) {
        var metadata = claim.getMetadata();
        return new QueueItem(
                Kind.CLAIM,
                metadata.getNamespace(),
                metadata.getName(),
                metadata.getUid(),
                0,
                metadata.getCreationTimestamp());
    }

    /** @param claims the names of the claims that a pod uses */
    public QueuePosition.Waiting waiting(List<String> claims) {
        return new QueuePosition.Waiting(
                kind == Kind.POD ? "pod" : "claim", namespace, name, priority, created, claims);
    }

    @Override
    public int compareTo(QueueItem other) {
        return ORDER.compare(this, other);
    }
}
