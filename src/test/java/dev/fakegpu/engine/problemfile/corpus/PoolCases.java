package dev.fakegpu.engine.problemfile.corpus;

import static dev.fakegpu.engine.problemfile.corpus.Sketch.all;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.consumes;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.consuming;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.device;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Pools: which slices make one up, whether it is complete and valid, in which order its devices are tried; shared counters. */
final class PoolCases {

    private static final String HERE = "{nodeName:'node-1'}";
    private static final String THERE = "{nodeName:'node-2'}";
    private static final String SET = "[{name:'s',counters:{memory:{value:'4'}}}]";

    private final List<ObjectNode> problems = new ArrayList<>();

    static List<ObjectNode> problems() {
        var cases = new PoolCases();
        cases.states();
        cases.order();
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
