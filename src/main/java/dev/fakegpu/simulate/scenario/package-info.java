/**
 * Files with steps and expectations. In goes YAML; out comes what happened at each step, and what differs from what was expected. A scenario
 * is played on a {@code ScenarioStage}, so it never knows whether the cluster is a simulation.
 */
@NullMarked
package dev.fakegpu.simulate.scenario;

import org.jspecify.annotations.NullMarked;
