package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.NameScope;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.util.NaturalOrder;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who is before a pod or claim among those that wait for the same devices. Only they matter to it: whoever comes later changes nothing in
 * its sentence.
 *
 * @param before how many; if there are more than {@link #MAX_COUNTED}, only that there are
 * @param first of them
 */
public record QueuePosition(int before, Waiting first) {

    /** Larger numbers would change with each pod that leaves, and nobody needs them. */
    static final int MAX_COUNTED = 10;

    /**
     * A pending pod or claim, in the order of kube-scheduler's queue: highest priority first, then the oldest. Of those of one second, which
     * is as precise as the API is, the one with the smaller number in its name comes first, since controllers create them in this order.
     *
     * @param kind {@code pod} or {@code claim}
     * @param created timestamp as the API writes it, whose string order is chronological
     * @param claims names of the claims that a pod uses; two pods that share one are served together
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
     * Empty if nobody is before it. Looks only at the first of those before it. Whoever shares a claim with it is not before it: both get the
     * same devices.
     *
     * @param all that wait for the same, in order
     */
    public static Optional<QueuePosition> of(Waiting item, Stream<Waiting> all) {
        List<Waiting> before = all.filter(other -> other.compareTo(item) < 0 && !other.sharesClaimWith(item))
                .limit(MAX_COUNTED + 1)
                .toList();
        return before.isEmpty() ? Optional.empty() : Optional.of(new QueuePosition(before.size(), before.get(0)));
    }

    /** The end of a sentence that says which release would help: it helps those before it first. */
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
