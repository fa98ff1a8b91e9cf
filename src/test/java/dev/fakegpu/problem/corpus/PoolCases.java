package dev.fakegpu.problem.corpus;

import static dev.fakegpu.problem.corpus.Sketch.all;
import static dev.fakegpu.problem.corpus.Sketch.consumes;
import static dev.fakegpu.problem.corpus.Sketch.consuming;
import static dev.fakegpu.problem.corpus.Sketch.device;
import static dev.fakegpu.problem.corpus.Sketch.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Pools: which slices make one up, whether it is complete and valid, in which order its devices are tried; shared counters. */
final class PoolCases {

    private static final String HERE_FIRST = "{nodeName:'node-1',pool:{generation:1,resourceSliceCount:1}}";

    private static final String HERE = "{nodeName:'node-1'}";
    private static final String THERE = "{nodeName:'node-2'}";
    private static final String SET = "[{name:'s',counters:{memory:{value:'4'}}}]";

    private final List<ObjectNode> problems = new ArrayList<>();

    static List<ObjectNode> problems() {
        var cases = new PoolCases();
        cases.states();
        cases.order();
        cases.nodes();
        cases.counters();
        return cases.problems;
    }

    private void add(Sketch sketch) {
        problems.add(sketch.problem());
    }

    private static String pool(String fields) {
        return "{nodeName:'node-1',pool:{" + fields + "}}";
    }

    private static String poolThere(String fields) {
        return "{nodeName:'node-2',pool:{" + fields + "}}";
    }

    /** What can be wrong with a pool, each with a request for one device, for all, and for one of another pool. */
    private void states() {
        Map<String, UnaryOperator<Sketch>> states = new LinkedHashMap<>();
        states.put("complete", s -> s.devices(device("d0")));
        states.put("slice-missing", s -> s.slice("a", pool("resourceSliceCount:2"), device("d0")));
        states.put(
                "slice-too-many",
                s -> s.slice("a", pool("resourceSliceCount:1"), device("d0"))
                        .slice("b", pool("resourceSliceCount:1"), device("d1")));
        states.put("rest-on-another-node", s -> s.slice("a", HERE, device("d0")).slice("b", THERE, device("d1")));
        states.put(
                "old-slice-left-over",
                s -> s.slice("a", HERE, device("d0"))
                        .slice("b", pool("generation:0,resourceSliceCount:2"), device("d1")));
        states.put(
                "newer-elsewhere-unseen",
                s -> s.slice("a", pool("resourceSliceCount:1"), device("d0"))
                        .slice("b", poolThere("generation:2,resourceSliceCount:1"), device("d1")));
        states.put(
                "newer-elsewhere-obsolete",
                s -> s.slice("a", pool("resourceSliceCount:2"), device("d0"))
                        .slice("b", poolThere("generation:2,resourceSliceCount:2"), device("d1")));
        states.put(
                "newer-here",
                s -> s.slice("a", pool("resourceSliceCount:1"), device("d0"))
                        .slice("b", pool("generation:2,resourceSliceCount:1"), device("d1")));
        states.put(
                "newer-here-incomplete",
                s -> s.slice("a", pool("resourceSliceCount:1"), device("d0"))
                        .slice("b", pool("generation:2,resourceSliceCount:2"), device("d1")));
        states.put(
                "counts-differ-first-counts",
                s -> s.slice("a", pool("resourceSliceCount:2"), device("d0"))
                        .slice("b", pool("resourceSliceCount:3"), device("d1")));
        states.put(
                "counts-differ-first-too-large",
                s -> s.slice("a", pool("resourceSliceCount:3"), device("d0"))
                        .slice("b", pool("resourceSliceCount:2"), device("d1")));
        states.put("device-twice", s -> s.slice("a", HERE, device("d0"), device("d0")));
        states.put(
                "device-twice-over-slices",
                s -> s.slice("a", HERE, device("d0")).slice("b", HERE, device("d0")));
        states.put(
                "device-twice-over-nodes", s -> s.slice("a", HERE, device("d0")).slice("b", THERE, device("d0")));
        states.put(
                "device-twice-in-two-pools",
                s -> s.slice("a", HERE, device("d0")).sliceOf(Sketch.DRIVER, "p2", "b", HERE, device("d0")));
        states.put("slice-name-twice", s -> s.slice("a", HERE, device("d0")).slice("a", THERE, device("d1")));
        states.put(
                "set-twice",
                s -> s.slice("c1", "{nodeName:'node-1',sharedCounters:" + SET + "}")
                        .slice("c2", "{nodeName:'node-1',sharedCounters:" + SET + "}")
                        .slice("a", HERE, device("d0")));
        states.put("set-unknown", s -> s.counters(SET).slice("a", HERE, device("d0", consuming(consumes("t", "1")))));
        states.put(
                "counter-unknown",
                s -> s.counters("[{name:'s',counters:{other:{value:'4'}}}]")
                        .slice("a", HERE, device("d0", consuming(consumes("s", "1")))));
        states.put(
                "set-unknown-on-another-node",
                s -> s.counters(SET)
                        .slice("a", HERE, device("d0"))
                        .slice("b", THERE, device("d1", consuming(consumes("t", "1")))));
        states.put(
                "set-of-another-pool",
                s -> s.sliceOf(Sketch.DRIVER, "p2", "c", "{nodeName:'node-1',sharedCounters:" + SET + "}")
                        .slice("a", HERE, device("d0", consuming(consumes("s", "1")))));
        states.put(
                "counters-not-for-this-node",
                s -> s.slice("c", "{nodeName:'node-2',sharedCounters:" + SET + "}")
                        .slice("a", HERE, device("d0", consuming(consumes("s", "1")))));
        states.put("no-devices", s -> s.slice("a", HERE));
        states.put("no-node-selection", s -> s.slice("a", "{}", device("d0")));
        states.forEach((name, state) -> {
            add(state.apply(Sketch.of(
                            "pools/" + name, "A pool is used only if all its slices are there and go together."))
                    .claim(request("r0")));
            add(state.apply(
                            Sketch.of(
                                    "pools/" + name + "-asking-for-all",
                                    "All devices can be told only where every pool of the node, of any driver, is complete and valid."))
                    .sliceOf("nic.example.com", "nics", "n", HERE, device("n0"))
                    .claim(all("r0", Sketch.selector("device.driver == \"nic.example.com\""))));
            add(state.apply(Sketch.of(
                            "pools/" + name + "-asking-another-pool",
                            "One device of another pool can be had whatever the state of this one."))
                    .sliceOf("nic.example.com", "nics", "n", HERE, device("n0"))
                    .claim(request("r0", Sketch.selector("device.driver == \"nic.example.com\""))));
        });
    }

    private void order() {
        String binding = "bindingConditions:['ready']";
        add(Sketch.of(
                        "order/pools-bytewise",
                        "Pools are tried by driver and name, compared as bytes: 10 before 9, P before p.")
                .sliceOf(Sketch.DRIVER, "pool-9", "a", HERE, device("d0"))
                .sliceOf(Sketch.DRIVER, "pool-10", "b", HERE, device("d0"))
                .sliceOf(Sketch.DRIVER, "Pool-9", "c", HERE, device("d0"))
                .sliceOf("a.example.com", "z", "d", HERE, device("d0"))
                .claim(request("r0", "count:4")));
        add(Sketch.of("order/slices-by-name", "Slices are tried by name, devices as they are listed.")
                .slice("slice-9", HERE, device("d4"), device("d3"))
                .slice("slice-10", HERE, device("d2"))
                .slice("Slice", HERE, device("d1"))
                .claim(request("r0", "count:4")));
        add(Sketch.of("order/binding-pools-last", "A pool with a binding condition anywhere comes last, as it is.")
                .sliceOf(Sketch.DRIVER, "a", "a", HERE, device("d0"), device("d1", binding))
                .sliceOf(Sketch.DRIVER, "b", "b", HERE, device("d0"))
                .claim(request("r0", "count:3")));
        add(Sketch.of("order/binding-pools-last-gate-off", "Also where the feature is off.")
                .without("DeviceBindingAndStatus")
                .sliceOf(Sketch.DRIVER, "a", "a", HERE, device("d0"), device("d1", binding))
                .sliceOf(Sketch.DRIVER, "b", "b", HERE, device("d0"))
                .claim(request("r0", "count:2")));
        add(Sketch.of("order/binding-on-another-node", "Conditions of a device on another node do not count.")
                .sliceOf(Sketch.DRIVER, "a", "a", HERE, device("d0"))
                .sliceOf(Sketch.DRIVER, "a", "a2", THERE, device("d1", binding))
                .sliceOf(Sketch.DRIVER, "b", "b", HERE, device("d0"))
                .claim(request("r0")));
        add(Sketch.of("order/binding-slices-stay", "Within a pool conditions change no order.")
                .slice("a", HERE, device("d0", binding))
                .slice("b", HERE, device("d1"))
                .claim(request("r0")));
    }

    private void nodes() {
        add(nodeCase("all-nodes", "{allNodes:true}", "Usable everywhere: the result has no node selector."));
        add(nodeCase("all-nodes-false", "{allNodes:false}", "Which selects nothing."));
        add(nodeCase(
                "empty-name-and-all",
                "{nodeName:'',allNodes:true}",
                "An empty name still ties the result to the node."));
        add(nodeCase(
                "selector", selector("{key:'zone',operator:'In',values:['a']}"), "A selector goes into the result."));
        add(nodeCase("selector-other", selector("{key:'zone',operator:'In',values:['b']}"), "If it matches."));
        for (String requirement : List.of(
                "{key:'zone',operator:'Exists'}",
                "{key:'none',operator:'DoesNotExist'}",
                "{key:'zone',operator:'NotIn',values:['b']}",
                "{key:'none',operator:'NotIn',values:['b']}",
                "{key:'rack',operator:'Gt',values:['6']}",
                "{key:'rack',operator:'Lt',values:['7']}",
                "{key:'zone',operator:'Gt',values:['6']}",
                "{key:'zone',operator:'In',values:[]}",
                "{key:'zone',operator:'Like',values:['a']}",
                "{key:'rack',operator:'Gt',values:['x']}")) {
            String label = requirement.replaceAll("[{}:',\\[\\]]+", "-").replaceAll("^-|-$", "");
            add(nodeCase("selector-" + label, selector(requirement), "The operators are those of node affinity."));
        }
        add(nodeCase(
                "selector-fields",
                "{nodeSelector:{nodeSelectorTerms:[{matchFields:[{key:'metadata.name',operator:'In',values:['node-1']}]}]}}",
                "Fields are kept apart from labels."));
        add(nodeCase(
                "selector-two-terms",
                "{nodeSelector:{nodeSelectorTerms:[{matchExpressions:[{key:'zone',operator:'Exists'}]},{matchExpressions:[{key:'rack',operator:'Exists'}]}]}}",
                "Two terms cannot be merged: a fatal error, once a device is found."));
        add(nodeCase("selector-no-terms", "{nodeSelector:{nodeSelectorTerms:[]}}", "Nothing matches."));
        add(nodeCase(
                "selector-empty-term", "{nodeSelector:{nodeSelectorTerms:[{}]}}", "Nothing matches an empty term."));
        add(Sketch.of(
                        "nodes/selectors-are-merged",
                        "Requirements are collected, the same one once, whatever the order of values.")
                .sliceOf(Sketch.DRIVER, "a", "a", selector("{key:'zone',operator:'In',values:['a','b']}"), device("d0"))
                .sliceOf(Sketch.DRIVER, "b", "b", selector("{key:'zone',operator:'In',values:['b','a']}"), device("d0"))
                .sliceOf(Sketch.DRIVER, "c", "c", selector("{key:'rack',operator:'Exists'}"), device("d0"))
                .claim(request("r0", "count:3")));
        add(Sketch.of("nodes/name-wins-over-selector", "One device of this node only ties the result to the node.")
                .sliceOf(Sketch.DRIVER, "a", "a", selector("{key:'zone',operator:'In',values:['a']}"), device("d0"))
                .sliceOf(Sketch.DRIVER, "b", "b", HERE, device("d0"))
                .claim(request("r0", "count:2")));
        add(Sketch.of("nodes/claims-apart", "Each claim has a selector of its own.")
                .sliceOf(Sketch.DRIVER, "a", "a", "{allNodes:true}", device("d0"))
                .sliceOf(Sketch.DRIVER, "b", "b", HERE, device("d0"))
                .claim(request("r0"))
                .claim(request("r0")));
        add(Sketch.of("nodes/binds-to-node", "A device that binds to the node does so as well.")
                .slice("a", "{allNodes:true}", device("d0", "bindsToNode:true"))
                .claim(request("r0")));
        add(Sketch.of("nodes/binds-to-node-gate-off", "Also without the feature.")
                .without("DeviceBindingAndStatus")
                .slice("a", "{allNodes:true}", device("d0", "bindsToNode:true"))
                .claim(request("r0")));
        String perDevice = "{perDeviceNodeSelection:true}";
        add(Sketch.of("nodes/per-device", "Each device can have a selection of its own.")
                .slice("a", perDevice, device("d0", "nodeName:'node-2'"), device("d1", "allNodes:true"), device("d2"))
                .claim(request("r0")));
        add(Sketch.of("nodes/per-device-without-any", "A device without one is on no node.")
                .slice("a", perDevice, device("d0"), device("d1", "nodeName:'node-1'"))
                .claim(request("r0", "count:2")));
        add(Sketch.of("nodes/per-device-off", "Without partitionable devices such slices are not looked at.")
                .without("PartitionableDevices")
                .slice("a", perDevice, device("d0", "nodeName:'node-1'"))
                .claim(request("r0")));
        add(Sketch.of("nodes/per-device-false-off", "Not even with false.")
                .without("PartitionableDevices")
                .slice("a", "{perDeviceNodeSelection:false,nodeName:'node-1'}", device("d0"))
                .claim(request("r0")));
        add(Sketch.of(
                        "nodes/per-device-selector-error-elsewhere",
                        "A selector's error on another node's device counts.")
                .slice("a", perDevice, device("d0", "nodeName:'node-2'"), device("d1", "nodeName:'node-1'"))
                .claim(request("r0", Sketch.selector("device.attributes[\"gpu.example.com\"].x == 1"))));
        add(Sketch.of("nodes/per-device-all", "Devices of other nodes are not among all.")
                .slice("a", perDevice, device("d0", "nodeName:'node-2'"), device("d1", "nodeName:'node-1'"))
                .claim(all("r0")));
        for (String operator : List.of("In", "Like")) {
            String zone = selector("{key:'zone',operator:'" + operator + "',values:['a']}");
            String d1 = device("d1", zone.substring(1, zone.length() - 1));
            add(Sketch.of(
                            "nodes/per-device-selector-" + operator,
                            "A device's own node selector counts, and one that cannot be understood is an error.")
                    .node("{metadata:{name:'node-1',labels:{zone:'a'}}}")
                    .slice("a", perDevice, device("d0", "nodeName:'node-2'"), d1)
                    .claim(request("r0")));
            add(Sketch.of("nodes/per-device-selector-" + operator + "-of-another-zone", "Also where it does not match.")
                    .node("{metadata:{name:'node-1',labels:{zone:'b'}}}")
                    .slice("a", perDevice, d1, device("d2", "allNodes:true"))
                    .claim(request("r0")));
        }
        add(Sketch.of(
                        "nodes/per-device-newer-elsewhere",
                        "A newer slice of which no device is for the node replaces nothing.")
                .slice("a", HERE_FIRST, device("d0"))
                .slice(
                        "b",
                        "{perDeviceNodeSelection:true,pool:{generation:2,resourceSliceCount:1}}",
                        device("d1", "nodeName:'node-2'"))
                .claim(request("r0")));
        add(Sketch.of("nodes/per-device-newer-here", "One with a device for it does.")
                .slice("a", HERE_FIRST, device("d0"))
                .slice(
                        "b",
                        "{perDeviceNodeSelection:true,pool:{generation:2,resourceSliceCount:1}}",
                        device("d1", "nodeName:'node-2'"),
                        device("d2", "nodeName:'node-1'"))
                .claim(request("r0")));
        String zoned = selector("{key:'zone',operator:'In',values:['a']}");
        for (int first : new int[] {2, 3}) {
            String note = "Of slices that contradict each other the first one says how many there are.";
            String all = "{allNodes:true,pool:{resourceSliceCount:" + first + "}}";
            String some = zoned.substring(0, zoned.length() - 1) + ",pool:{resourceSliceCount:" + (5 - first) + "}}";
            add(Sketch.of("nodes/counts-disagree-all-first-" + first, note)
                    .node("{metadata:{name:'node-1',labels:{zone:'a'}}}")
                    .slice("a", all, device("d0"))
                    .slice("b", some, device("d1"))
                    .claim(request("r0")));
            add(Sketch.of("nodes/counts-disagree-some-first-" + first, note)
                    .node("{metadata:{name:'node-1',labels:{zone:'a'}}}")
                    .slice("a", some, device("d0"))
                    .slice("b", all, device("d1"))
                    .claim(request("r0")));
        }
        String ready = "bindingConditions:['ready'],bindingFailureConditions:['failed']";
        add(Sketch.of("binding/copied", "Binding conditions go into the result.")
                .devices(device("d0", ready))
                .claim(request("r0")));
        add(Sketch.of("binding/off", "Without the feature such a device cannot be had.")
                .without("DeviceBindingAndStatus")
                .devices(device("d0", ready), device("d1"))
                .claim(request("r0")));
        add(Sketch.of("binding/off-failure-conditions-alone", "Failure conditions alone do not matter.")
                .without("DeviceBindingAndStatus")
                .devices(device("d0", "bindingFailureConditions:['failed']"))
                .claim(request("r0")));
        add(Sketch.of("binding/off-all", "It is not among all devices then.")
                .without("DeviceBindingAndStatus")
                .devices(device("d0", ready), device("d1"))
                .claim(all("r0")));
        for (String operations : List.of("'*'", "'NodePrepareResources','NodeUnprepareResources'")) {
            String skip = "{nodeName:'node-1',skipNodeOperations:[" + operations + "]}";
            String label = operations.equals("'*'") ? "any" : "both";
            add(Sketch.of(
                            "skip-operations/node-ready-" + label,
                            "A node that declares the feature can have such devices.")
                    .node("{metadata:{name:'node-1'},status:{declaredFeatures:['DRAOptionalNodeOperations']}}")
                    .slice("a", skip, device("d0"))
                    .claim(request("r0")));
            add(Sketch.of("skip-operations/node-not-ready-" + label, "Another one cannot.")
                    .slice("a", skip, device("d0"))
                    .slice("b", HERE, device("d1"))
                    .claim(request("r0")));
            add(Sketch.of("skip-operations/off-" + label, "Nor can any without the feature.")
                    .without("OptionalNodeOperations")
                    .node("{metadata:{name:'node-1'},status:{declaredFeatures:['DRAOptionalNodeOperations']}}")
                    .slice("a", skip, device("d0"))
                    .claim(request("r0")));
            add(Sketch.of("skip-operations/all-" + label, "They are among all devices, so that such a request fails.")
                    .slice("a", skip, device("d0"))
                    .slice("b", HERE, device("d1"))
                    .claim(all("r0")));
        }
    }

    private static Sketch nodeCase(String name, String selection, String note) {
        return Sketch.of("nodes/" + name, note)
                .slice("a", selection, device("d0"))
                .claim(request("r0"));
    }

    private static String selector(String requirement) {
        return "{nodeSelector:{nodeSelectorTerms:[{matchExpressions:[" + requirement + "]}]}}";
    }

    private void counters() {
        String[] three = {
            device("d0", consuming(consumes("s", "2"))),
            device("d1", consuming(consumes("s", "2"))),
            device("d2", consuming(consumes("s", "1")))
        };
        add(Sketch.of("counters/exactly-full", "What is there can be used up.")
                .counters(SET)
                .devices(three)
                .claim(request("r0", "count:2")));
        add(Sketch.of("counters/too-much", "And not more.")
                .counters(SET)
                .devices(three)
                .claim(request("r0", "count:3")));
        add(Sketch.of("counters/held", "Held devices have their part.")
                .counters(SET)
                .devices(three)
                .claim(request("r0", "count:2"))
                .held("d0"));
        add(Sketch.of("counters/held-backtracks", "The smaller device still fits.")
                .counters("[{name:'s',counters:{memory:{value:'3'}}}]")
                .devices(three)
                .claim(request("r0"))
                .held("d0"));
        add(Sketch.of("counters/vanished", "Those of devices that are gone are free.")
                .counters(SET)
                .devices(three)
                .claim(request("r0", "count:2"))
                .held("gone"));
        add(Sketch.of(
                        "counters/overdrawn-blocks-pool",
                        "A counter below zero blocks every device that consumes any counter of the pool.")
                .counters("[{name:'s',counters:{memory:{value:'1'}}},{name:'t',counters:{memory:{value:'9'}}}]")
                .devices(
                        device("d0", consuming(consumes("s", "2"))),
                        device("d1", consuming(consumes("t", "1"))),
                        device("d2"))
                .claim(request("r0"))
                .held("d0"));
        add(Sketch.of("counters/overdrawn-needs-nothing", "Also one that consumes nothing of it.")
                .counters("[{name:'s',counters:{memory:{value:'1'}}}]")
                .devices(device("d0", consuming(consumes("s", "2"))), device("d1", consuming(consumes("s", "0"))))
                .claim(request("r0"))
                .held("d0"));
        add(Sketch.of("counters/held-on-another-node", "Devices of other nodes consume from the same counters.")
                .slice("c", "{allNodes:true,sharedCounters:" + SET + "}")
                .slice("a", HERE, device("d0", consuming(consumes("s", "3"))))
                .slice("b", THERE, device("d1", consuming(consumes("s", "2"))))
                .claim(request("r0"))
                .held("d1"));
        add(Sketch.of("counters/pools-of-two-drivers", "Pools of one name of two drivers are two pools.")
                .counters(SET)
                .devices(device("d0", consuming(consumes("s", "4"))))
                .sliceOf("nic.example.com", "node-1", "c2", "{nodeName:'node-1',sharedCounters:" + SET + "}")
                .sliceOf("nic.example.com", "node-1", "n", HERE, device("n0", consuming(consumes("s", "4"))))
                .claim(request("r0", "count:2")));
        add(Sketch.of("counters/several-sets", "Every counter of every set must suffice.")
                .counters("[{name:'s',counters:{memory:{value:'4'}}},{name:'t',counters:{memory:{value:'1'}}}]")
                .devices(
                        device("d0", consuming(consumes("s", "1"), consumes("t", "1"))),
                        device("d1", consuming(consumes("s", "1"), consumes("t", "1"))),
                        device("d2", consuming(consumes("s", "1"))))
                .claim(request("r0", "count:2")));
        add(Sketch.of("counters/fractions", "Counters are counted exactly.")
                .counters("[{name:'s',counters:{memory:{value:'1'}}}]")
                .devices(
                        device("d0", consuming(consumes("s", "400m"))),
                        device("d1", consuming(consumes("s", "600m"))),
                        device("d2", consuming(consumes("s", "1n"))))
                .claim(request("r0", "count:3")));
        add(Sketch.of("counters/fractions-fit", "So that these two fit.")
                .counters("[{name:'s',counters:{memory:{value:'1'}}}]")
                .devices(device("d0", consuming(consumes("s", "400m"))), device("d1", consuming(consumes("s", "600m"))))
                .claim(request("r0", "count:2")));
        add(Sketch.of(
                        "counters/off-consumer-is-refused",
                        "Without the feature a device that consumes counters cannot be had.")
                .without("PartitionableDevices")
                .devices(device("d0", consuming(consumes("s", "1"))), device("d1"))
                .claim(request("r0")));
        add(Sketch.of("counters/off-counter-slice-hidden", "The slice with the counters still counts for completeness.")
                .without("PartitionableDevices")
                .counters(SET)
                .devices(device("d0", consuming(consumes("s", "1"))), device("d1"))
                .claim(request("r0")));
        add(Sketch.of("counters/off-all", "Such devices are among all.")
                .without("PartitionableDevices")
                .devices(device("d0", consuming(consumes("s", "1"))), device("d1"))
                .claim(all("r0")));
        add(Sketch.of("counters/mixed-slice", "Devices beside counter sets in one slice are not seen.")
                .slice("a", "{nodeName:'node-1',sharedCounters:" + SET + "}", device("d0"))
                .claim(request("r0")));
        add(Sketch.of("counters/admin-consumes-in-the-call", "Admin access takes from the counters within the call.")
                .counters(SET)
                .devices(device("d0", consuming(consumes("s", "3"))), device("d1", consuming(consumes("s", "2"))))
                .claim(request("r0", "adminAccess:true"))
                .claim(request("r0")));
    }
}
