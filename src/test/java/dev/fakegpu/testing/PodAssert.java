package dev.fakegpu.testing;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/** Assertions about the scheduling of a pod. */
public final class PodAssert extends AbstractAssert<PodAssert, Pod> {

    PodAssert(Pod pod) {
        super(pod, PodAssert.class);
    }

    public PodAssert isBound() {
        isNotNull();
        Assertions.assertThat(actual.getSpec().getNodeName())
                .as("node of pod %s", name())
                .isNotNull();
        return this;
    }

    public PodAssert isBoundTo(String node) {
        isNotNull();
        Assertions.assertThat(actual.getSpec().getNodeName())
                .as("node of pod %s", name())
                .isEqualTo(node);
        return this;
    }

    public PodAssert isNotBound() {
        isNotNull();
        Assertions.assertThat(actual.getSpec().getNodeName())
                .as("node of pod %s", name())
                .isNull();
        return this;
    }

    /** Asserts that a scheduler found no node for the pod, and reported this in the condition {@code PodScheduled}. */
    public PodAssert isUnschedulable() {
        condition("PodScheduled").isFalse().hasReason("Unschedulable");
        return this;
    }

    /** Returns an assertion about one condition, which must exist. */
    public ConditionAssert condition(String type) {
        return conditions().condition(type);
    }

    public ConditionsAssert conditions() {
        isNotNull();
        return new ConditionsAssert(
                        actual.getStatus() == null
                                ? List.of()
                                : actual.getStatus().getConditions().stream()
                                        .map(ConditionsAssert.Entry::of)
                                        .toList())
                .as("conditions of pod %s", name());
    }

    private String name() {
        return actual.getMetadata().getName();
    }
}
