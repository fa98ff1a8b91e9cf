package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.Labels;
import dev.fakegpu.simulate.memory.ObjectName;
import java.time.Duration;
import java.util.function.Predicate;

/** Lets kube-scheduler do what a scenario leaves to the companion: it gets the devices of FakeGpus, and the pods. */
record KubeSchedulerStage(ScenarioStage cluster) implements ScenarioStage {

    @Override
    public void apply(JsonNode object) {
        JsonNode changed = object.deepCopy();
        if (object.path("kind").asText().equals("FakeGpu")) {
            ((ObjectNode) changed.path("spec")).put("allocator", "KubeScheduler");
        } else if (object.path("kind").asText().equals("Pod")) {
            var spec = (ObjectNode) changed.path("spec");
            spec.remove("schedulerName");
            spec.withArray("tolerations")
                    .addObject()
                    .put("key", Labels.SIMULATED)
                    .put("operator", "Exists");
        }
        cluster.apply(changed);
    }

    @Override
    public boolean delete(ObjectName name) {
        return cluster.delete(name);
    }

    @Override
    public boolean change(ObjectName name, JsonNode patch) {
        return cluster.change(name, patch);
    }

    @Override
    public void settle(Duration longest) {
        cluster.settle(longest);
    }

    @Override
    public void pass(Duration time) {
        cluster.pass(time);
    }

    @Override
    public Duration elapsed() {
        return cluster.elapsed();
    }

    @Override
    public Observation observe(Predicate<Observation> isExpected) {
        return cluster.observe(isExpected);
    }
}
