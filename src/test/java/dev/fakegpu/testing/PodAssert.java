package dev.fakegpu.testing;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/** Asserts about the scheduling of a Pod. */
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

    /** A scheduler has found no node for the pod and has said so in the condition {@code PodScheduled}. */
    public PodAssert isUnschedulable() {
        condition("PodScheduled").isFalse().hasReason("Unschedulable");
        return this;
    }

    /** Goes on with one condition, which must exist. */
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
