package dev.fakegpu.simulate.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cluster.validation.ApiServer;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.simulate.memory.SimulationException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A scenario: what users do, and what is expected afterward.
 *
 * @param scheduler the schedulers with which it is meant to be played; null if it does not say
 */
public record ScenarioManifest(@Nullable Schedulers scheduler, List<Step> steps) {

    public ScenarioManifest {
        steps = List.copyOf(steps);
    }

    /** Reads a scenario for the newest version of Kubernetes. */
    public static ScenarioManifest read(JsonNode json, Function<String, List<JsonNode>> files) {
        return read(json, ApiServer.of(KubernetesVersion.NEWEST), files);
    }

    /**
     * Reads a scenario.
     *
     * @param json an object of kind {@code ScenarioManifest}
     * @param server the API server to which its objects are applied
     * @param files reads the objects in a file or folder, whose path is relative to the scenario
     * @throws SimulationException with a message for each problem, if the scenario is invalid
     */
    public static ScenarioManifest read(JsonNode json, ApiServer server, Function<String, List<JsonNode>> files) {
        return new ScenarioReader(server, files).read(json);
    }

    /** A step that applies objects. */
    public static Step apply(String title, List<JsonNode> objects) {
        return new Apply(title, objects);
    }

    /** One step. */
    public sealed interface Step {

        /** The heading of the step, in one line. */
        String title();
    }

    record Apply(String title, List<JsonNode> objects) implements Step {}

    record Delete(String title, List<ObjectName> names) implements Step {}

    record Change(String title, ObjectName name, JsonNode patch) implements Step {}

    record Wait(String title, Duration time) implements Step {}

    /** @param fault an entry of {@code spec.faults}; replaces the entry with the same name */
    record Fault(String title, String fakeGpu, JsonNode fault) implements Step {}

    public record Expect(String title, List<Expectation> expectations) implements Step {}
}
