package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.memory.ObjectName;
import java.time.Duration;
import java.util.function.Predicate;

/** A cluster on which a scenario is played, either in memory or real. */
public interface ScenarioStage {

    /** Creates the object, or replaces everything except its status. */
    void apply(JsonNode object);

    /** Deletes an object; returns whether it existed. */
    boolean delete(ObjectName name);

    /** Applies a JSON merge patch, which may include the status. Returns whether the object exists. */
    boolean change(ObjectName name, JsonNode patch);

    /** Waits until the effects of a step have settled, but at most for {@code longest}. */
    void settle(Duration longest);

    /** Lets time pass as a scenario requests. A real cluster may ignore it, since it waits for expectations. */
    void pass(Duration time);

    /** The time since the beginning. */
    Duration elapsed();

    /**
     * Returns the state of the cluster.
     *
     * @param isExpected a real cluster is observed until this holds, or until the user's time limit
     */
    Observation observe(Predicate<Observation> isExpected);
}
