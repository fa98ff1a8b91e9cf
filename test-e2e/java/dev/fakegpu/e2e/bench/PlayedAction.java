package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.memory.ObjectName;
import java.time.Duration;

/** The action of a step in a random scenario on one object. */
sealed interface PlayedAction {

    /** Creates the object. */
    record Create(JsonNode object) implements PlayedAction {
        @Override
        public String toString() {
            return "create " + object.path("kind").asText() + " "
                    + object.path("metadata").path("name").asText() + " " + object.path("spec");
        }
    }

    /** Deletes the object if it still exists. */
    record Delete(ObjectName name) implements PlayedAction {
        @Override
        public String toString() {
            return "delete " + name.kind() + " " + name.name();
        }
    }

    /** Lets time pass. */
    record Pause(Duration duration) implements PlayedAction {
        @Override
        public String toString() {
            return "wait " + duration.toSeconds() + "s";
        }
    }

    /** Changes the object with a JSON merge patch. */
    record Change(ObjectName name, JsonNode patch) implements PlayedAction {
        @Override
        public String toString() {
            return "patch " + name.kind() + " " + name.name() + " " + patch;
        }
    }
}
