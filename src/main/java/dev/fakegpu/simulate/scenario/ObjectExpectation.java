package dev.fakegpu.simulate.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.Observation;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.simulate.scenario.ScenarioRun.Check;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * Expects that an object exists and has certain fields, or that it does not exist.
 *
 * @param fields a part of the object, see {@link JsonPart}; empty for any content
 */
record ObjectExpectation(ObjectName object, boolean exists, JsonNode fields) implements Expectation {

    @Override
    public Check check(Observation seen) {
        Optional<HasMetadata> found = seen.find(object);
        String expected = object + (exists ? " exists" : " is gone") + (fields.isEmpty() ? "" : " with " + fields);
        if (found.isEmpty() || !exists) {
            return new Check(
                    found.isPresent() == exists,
                    expected,
                    object + (found.isPresent() ? " exists" : " does not exist"),
                    "");
        }
        var differences = JsonPart.differences(fields, ApiObjects.json(found.get()));
        return new Check(
                differences.isEmpty(),
                expected,
                differences.isEmpty() ? expected : object + ": " + String.join("; ", differences),
                "");
    }
}
