package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.memory.ObjectName;
import java.time.Duration;
import java.util.function.Predicate;

/** A stage that passes on to another one what it does not do itself. */
abstract class ForwardingStage implements ScenarioStage {

    private final ScenarioStage stage;

    ForwardingStage(ScenarioStage stage) {
        this.stage = stage;
    }

    @Override
    public void apply(JsonNode object) {
        stage.apply(object);
    }

    @Override
    public boolean delete(ObjectName name) {
        return stage.delete(name);
    }

    @Override
    public boolean change(ObjectName name, JsonNode patch) {
        return stage.change(name, patch);
    }

    @Override
    public void settle(Duration longest) {
        stage.settle(longest);
    }

    @Override
    public void pass(Duration time) {
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
