package dev.fakegpu.operator.publish.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.MutableClock;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00.5Z");

    @Test
    void conditionHasStatusReasonMessageAndGeneration() {
        // When
        var conditions = conditions(List.of(), 3);
        conditions.setTrue(Conditions.Type.Accepted, "Valid", "the spec can be published");

        // Then
        assertThat(conditions.list())
                .singleElement()
                .isEqualTo(new Condition(
                        "2026-01-01T00:00:00Z", "the spec can be published", 3L, "Valid", "True", "Accepted"));
        assertThat(conditions.isTrue(Conditions.Type.Accepted)).isTrue();
        assertThat(conditions.isTrue(Conditions.Type.Ready)).isFalse();
    }

    @Test
    void unchangedStatusKeepsTheTransitionTime() {
        // Given
        var stored = accepted(List.of(), 1);
        clock.advance(Duration.ofHours(1));

        // When
        var conditions = conditions(stored, 2);
        conditions.setTrue(Conditions.Type.Accepted, "StillValid", "said in other words");

        // Then
        assertThat(conditions.list()).singleElement().satisfies(condition -> {
            assertThat(condition.getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
            assertThat(condition.getReason()).isEqualTo("StillValid");
            assertThat(condition.getObservedGeneration()).isEqualTo(2);
        });
    }

    @Test
    void transitionTimeIsNowWhenTheStatusChanges() {
        // Given
        var stored = accepted(List.of(), 1);
        clock.advance(Duration.ofHours(1));

        // When
        var conditions = conditions(stored, 2);
        conditions.setFalse(Conditions.Type.Accepted, "Invalid", "no such model");

        // Then
        assertThat(conditions.list())
                .singleElement()
                .extracting(Condition::getLastTransitionTime)
                .isEqualTo("2026-01-01T01:00:00Z");
    }

    /** An unchanged status equals the stored one and is not written. */
    @Test
    void unchangedConditionsEqualTheStoredOnes() {
        // Given
        var stored = accepted(List.of(), 1);
        clock.advance(Duration.ofHours(1));

        // When
        var again = accepted(stored, 1);

        // Then
        assertThat(again).isEqualTo(stored);
    }

    @Test
    void conditionThatIsNotSetStaysUnchanged() {
        // Given
        var stored = accepted(List.of(), 1);

        // When
        var conditions = conditions(stored, 2);
        conditions.setFalse(Conditions.Type.Ready, "NotAccepted", "refused");

        // Then
        assertThat(conditions.list()).hasSize(2).first().isEqualTo(stored.get(0));
    }

    @Test
    void conditionsAreInTheOrderOfTheirTypes() {
        // When
        var conditions = conditions(List.of(), 1);
        conditions.setTrue(Conditions.Type.Ready, "R", "");
        conditions.setUnknown(Conditions.Type.CompatibilityGroupsServed, "R", "");
        conditions.setTrue(Conditions.Type.Accepted, "R", "");

        // Then
        assertThat(conditions.list())
                .extracting(condition -> condition.getType() + "=" + condition.getStatus())
                .containsExactly("Accepted=True", "CompatibilityGroupsServed=Unknown", "Ready=True");
    }

    @Test
    void longMessageIsCut() {
        // When
        var conditions = conditions(List.of(), 1);
        conditions.setFalse(Conditions.Type.Accepted, "Invalid", "x".repeat(40_000));

        // Then
        assertThat(conditions.list().get(0).getMessage()).hasSize(2048);
    }

    private List<Condition> accepted(List<Condition> stored, long generation) {
        var conditions = conditions(stored, generation);
        conditions.setTrue(Conditions.Type.Accepted, "Valid", "the spec can be published");
        return conditions.list();
    }

    private Conditions conditions(List<Condition> stored, long generation) {
        return new Conditions(stored, generation, clock);
    }
}
