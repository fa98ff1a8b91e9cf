package dev.fakegpu.testing;

import java.util.Objects;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** Assertions about one condition of an object. */
public final class ConditionAssert extends AbstractAssert<ConditionAssert, ConditionsAssert.Entry> {

    ConditionAssert(ConditionsAssert.Entry condition) {
        super(condition, ConditionAssert.class);
    }

    public ConditionAssert isTrue() {
        return hasStatus("True");
    }

    public ConditionAssert isFalse() {
        return hasStatus("False");
    }

    /** @param status {@code True}, {@code False} or {@code Unknown} */
    public ConditionAssert hasStatus(String status) {
        return has("status", status, actual.status());
    }

    public ConditionAssert hasReason(String reason) {
        return has("reason", reason, actual.reason());
    }

    public ConditionAssert hasMessageContaining(String... parts) {
        message().contains(parts);
        return this;
    }

    /** Returns an assertion about the message. */
    public AbstractStringAssert<?> message() {
        return Assertions.assertThat(actual.message()).as("message of %s", actual);
    }

    private ConditionAssert has(String what, String expected, @Nullable String found) {
        if (!Objects.equals(expected, found)) {
            failWithActualExpectedAndMessage(
                    found, expected, "Expected %s \"%s\", but it is \"%s\": %s", what, expected, found, actual);
        }
        return this;
    }
}
