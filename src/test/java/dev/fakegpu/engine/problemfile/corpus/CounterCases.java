package dev.fakegpu.engine.problemfile.corpus;

import static dev.fakegpu.engine.problemfile.corpus.Sketch.consumes;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.consuming;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.device;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.firstAvailable;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.request;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.selector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Shared counters whose amounts are far apart, or that can be left in many ways (§8 of the allocator's semantics). */
final class CounterCases {

    private final List<ObjectNode> problems = new ArrayList<>();

    static List<ObjectNode> problems() {
        var cases = new CounterCases();
        cases.farApart();
        cases.manyStates();
        cases.allInVain();
        return cases.problems;
    }

    private void add(Sketch sketch) {
        problems.add(sketch.problem());
    }

    private static Sketch sketch(String name, String note, String value) {
        return Sketch.of("counters/" + name, note).counters("[{name:'s',counters:{memory:{value:'" + value + "'}}}]");
    }

    private static String taking(String name, String amount) {
        return device(name, "attributes:{n:{string:'" + name + "'}}," + consuming(consumes("s", amount)));
    }

    private static String chosen(String request, String name) {
        return request(request, selector("device.attributes[\"gpu.example.com\"].n == \"" + name + "\""));
    }

    /** No 64-bit number holds them all in one unit. */
    private void farApart() {
        String note = "Amounts are exact, however far apart they are.";
        String[] devices = {
            taking("two", "2E"),
            taking("nano", "1n"),
            taking("four", "4E"),
            taking("one", "1E"),
            taking("less", "999999999999999999999999999n")
        };
        add(sketch("far-apart-fit", note, "5E").devices(devices).claim(chosen("r0", "four"), chosen("r1", "nano")));
        add(sketch("far-apart-full", note, "5E").devices(devices).claim(chosen("r0", "four"), chosen("r1", "one")));
        add(sketch("far-apart-a-nano-too-many", note, "5E")
                .devices(devices)
                .claim(chosen("r0", "four"), chosen("r1", "one"), chosen("r2", "nano")));
        add(sketch("far-apart-a-nano-less", note, "5E")
                .devices(devices)
                .claim(chosen("r0", "four"), chosen("r1", "less"), chosen("r2", "nano")));
        add(sketch("far-apart-too-large", note, "5E")
                .devices(devices)
                .claim(chosen("r0", "four"), chosen("r1", "two")));
        add(sketch("far-apart-given-back", "What was taken in vain is given back to the last bit.", "5E")
                .devices(devices)
                .claim(request("r0"), chosen("r1", "four")));
        add(sketch("far-apart-given-back-twice", "What was taken in vain is given back to the last bit.", "5E")
                .devices(devices)
                .claim(request("r0", "count:2"), chosen("r1", "four")));
        add(sketch("far-apart-held", note, "5E")
                .devices(devices)
                .claim(request("r0", "count:2"))
                .held("four"));
        add(sketch("far-apart-overdrawn", "A counter below zero keeps everybody off.", "5E")
                .devices(devices)
                .claim(chosen("r0", "nano"))
                .held("four", "two"));
        add(sketch("far-apart-any-of-all", note, "5E").devices(devices).claim(request("r0", "count:5")));
    }

    /** Twelve devices that take 1, 2, 4, …: each selection of them leaves something else. */
    private void manyStates() {
        String note = "However many ways there are to take of a counter set, the first that fits is found.";
        String[] devices = IntStream.range(0, 12)
                .mapToObj(i -> device(
                        "d" + i,
                        "attributes:{i:{int:" + i + "}}," + consuming(consumes("s", Integer.toString(1 << i)))))
                .toArray(String[]::new);
        String small = selector("device.attributes[\"gpu.example.com\"].i < 6");
        for (String value : List.of("3", "7", "70", "4095")) {
            for (int count : new int[] {2, 3, 4}) {
                add(sketch("many-states-" + count + "-of-" + value, note, value)
                        .devices(devices)
                        .claim(request("r0", "count:" + count)));
                add(sketch("many-states-" + count + "-and-one-small-of-" + value, note, value)
                        .devices(devices)
                        .claim(request("r0", "count:" + count), request("r1", small)));
            }
        }
    }

    /** A device that is refused for its capacity leaves nothing behind, not even its attribute. */
    private void allInVain() {
        for (String constraint : List.of("", "constraints:[{matchAttribute:'gpu.example.com/x'}]")) {
            for (int taken : new int[] {5, 8}) {
                add(sketch(
                                "all-after-" + taken + (constraint.isEmpty() ? "" : "-with-match"),
                                "A device that was refused for its capacity leaves nothing behind.",
                                "10")
                        .devices(sharing("d0", 1), sharing("d1", 2))
                        .claim(request("r0", "capacity:{requests:{m:'" + taken + "'}}"))
                        .claimWith(
                                "{" + constraint + "}",
                                firstAvailable(
                                        "r0",
                                        "allocationMode:'All',capacity:{requests:{m:'5'}}," + ofValue(1),
                                        "capacity:{requests:{m:'1'}}," + ofValue(2))));
            }
        }
    }

    private static String ofValue(int x) {
        return selector("device.attributes[\"gpu.example.com\"].x == " + x);
    }

    private static String sharing(String name, int x) {
        return device(
                name,
                "allowMultipleAllocations:true,capacity:{m:{value:'10'}},attributes:{x:{int:" + x + "}},"
                        + consuming(consumes("s", "5", "a")));
    }
}
