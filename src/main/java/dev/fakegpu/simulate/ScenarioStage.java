package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.memory.ObjectName;
import java.time.Duration;
import java.util.function.Predicate;

/** A cluster on which a scenario is played: one in memory, or a real one. */
public interface ScenarioStage {

    /** Creates the object, or replaces everything but its status. */
    void apply(JsonNode object);

    /** Deletes an object; returns whether it existed. */
    boolean delete(ObjectName name);

    /** Applies a JSON merge patch, also to the status; returns whether the object exists. */
    boolean change(ObjectName name, JsonNode patch);

    /** Waits until the consequences of a step have been dealt with, at most for {@code longest}. */
    void settle(Duration longest);

    /** Lets time pass that a scenario asks for; a real cluster, whose expectations are awaited, may ignore it. */
    void pass(Duration time);

    /** Time since the beginning. */
    Duration elapsed();

    /**
     * Returns the state of the cluster.
     *
     * @param isExpected a real cluster is observed until this holds, or for as long as its user has patience
     */
    Observation observe(Predicate<Observation> isExpected);
}
