package dev.fakegpu.simulate.scenario;

import dev.fakegpu.simulate.Observation;
import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.simulate.scenario.ScenarioRun.Check;
import io.fabric8.kubernetes.api.model.Event;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Expects Events about an object. Repetitions of an Event count once.
 *
 * @param reason the reason, such as {@code FailedScheduling}
 * @param says a part of the message; null for any message
 * @param number the number of different Events; null for at least one
 */
record EventExpectation(
        String reason,
        ObjectName object,
        @Nullable String says,
        @Nullable Integer number) implements Expectation {

    @Override
    public Check check(Observation seen) {
        List<Event> all = seen.events(object).stream()
                .filter(event -> reason.equals(event.getReason()))
                .toList();
        long matching = all.stream()
                .filter(event -> says == null || event.getMessage().contains(says))
                .count();
        return new Check(number == null ? matching > 0 : matching == number, text(), actual(all), "");
    }

    private String text() {
        return "%s %s %s of %s%s"
                .formatted(
                        number == null ? "at least one" : number,
                        reason,
                        number != null && number != 1 ? "events" : "event",
                        object,
                        says == null ? "" : ", says \"" + says + "\"");
    }

    private String actual(List<Event> all) {
        return all.isEmpty()
                ? "there is no %s event of %s".formatted(reason, object)
                : "%s of %s says: %s"
                        .formatted(
                                reason,
                                object,
                                all.stream().map(Event::getMessage).collect(Collectors.joining(" | ")));
    }
}
