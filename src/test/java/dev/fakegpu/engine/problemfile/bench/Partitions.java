package dev.fakegpu.engine.problemfile.bench;

import static dev.fakegpu.engine.problemfile.bench.ProblemParts.HERE;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.attributes;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.device;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.nodeName;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.slice;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.withDevices;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The GPUs of a node with all of their MIG and vGPU devices. */
final class Partitions {

    private Partitions() {}

    /** A MIG profile of an H100, or the vGPU type of the same size. */
    private record Part(String type, String profile, int compute, int memory, List<Integer> starts, int media) {}

    private static final List<Integer> SEVEN = List.of(0, 1, 2, 3, 4, 5, 6);
    private static final List<Part> MIG = List.of(
            new Part("mig", "1g.10gb", 1, 1, SEVEN, 0),
            new Part("mig", "1g.10gb+me", 1, 1, SEVEN, 1),
            new Part("mig", "1g.20gb", 1, 2, List.of(0, 2, 4, 6), 0),
            new Part("mig", "2g.20gb", 2, 2, List.of(0, 2, 4), 0),
            new Part("mig", "3g.40gb", 3, 4, List.of(0, 4), 0),
            new Part("mig", "4g.40gb", 4, 4, List.of(0), 0),
            new Part("mig", "7g.80gb", 7, 8, List.of(0), 0));
    private static final List<Part> VGPU = List.of(
            new Part("vgpu", "10c", 0, 1, List.of(0, 1, 2, 3, 4, 5, 6, 7), 0),
            new Part("vgpu", "20c", 0, 2, List.of(0, 2, 4, 6), 0),
            new Part("vgpu", "40c", 0, 4, List.of(0, 4), 0));

    /** A slice with the counter sets, and a slice for each GPU with its partitions. */
    static List<ObjectNode> of(int gpus, boolean withGroups) {
        ObjectNode counters = slice("node-1-00-counters", HERE, gpus + 1, nodeName(HERE));
        IntStream.range(0, gpus)
                .forEach(gpu -> addCounterSet(((ObjectNode) counters.get("spec")).withArray("sharedCounters"), gpu));
        var slices = new ArrayList<>(List.of(counters));
        for (int gpu = 0; gpu < gpus; gpu++) {
            var devices = new ArrayList<ObjectNode>();
            devices.add(partition(gpu, new Part("gpu", "", 7, 8, List.of(0), 1), 0, false));
            addPartitions(devices, gpu, MIG, withGroups);
            if (withGroups) {
                addPartitions(devices, gpu, VGPU, true);
            }
            String name = "node-1-" + String.format("%02d", gpu + 1) + "-gpu";
            slices.add(withDevices(slice(name, HERE, gpus + 1, nodeName(HERE)), devices));
        }
        return slices;
    }

    private static void addCounterSet(ArrayNode sets, int gpu) {
        ObjectNode counters =
                sets.addObject().put("name", "gpu-" + gpu + "-counters").putObject("counters");
        for (int i = 0; i < 8; i++) {
            counters.putObject("memory-slice-" + i).put("value", "1");
        }
        counters.putObject("compute-slices").put("value", "7");
        counters.putObject("media-extensions").put("value", "1");
    }

    private static void addPartitions(List<ObjectNode> devices, int gpu, List<Part> parts, boolean withGroups) {
        parts.forEach(part -> part.starts().forEach(start -> devices.add(partition(gpu, part, start, withGroups))));
    }

    private static ObjectNode partition(int gpu, Part part, int start, boolean withGroup) {
        String suffix = part.type().equals("gpu")
                ? ""
                : "-" + part.type() + "-" + part.profile().replaceAll("[.+]", "-") + "-" + start;
        ObjectNode device = device("gpu-" + gpu + suffix, part.type());
        attributes(device).putObject("profile").put("string", part.profile());
        attributes(device).putObject("start").put("int", start);
        ObjectNode consumption =
                device.putArray("consumesCounters").addObject().put("counterSet", "gpu-" + gpu + "-counters");
        ObjectNode counters = consumption.putObject("counters");
        for (int i = start; i < Math.min(8, start + part.memory()); i++) {
            counters.putObject("memory-slice-" + i).put("value", "1");
        }
        addCounter(counters, "compute-slices", part.compute());
        addCounter(counters, "media-extensions", part.media());
        if (withGroup) {
            consumption.putArray("compatibilityGroups").add(part.type());
        }
        return device;
    }

    private static void addCounter(ObjectNode counters, String name, int amount) {
        if (amount > 0) {
            counters.putObject(name).put("value", Integer.toString(amount));
        }
    }
}
