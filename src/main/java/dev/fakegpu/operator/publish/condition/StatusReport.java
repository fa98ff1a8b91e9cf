package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Collects the result of one reconciliation: the conditions of a FakeGpu and the events about it. The messages of a condition, and of the
 * events on the same topic, are in its class {@code *Condition}. Conditions name everything, since only users with read access to FakeGpus
 * see them.
 *
 * @param eventReader what events may name
 */
public record StatusReport(FakeGpu fakeGpu, Conditions conditions, EventRecorder events, NameScope eventReader) {

    private static final int MAX_NAMES = 5;

    /** Records an event of type {@code Normal} about the FakeGpu. */
    void normal(EventReason reason, String message) {
        events.normal(fakeGpu, reason, message);
    }

    /** Records an event of type {@code Warning} about the FakeGpu. */
    void warning(EventReason reason, String message) {
        events.warning(fakeGpu, reason, message);
    }

    /** Returns at most five of the names, separated by commas, and the number of the others. */
    public static String firstOf(List<String> names) {
        var first = names.stream().limit(MAX_NAMES).collect(Collectors.joining(", "));
        return names.size() <= MAX_NAMES ? first : first + " and %s more".formatted(names.size() - MAX_NAMES);
    }
}
