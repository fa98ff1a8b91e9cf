package dev.fakegpu.engine.problemfile.corpus;

import static dev.fakegpu.engine.problemfile.corpus.Sketch.all;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.device;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Which nodes reach a device, and what a node has to be able to do for it. */
final class NodeCases {

    private static final String HERE = "{nodeName:'node-1'}";
    private static final String HERE_FIRST = "{nodeName:'node-1',pool:{generation:1,resourceSliceCount:1}}";

    private final List<ObjectNode> problems = new ArrayList<>();

    static List<ObjectNode> problems() {
        var cases = new NodeCases();
        cases.selections();
        cases.perDevice();
        cases.contradictions();
        cases.bindingConditions();
        cases.skippedOperations();
        return cases.problems;
    }

    private void add(Sketch sketch) {
        problems.add(sketch.problem());
    }

    private void selections() {
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
    }

    /** Devices that say themselves which nodes reach them. */
    private void perDevice() {
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
    }

    private void contradictions() {
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
    }

    private void bindingConditions() {
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
    }

    private void skippedOperations() {
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
}
