package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.Labels;

/** Changes the FakeGpus and pods of a scenario from the companion to kube-scheduler. */
final class KubeSchedulerStage extends ForwardingStage {

    KubeSchedulerStage(ScenarioStage stage) {
        super(stage);
    }

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
        super.apply(changed);
    }
}
