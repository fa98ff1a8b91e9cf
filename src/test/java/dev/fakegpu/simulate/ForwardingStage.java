package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.memory.ObjectName;
import java.time.Duration;
import java.util.function.Predicate;

/** A stage that delegates to another one. */
abstract class ForwardingStage implements ScenarioStage {

    private final ScenarioStage stage;

    ForwardingStage(ScenarioStage stage) {
        this.stage = stage;
    }

    /** Called before each step that may change the cluster. */
    void changed() {}

    @Override
    public void apply(JsonNode object) {
        changed();
        stage.apply(object);
    }

    @Override
    public boolean delete(ObjectName name) {
        changed();
        return stage.delete(name);
    }

    @Override
    public boolean change(ObjectName name, JsonNode patch) {
        changed();
        return stage.change(name, patch);
    }

    @Override
    public void settle(Duration longest) {
        changed();
        stage.settle(longest);
    }

    @Override
    public void pass(Duration time) {
        changed();
        stage.pass(time);
    }

    @Override
    public Duration elapsed() {
        return stage.elapsed();
    }

    @Override
    public Observation observe(Predicate<Observation> isExpected) {
        return stage.observe(isExpected);
    }
}
