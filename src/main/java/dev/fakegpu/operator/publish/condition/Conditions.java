package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The conditions of one FakeGpu during a reconciliation. A condition that is not set keeps its stored value, and {@code lastTransitionTime}
 * changes only if the status of the condition does.
 */
public final class Conditions {

    /** Condition types in the order in which they are listed. Each has a class {@code <Type>Condition} with its messages. */
    enum Type {
        Accepted,
        Published,
        CompatibilityGroupsServed,
        FieldsServed,
        ChangesPending,
        FaultsInjected,
        KubeletPluginReady,
        DriverShared,
        PreparationSimulated,
        Ready
    }

    private final Map<Type, Condition> byType = new LinkedHashMap<>();
    private final Clock clock;
    private final long generation;

    public Conditions(List<Condition> stored, long generation, Clock clock) {
        this.generation = generation;
        this.clock = clock;
        for (Type type : Type.values()) {
            stored.stream()
                    .filter(condition -> type.name().equals(condition.getType()))
                    .findFirst()
                    .ifPresent(condition -> byType.put(type, condition));
        }
    }

    void setTrue(Type type, String reason, String message) {
        set(type, "True", reason, message);
    }

    void setFalse(Type type, String reason, String message) {
        set(type, "False", reason, message);
    }

    void setUnknown(Type type, String reason, String message) {
        set(type, "Unknown", reason, message);
    }

    void remove(Type type) {
        byType.remove(type);
    }

    Optional<Condition> get(Type type) {
        return Optional.ofNullable(byType.get(type));
    }

    boolean isTrue(Type type) {
        return get(type)
                .filter(condition -> "True".equals(condition.getStatus()))
                .isPresent();
    }

    /** All conditions in the order of their types, so that an unchanged state yields an equal list. */
    public List<Condition> list() {
        return List.of(Type.values()).stream()
                .filter(byType::containsKey)
                .map(byType::get)
                .toList();
    }

    private void set(Type type, String status, String reason, String message) {
        var before = Optional.ofNullable(byType.get(type)).filter(known -> status.equals(known.getStatus()));
        byType.put(
                type,
                new ConditionBuilder()
                        .withType(type.name())
                        .withStatus(status)
                        .withReason(reason)
                        .withMessage(SafeText.of(message, SafeText.CONDITION_MESSAGE))
                        .withObservedGeneration(generation)
                        .withLastTransitionTime(before.map(Condition::getLastTransitionTime)
                                .orElseGet(() -> clock.instant()
                                        .truncatedTo(ChronoUnit.SECONDS)
                                        .toString()))
                        .build());
    }
}
