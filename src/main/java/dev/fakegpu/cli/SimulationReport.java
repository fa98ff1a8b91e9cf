package dev.fakegpu.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.scenario.ScenarioRun.StepResult;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reports at the end of a simulation. */
final class SimulationReport {

    private final Simulation simulation;
    private final List<StepResult> results;

    SimulationReport(Simulation simulation, List<StepResult> results) {
        this.simulation = simulation;
        this.results = results;
    }

    String json() {
        return AnswerOutput.json(Serialization.jsonMapper().<JsonNode>valueToTree(fields()));
    }

    String yaml() {
        return Serialization.asYaml(fields());
    }

    private Map<String, Object> fields() {
        var report = new LinkedHashMap<String, Object>();
        var view = simulation.view();
        report.put("claims", view.claims());
        report.put("pods", view.pods());
        report.put("problems", view.problems());
        report.put("evictions", view.evictions());
        report.put("steps", results.stream().map(SimulationReport::fields).toList());
        return report;
    }

    private static Map<String, Object> fields(StepResult result) {
        var report = new LinkedHashMap<String, Object>();
        report.put("step", result.number());
        report.put("title", result.title());
        report.put("seconds", result.at().toMillis() / 1000.0);
        report.put("checks", result.checks());
        return report;
    }

    /** The cluster's objects as a list that other commands can read with {@code --from}. */
    String state() {
        ObjectNode list =
                JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "List");
        var items = list.putArray("items");
        objects().stream()
                .filter(object -> ObjectKind.of(object).isPresent())
                .forEach(object -> items.add(ApiObjects.json(object)));
        return Serialization.asYaml(list);
    }

    /** How many more claims fit, for each class and partition type. */
    List<String> free() {
        return FreeAnswer.summary(new ClusterSnapshot(ClusterObjects.of(List.copyOf(objects()))), GateSources.NONE);
    }

    private Collection<HasMetadata> objects() {
        return simulation.cluster().all();
    }
}
