package dev.fakegpu.simulate;

import io.fabric8.kubernetes.api.model.Event;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Formats the operator's Events in order of time. */
public final class Timeline {
    private Timeline() {}

    /** One line for each Event, with the time since the beginning. */
    public static List<String> lines(Simulation simulation) {
        return simulation.cluster().events().stream()
                .sorted(Comparator.comparing(Event::getFirstTimestamp))
                .flatMap(event -> line(simulation, event).stream())
                .toList();
    }

    private static List<String> line(Simulation simulation, Event event) {
        var about = event.getInvolvedObject();
        String name = ViewText.name(Objects.requireNonNullElse(about.getNamespace(), "default"), about.getName());
        return ViewText.wrap(
                "%6ss  %s %s %s: %s"
                        .formatted(
                                simulation.secondsUntil(event.getFirstTimestamp()),
                                about.getKind(),
                                name,
                                event.getReason(),
                                event.getMessage()),
                "",
                "         ");
    }
}
