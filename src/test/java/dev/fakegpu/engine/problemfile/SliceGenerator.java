package dev.fakegpu.engine.problemfile;

import static dev.fakegpu.engine.problemfile.Dice.object;
import static dev.fakegpu.engine.problemfile.Dice.strings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Generates ResourceSlices: pools of one to three slices, some of which are invalid or incomplete. */
public final class SliceGenerator {

    private static final double RARELY = 0.02;
    private static final double SOMETIMES = 0.12;

    private final Dice dice;
    private final List<ObjectNode> slices = new ArrayList<>();

    public SliceGenerator(Dice dice) {
        this.dice = dice;
    }

    public ArrayNode slices() {
        List<String> pools = dice.shuffled(List.of("pool-1", "pool-10", "pool-9", "Pool-1"));
        int count = dice.oneOf(1, 1, 2, 2, 3);
        for (int i = 0; i < count; i++) {
            new Pool(dice.oneOf("a.example.com", "a.example.com", "b.example.com"), pools.get(i), count == 1 ? 6 : 4)
                    .add();
        }
        ArrayNode array = Dice.JSON.arrayNode();
        dice.shuffled(slices).forEach(array::add);
        return array;
    }

    /** A pool that is being generated. */
    private final class Pool {

        private final String driver;
        private final String name;
        private final int maxDevices;
        private final DeviceGenerator devices;
        private final boolean hasCounters = dice.chance(0.45);
        private final boolean perDevice = dice.chance(SOMETIMES);
        private final ObjectNode nodes = nodeSelection(0.03);
        private final List<ObjectNode> own = new ArrayList<>();

        Pool(String driver, String name, int maxDevices) {
            this.driver = driver;
            this.name = name;
            this.maxDevices = maxDevices;
            devices = new DeviceGenerator(dice, hasCounters);
        }

        void add() {
            int deviceSlices = dice.oneOf(1, 1, 2);
            int count = dice.between(2, maxDevices);
            for (int i = 0; i < deviceSlices; i++) {
                addDevices(i, i * count / deviceSlices, (i + 1) * count / deviceSlices);
            }
            if (hasCounters) {
                addCounters();
            }
            if (dice.chance(SOMETIMES)) {
                addSliceOfAnotherNode(count);
            }
            own.forEach(slice -> setCount(slice, own.size()));
            if (dice.chance(0.05)) {
                spoil();
            }
            slices.addAll(own);
        }

        private ObjectNode addSlice(String sliceName) {
            ObjectNode slice = object();
            slice.putObject("metadata").put("name", sliceName);
            ObjectNode spec = slice.putObject("spec").put("driver", driver);
            spec.putObject("pool").put("name", name).put("generation", 2);
            own.add(slice);
            return spec;
        }

        private void addDevices(int index, int from, int to) {
            ObjectNode spec = addSlice(name + "-" + dice.oneOf("a", "b", "c") + index);
            boolean selectsPerDevice = perDevice && dice.chance(0.8);
            if (selectsPerDevice) {
                spec.put("perDeviceNodeSelection", true);
            } else {
                spec.setAll(nodes.deepCopy());
            }
            for (int i = from; i < to; i++) {
                ObjectNode device = devices.device("device-" + i);
                if (selectsPerDevice && dice.chance(0.95)) {
                    device.setAll(nodeSelection(0.15));
                }
                spec.withArray("devices").add(device);
            }
            if (dice.chance(SOMETIMES)) {
                spec.set("skipNodeOperations", strings(dice.oneOf("*", "NodePrepareResources")));
            }
        }

        private void addCounters() {
            ObjectNode spec = addSlice(name + "-counters");
            spec.setAll(perDevice ? object().put("allNodes", true) : nodes.deepCopy());
            spec.set("sharedCounters", devices.counterSets());
        }

        private void addSliceOfAnotherNode(int count) {
            ObjectNode spec = addSlice(name + "-d").put("nodeName", "node-2");
            spec.withArray("devices").add(devices.device("device-" + (dice.chance(0.1) ? 0 : count)));
        }

        private void setCount(ObjectNode slice, int count) {
            pool(slice).put("resourceSliceCount", count);
        }

        private ObjectNode pool(JsonNode slice) {
            return (ObjectNode) slice.get("spec").get("pool");
        }

        private void spoil() {
            ObjectNode slice = dice.oneOf(own);
            switch (dice.between(0, 5)) {
                case 0 -> own.forEach(each -> setCount(each, own.size() + dice.oneOf(-1, 1)));
                case 1 -> pool(slice).put("generation", dice.between(1, 3));
                case 2 -> own.remove(slice);
                case 3 -> own.add(ofGeneration(slice, 1));
                case 4 -> own.add(onNode(ofGeneration(slice, 3), "node-2"));
                default -> own.add(slice.deepCopy());
            }
        }

        private ObjectNode ofGeneration(ObjectNode slice, int generation) {
            ObjectNode copy = slice.deepCopy();
            pool(copy).put("generation", generation);
            return copy;
        }

        private ObjectNode onNode(ObjectNode slice, String nodeName) {
            ObjectNode spec = (ObjectNode) slice.get("spec");
            spec.remove(List.of("allNodes", "nodeSelector", "perDeviceNodeSelection"));
            spec.put("nodeName", nodeName);
            return slice;
        }
    }

    private ObjectNode nodeSelection(double elsewhere) {
        if (dice.chance(elsewhere)) {
            return object().put("nodeName", "node-2");
        }
        if (dice.chance(RARELY)) {
            return object().put("nodeName", "").put("allNodes", true);
        }
        return switch (dice.between(0, 3)) {
            case 0 -> object().put("allNodes", true);
            case 1 -> object().set("nodeSelector", nodeSelector());
            default -> object().put("nodeName", "node-1");
        };
    }

    private ObjectNode nodeSelector() {
        ObjectNode selector = object();
        ObjectNode term = selector.putArray("nodeSelectorTerms").addObject();
        int requirements = dice.oneOf(1, 1, 2);
        for (int i = 0; i < requirements; i++) {
            term.withArray("matchExpressions").add(requirement());
        }
        if (dice.chance(SOMETIMES)) {
            term.withArray("matchFields")
                    .addObject()
                    .put("key", "metadata.name")
                    .put("operator", "In")
                    .set("values", strings("node-1"));
        }
        if (dice.chance(RARELY)) {
            selector.withArray("nodeSelectorTerms")
                    .addObject()
                    .withArray("matchExpressions")
                    .add(requirement());
        }
        return selector;
    }

    private ObjectNode requirement() {
        return switch (dice.between(0, 5)) {
            case 0 -> requirement("zone", "In", "a", "b");
            case 1 -> requirement("zone", "In", "b", "a");
            case 2 -> requirement("zone", "In", "a");
            case 3 -> requirement("rack", "Exists");
            case 4 -> requirement("rack", dice.oneOf("Gt", "Gt", "Lt"), dice.oneOf("6", "6", "7"));
            default -> requirement("zone", "NotIn", "c");
        };
    }

    private static ObjectNode requirement(String key, String operator, String... values) {
        ObjectNode requirement = object().put("key", key).put("operator", operator);
        if (values.length > 0) {
            requirement.set("values", strings(values));
        }
        return requirement;
    }
}
