package dev.fakegpu.dra;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An object other than a pod that a claim is reserved for: an entry of {@code status.reservedFor} that Kubernetes keeps when pods are
 * deleted.
 *
 * @param apiGroup empty for the core group
 * @param resource the plural name, such as {@code trainings}
 */
public record ClaimConsumer(String apiGroup, String resource, String name) {

    /** The consumers as text, such as {@code trainings.example.com "night" and evaluations.example.com "day"}. */
    public static String text(List<ClaimConsumer> consumers) {
        return consumers.stream().map(ClaimConsumer::toString).collect(Collectors.joining(" and "));
    }

    /** The consumer as text, such as {@code trainings.workloads.example.com "night"}. */
    @Override
    public String toString() {
        return resource + (apiGroup.isEmpty() ? "" : "." + apiGroup) + " \"" + name + '"';
    }
}
