package dev.fakegpu.simulate.scenario;

import dev.fakegpu.simulate.Observation;
import dev.fakegpu.simulate.scenario.ScenarioRun.Check;

/** What a scenario expects of a cluster at one moment. */
public sealed interface Expectation
        permits WorkloadExpectation, ObjectExpectation, ConditionExpectation, EventExpectation, PublishedExpectation {

    /** Compares the expectation with the state of the cluster. */
    Check check(Observation seen);
}
