/**
 * Files with steps and expectations. The input is YAML; the output is what happened at each step, and how it differs from the expectations.
 * A scenario is played on a {@code ScenarioStage}, so this package does not know whether the cluster is a simulation.
 */
@NullMarked
package dev.fakegpu.simulate.scenario;

import org.jspecify.annotations.NullMarked;
