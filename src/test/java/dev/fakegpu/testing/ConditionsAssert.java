package dev.fakegpu.testing;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions about {@code status.conditions} of any kind of object. */
public final class ConditionsAssert extends AbstractAssert<ConditionsAssert, List<ConditionsAssert.Entry>> {

    /** The fields that all kinds of conditions have. */
    public record Entry(
            String type,
            String status,
            @Nullable String reason,
            @Nullable String message) {

        static Entry of(Condition condition) {
            return new Entry(condition.getType(), condition.getStatus(), condition.getReason(), condition.getMessage());
        }

        static Entry of(PodCondition condition) {
            return new Entry(condition.getType(), condition.getStatus(), condition.getReason(), condition.getMessage());
        }
    }

    ConditionsAssert(List<Entry> conditions) {
        super(conditions, ConditionsAssert.class);
    }

    public ConditionsAssert hasNo(String type) {
        if (find(type).isPresent()) {
            failWithMessage("Expected no condition %s in %s", type, actual);
        }
        return this;
    }

    /** Returns an assertion about one condition, which must exist. */
    public ConditionAssert condition(String type) {
        Optional<Entry> found = find(type);
        if (found.isEmpty()) {
            failWithMessage("Expected a condition %s in %s", type, actual);
        }
        return new ConditionAssert(found.orElseThrow()).as(descriptionText());
    }

    private Optional<Entry> find(String type) {
        return actual.stream().filter(entry -> entry.type().equals(type)).findFirst();
    }
}
