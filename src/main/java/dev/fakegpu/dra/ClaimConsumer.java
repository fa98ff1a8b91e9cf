package dev.fakegpu.dra;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An object other than a pod for which a claim is reserved: an entry of {@code status.reservedFor} that Kubernetes keeps when pods go.
 *
 * @param apiGroup empty for the core group
 * @param resource in the plural, such as {@code trainings}
 */
public record ClaimConsumer(String apiGroup, String resource, String name) {

    /** All of them for people, such as {@code trainings.example.com "night" and evaluations.example.com "day"}. */
    public static String text(List<ClaimConsumer> consumers) {
        return consumers.stream().map(ClaimConsumer::toString).collect(Collectors.joining(" and "));
    }

    /** Such as {@code trainings.workloads.example.com "night"}. */
    @Override
    public String toString() {
        return resource + (apiGroup.isEmpty() ? "" : "." + apiGroup) + " \"" + name + '"';
    }
}
