package dev.fakegpu.simulate.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.fakegpu.simulate.ClusterView;
import dev.fakegpu.simulate.ClusterView.EvictionRow;
import dev.fakegpu.simulate.Observation;
import dev.fakegpu.simulate.ScenarioStage;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.simulate.scenario.ScenarioManifest.Step;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Plays a scenario step by step. */
public final class ScenarioRun {

    /** The maximum time until a step has settled. */
    private static final Duration LONGEST_STEP = Duration.ofMinutes(1);

    private final ScenarioStage stage;

    /** The number of pods that were evicted before this step. */
    private int evicted;

    public ScenarioRun(ScenarioStage stage) {
        this.stage = stage;
    }

    /**
     * The result of a step.
     *
     * @param number the number of the step, from 1; for expectations without a name, that of the step before them
     * @param title what was done; empty for expectations without a name
     * @param at the time since the beginning, after the step
     * @param checks one result for each expectation; for other steps at most one, which failed
     * @param view the state after the step
     * @param evictions the evictions in this step
     */
    public record StepResult(
            int number, String title, Duration at, List<Check> checks, ClusterView view, List<EvictionRow> evictions) {
        public StepResult {
            checks = List.copyOf(checks);
            evictions = List.copyOf(evictions);
        }
    }

    /**
     * The result of an expectation.
     *
     * @param expected the expectation in words
     * @param actual the actual state; if it is as expected, with more details
     * @param why the reason for waiting; empty if nothing waits
     */
    public record Check(boolean passed, String expected, String actual, String why) {}

    /** @param number the number of the step, from 1 */
    public StepResult play(int number, Step step) {
        if (step instanceof ScenarioManifest.Expect expect) {
            var seen = stage.observe(
                    observation -> checks(expect, observation).stream().allMatch(Check::passed));
            return result(number, step, checks(expect, seen), seen.view());
        }
        List<Check> checks = act(step).map(List::of).orElse(List.of());
        if (!(step instanceof ScenarioManifest.Wait)) {
            stage.settle(LONGEST_STEP);
        }
        var seen = stage.observe(observation -> true);
        return result(number, step, checks, seen.view());
    }

    private StepResult result(int number, Step step, List<Check> checks, ClusterView view) {
        List<EvictionRow> evictions =
                view.evictions().subList(evicted, view.evictions().size());
        evicted = view.evictions().size();
        return new StepResult(number, step.title(), stage.elapsed(), checks, view, evictions);
    }

    private static List<Check> checks(ScenarioManifest.Expect expect, Observation observation) {
        return expect.expectations().stream()
                .map(expectation -> expectation.check(observation))
                .toList();
    }

    private Optional<Check> act(Step step) {
        if (step instanceof ScenarioManifest.Apply apply) {
            apply.objects().forEach(stage::apply);
        } else if (step instanceof ScenarioManifest.Delete delete) {
            return delete.names().stream()
                    .filter(name -> !stage.delete(name))
                    .findFirst()
                    .map(ScenarioRun::missing);
        } else if (step instanceof ScenarioManifest.Change change) {
            return stage.change(change.name(), change.patch()) ? Optional.empty() : Optional.of(missing(change.name()));
        } else if (step instanceof ScenarioManifest.Fault fault) {
            return inject(fault);
        } else if (step instanceof ScenarioManifest.Wait wait) {
            stage.pass(wait.time());
        }
        return Optional.empty();
    }

    private Optional<Check> inject(ScenarioManifest.Fault step) {
        var name = new ObjectName("FakeGpu", "default", step.fakeGpu());
        Optional<HasMetadata> fakeGpu = stage.observe(seen -> true).find(name);
        if (fakeGpu.isEmpty()) {
            return Optional.of(missing(name));
        }
        ArrayNode faults = JsonNodeFactory.instance.arrayNode();
        for (JsonNode known : ApiObjects.write(fakeGpu.get()).path("spec").path("faults")) {
            if (!known.path("name").equals(step.fault().path("name"))) {
                faults.add(known);
            }
        }
        faults.add(step.fault());
        var patch = JsonNodeFactory.instance.objectNode();
        patch.withObject("/spec").set("faults", faults);
        stage.change(name, patch);
        return Optional.empty();
    }

    private static Check missing(ObjectName name) {
        return new Check(false, name + " exists", "there is no " + name, "");
    }
}
