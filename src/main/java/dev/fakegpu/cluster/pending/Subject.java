package dev.fakegpu.cluster.pending;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * What is explained.
 *
 * @param kind {@code Pod} or {@code ResourceClaim}
 */
public record Subject(String kind, String namespace, String name) {

    static Subject of(HasMetadata object) {
        return new Subject(
                object.getKind(),
                object.getMetadata().getNamespace(),
                object.getMetadata().getName());
    }

    /** Such as {@code Pod team/a}. */
    String title() {
        return kind + " " + namespace + "/" + name;
    }
}
