package dev.fakegpu.hardware.inventory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.Model;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public final class Specs {

    public static final InventoryPlanner PLANNER = new InventoryPlanner(Catalog.builtIn());

    private static final YAMLMapper YAML = new YAMLMapper();

    private Specs() {}

    /** Parses the content of {@code spec:}; nodes may be omitted. */
    public static FakeGpuSpec spec(String yaml) {
        try {
            return YAML.readValue(yaml, FakeGpuSpec.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A spec of a model with all its partitions except VFIO and MIG-backed vGPUs. */
    public static FakeGpuSpec everything(String model, int count) {
        return spec("{model: %s, count: %d, partitions: {%s}}".formatted(model, count, migAndVgpu(model)));
    }

    /** A spec of a model with all its partitions. */
    public static FakeGpuSpec everythingAtAll(String model, int count) {
        return everythingAtAll(model, count, "EqualSize");
    }

    public static FakeGpuSpec everythingAtAll(String model, int count, String sizing) {
        var gpu = (GpuModel) Catalog.builtIn().find(model).orElseThrow();
        String backed = gpu.mig() == null || gpu.vgpu() == null ? "" : "migBackedVgpu: {types: [All]}, ";
        return spec("{model: %s, count: %d, partitions: {%s%svfio: true}}"
                .formatted(
                        model, count, migAndVgpu(model).replace("types:", "sizing: " + sizing + ", types:"), backed));
    }

    /** The names of the models that imitate NVIDIA's driver. */
    public static Stream<String> gpuModels() {
        return Catalog.builtIn().models().stream()
                .filter(GpuModel.class::isInstance)
                .map(Model::name);
    }

    private static String migAndVgpu(String model) {
        var gpu = (GpuModel) Catalog.builtIn().find(model).orElseThrow();
        return Stream.of(
                        gpu.mig() == null ? "" : "mig: {profiles: [All]}",
                        gpu.vgpu() == null ? "" : "vgpu: {types: [All]}")
                .filter(part -> !part.isEmpty())
                .map(part -> part + ", ")
                .collect(Collectors.joining());
    }

    public static Inventory plan(FakeGpuSpec spec) {
        return PLANNER.plan(spec, "fake", "node-1");
    }

    public static List<String> names(Inventory inventory) {
        return inventory.devices().stream().map(Device::name).toList();
    }

    public static Device device(Inventory inventory, String name) {
        return inventory.devices().stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The amount of each capacity of a device. */
    public static Map<String, Quantity> quantities(Device device) {
        return device.capacity().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, capacity -> capacity.getValue().value()));
    }
}
