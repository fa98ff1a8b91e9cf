package dev.fakegpu.simulate.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.Observation;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.simulate.scenario.ScenarioRun.Check;
import dev.fakegpu.simulate.scenario.WorkloadExpectation.Why;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Expects a condition in the status of an object, or of the devices of a claim. A condition about an older generation of the object does
 * not count.
 *
 * @param type the type, such as {@code Accepted}
 * @param is the status, or {@code Absent}
 */
record ConditionExpectation(String type, ObjectName object, String is, Why why) implements Expectation {

    static final String ABSENT = "Absent";
    static final List<String> STATES = List.of("True", "False", "Unknown", ABSENT);

    @Override
    public Check check(Observation seen) {
        String expected = "condition %s of %s is %s%s".formatted(type, object, is, why);
        Optional<JsonNode> stored = seen.find(object).map(ApiObjects::json);
        if (stored.isEmpty()) {
            return new Check(false, expected, object + " does not exist", "");
        }
        List<JsonNode> conditions = conditions(stored.get())
                .filter(condition -> condition.path("type").asText().equals(type))
                .toList();
        if (isOutdated(stored.get(), conditions)) {
            return new Check(false, expected, "the status of " + object + " is about an older generation", "");
        }
        if (conditions.isEmpty()) {
            return new Check(is.equals(ABSENT), expected, object + " has no condition " + type, "");
        }
        boolean passed = conditions.stream().anyMatch(this::isExpected);
        JsonNode first = conditions.get(0);
        return new Check(
                passed,
                expected,
                passed
                        ? expected
                        : "condition %s of %s is %s, reason \"%s\": %s"
                                .formatted(
                                        type,
                                        object,
                                        text(first, "status"),
                                        text(first, "reason"),
                                        text(first, "message")),
                "");
    }

    private boolean isExpected(JsonNode condition) {
        return text(condition, "status").equals(is)
                && why.matches(text(condition, "reason"), text(condition, "message"));
    }

    private static boolean isOutdated(JsonNode object, List<JsonNode> conditions) {
        long generation = object.path("metadata").path("generation").asLong();
        JsonNode ofStatus = object.path("status").path("observedGeneration");
        return Stream.concat(
                        Stream.of(ofStatus), conditions.stream().map(condition -> condition.path("observedGeneration")))
                .anyMatch(observed -> observed.isNumber() && observed.asLong() < generation);
    }

    private static Stream<JsonNode> conditions(JsonNode object) {
        JsonNode status = object.path("status");
        return Stream.concat(
                items(status.path("conditions")),
                items(status.path("devices")).flatMap(device -> items(device.path("conditions"))));
    }

    private static Stream<JsonNode> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static String text(JsonNode condition, String field) {
        return condition.path(field).asText();
    }
}
