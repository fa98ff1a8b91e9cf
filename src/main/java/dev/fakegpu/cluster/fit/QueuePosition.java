package dev.fakegpu.cluster.fit;

import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.util.NaturalOrder;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The position of a pod or claim among those that wait for the same devices. It depends only on earlier items, so later ones do not change
 * the sentence.
 *
 * @param before the number of earlier items; if it is more than {@link #MAX_COUNTED}, only that is known
 * @param first the first of them
 */
public record QueuePosition(int before, Waiting first) {

    /** Larger numbers would change with each pod that leaves, and are of no use to readers. */
    static final int MAX_COUNTED = 10;

    /**
     * A pending pod or claim, in the order of kube-scheduler's queue: highest priority first, then oldest first. Creation times have a
     * precision of one second. Within a second, the name with the smaller number comes first, since controllers create pods in this order.
     *
     * @param kind {@code pod} or {@code claim}
     * @param created the timestamp as the API writes it; its string order is chronological
     * @param claims the names of the claims that a pod uses; pods that share a claim are served together
     */
    public record Waiting(String kind, String namespace, String name, int priority, String created, List<String> claims)
            implements Comparable<Waiting> {

        private static final Comparator<Waiting> ORDER = Comparator.comparingInt(Waiting::priority)
                .reversed()
                .thenComparing(Waiting::created)
                .thenComparing(Waiting::namespace)
                .thenComparing(Waiting::name, NaturalOrder.OF_NAMES);

        public Waiting {
            claims = List.copyOf(claims);
        }

        public static Waiting of(Pod pod) {
            var metadata = pod.getMetadata();
            return new Waiting(
                    "pod",
                    metadata.getNamespace(),
                    metadata.getName(),
                    Objects.requireNonNullElse(pod.getSpec().getPriority(), 0),
                    metadata.getCreationTimestamp(),
                    PodClaims.names(pod));
        }

        private boolean sharesClaimWith(Waiting other) {
            return namespace.equals(other.namespace) && claims.stream().anyMatch(other.claims::contains);
        }

        @Override
        public int compareTo(Waiting other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * Returns empty if no item is before it. Examines only the first of the items before it. Items that share a claim with it are not
     * before it, because both get the same devices.
     *
     * @param all all items that wait for the same devices, in order
     */
    public static Optional<QueuePosition> of(Waiting item, Stream<Waiting> all) {
        List<Waiting> before = all.filter(other -> other.compareTo(item) < 0 && !other.sharesClaimWith(item))
                .limit(MAX_COUNTED + 1)
                .toList();
        return before.isEmpty() ? Optional.empty() : Optional.of(new QueuePosition(before.size(), before.get(0)));
    }

    /** The end of a sentence about a release that would help, which helps earlier items first. */
    public String clause(Waiting item, NameScope reader) {
        String why = first.priority() > item.priority() ? "priority " + first.priority() : "older";
        boolean isNamed = reader.includes(first.namespace());
        String name = (isNamed ? '"' + first.name() + '"' : "one of another namespace") + " (" + why + ")";
        if (before == 1) {
            return "; " + (isNamed ? first.kind() + " " + name : name) + " is before it";
        }
        String count = before > MAX_COUNTED ? "more than " + MAX_COUNTED : String.valueOf(before);
        return "; %s %ss are before it, first %s".formatted(count, first.kind(), name);
    }
}
