package dev.fakegpu.simulate.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.util.Suggestion;
import java.util.Optional;

/** Reads the names of objects in a scenario. */
final class ScenarioObjects {

    private final ScenarioProblems problems;

    ScenarioObjects(ScenarioProblems problems) {
        this.problems = problems;
    }

    /** The name; empty if the text is not a name, which is reported. */
    Optional<ObjectName> name(String path, JsonNode item) {
        Optional<ObjectName> name = ObjectName.parse(item.asText());
        if (name.isPresent()) {
            return name;
        }
        String kind = item.asText().split("/", 2)[0];
        String hint = item.asText().contains("/") ? Suggestion.hint(kind, ObjectName.kinds()) : "";
        return hint.isEmpty()
                ? problems.add(path, item, "kind/name or kind/namespace/name, such as pod/pod-a")
                : problems.add(path, "has the kind \"" + kind + "\", which is not known" + hint, "");
    }
}
