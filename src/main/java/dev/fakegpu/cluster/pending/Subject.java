package dev.fakegpu.cluster.pending;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * The object that is explained.
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

    /** Returns text such as {@code Pod team/a}. */
    String title() {
        return kind + " " + namespace + "/" + name;
    }
}
