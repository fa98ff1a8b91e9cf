package dev.fakegpu.inventory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.catalog.Catalog;

/** Specs and inventories for tests. */
public final class Specs {

    public static final InventoryPlanner PLANNER = new InventoryPlanner(Catalog.builtIn());

    private static final YAMLMapper YAML = new YAMLMapper();

    private Specs() {}

    /** Reads what would be under {@code spec:}; nodes may be left out. */
    public static FakeGpuSpec spec(String yaml) {
        try {
            return YAML.readValue(yaml, FakeGpuSpec.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A model with everything that it can be offered as. */
    public static FakeGpuSpec everything(String model, int count) {
        String mig = model.equals("L40S") ? "" : "mig: {profiles: [All]}, ";
        return spec("{model: %s, count: %d, partitions: {%svgpu: {types: [All]}}}".formatted(model, count, mig));
    }

    public static Inventory plan(FakeGpuSpec spec) {
        return PLANNER.plan(spec, "fake", "node-1");
    }
}
