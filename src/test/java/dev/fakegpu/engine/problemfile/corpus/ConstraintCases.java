package dev.fakegpu.engine.problemfile.corpus;

import static dev.fakegpu.engine.problemfile.corpus.Sketch.all;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.device;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.firstAvailable;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.request;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.selector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Constraints on attributes, single and listed, and derived attributes. */
final class ConstraintCases {

    private static final Map<String, String> VALUES = new LinkedHashMap<>(Map.of(
            "int", "int:1",
            "other-int", "int:2",
            "string", "string:'1'",
            "bool", "bool:true",
            "version", "version:'1.0.0'",
            "version-build", "version:'1.0.0+b'",
            "ints", "ints:[1,2]",
            "other-ints", "ints:[2,3]",
            "strings", "strings:['1']"));

    private final List<ObjectNode> problems = new ArrayList<>();

    static List<ObjectNode> problems() {
        var cases = new ConstraintCases();
        cases.pairsOfValues();
        cases.search();
        cases.derived();
        return cases.problems;
    }

    private void add(Sketch sketch) {
        problems.add(sketch.problem());
    }

    private static String valued(String name, String value) {
        return device(name, "attributes:{x:{" + value + "}}");
    }

    private static String on(String kind) {
        return "{constraints:[{" + kind + ":'gpu.example.com/x'}]}";
    }

    /** Two devices with values of every two kinds. */
    private void pairsOfValues() {
        List<String> names = VALUES.keySet().stream().sorted().toList();
        for (int i = 0; i < names.size(); i++) {
            for (int j = i; j < names.size(); j++) {
                String first = VALUES.get(names.get(i));
                String second = VALUES.get(names.get(j));
                for (String kind : List.of("matchAttribute", "distinctAttribute")) {
                    String name = kind.replace("Attribute", "") + "/" + names.get(i) + "-and-" + names.get(j);
                    add(Sketch.of(
                                    name,
                                    "Values agree if they are of one kind and have an element in common; distinct ones have none.")
                            .devices(valued("d0", first), valued("d1", second))
                            .claimWith(on(kind), request("r0", "count:2")));
                    if ((first + second).contains("[")) {
                        add(Sketch.of(name + "-without-lists", "Without lists a list agrees with nothing.")
                                .without("ListTypeAttributes")
                                .devices(valued("d0", first), valued("d1", second))
                                .claimWith(on(kind), request("r0", "count:2")));
                    }
                }
            }
        }
    }

    private void search() {
        String[] racks = {
            valued("d0", "string:'a'"),
            valued("d1", "string:'b'"),
            valued("d2", "string:'b'"),
            valued("d3", "string:'a'")
        };
        String match = on("matchAttribute");
        String distinct = on("distinctAttribute");
        add(Sketch.of("match/skips-others", "Devices that do not agree are passed over.")
                .devices(racks)
                .claimWith(match, request("r0", "count:2")));
        add(Sketch.of("match/two-requests", "Over all requests of the claim.")
                .devices(racks)
                .claimWith(match, request("r0"), request("r1")));
        add(Sketch.of("match/backtracks", "If need be from another first device.")
                .devices(racks[0], racks[1], racks[2])
                .claimWith(match, request("r0"), request("r1")));
        add(Sketch.of("match/second-constraint-refuses", "What the first constraint admitted is taken back then.")
                .devices(
                        device("d0", "attributes:{x:{int:1},y:{int:1}}"),
                        device("d1", "attributes:{x:{int:1},y:{int:2}}"),
                        device("d2", "attributes:{x:{int:2},y:{int:3}}"),
                        device("d3", "attributes:{x:{int:2},y:{int:3}}"))
                .claimWith(
                        "{constraints:[{matchAttribute:'gpu.example.com/x'},{matchAttribute:'gpu.example.com/y'}]}",
                        request("r0", "count:2")));
        add(Sketch.of("match/claims-apart", "Not over claims.")
                .devices(racks)
                .claimWith(match, request("r0"))
                .claimWith(match, request("r0")));
        add(Sketch.of("match/one-request-only", "For the named requests only.")
                .devices(racks)
                .claimWith(
                        "{constraints:[{requests:['r0'],matchAttribute:'gpu.example.com/x'}]}",
                        request("r0"),
                        request("r1")));
        add(Sketch.of("match/missing", "A device without the attribute is refused.")
                .devices(device("d0"), racks[1])
                .claimWith(match, request("r0")));
        add(Sketch.of("match/missing-outside", "Unless it is out of scope.")
                .devices(device("d0"), racks[1])
                .claimWith(
                        "{constraints:[{requests:['r1'],matchAttribute:'gpu.example.com/x'}]}",
                        request("r0"),
                        request("r1")));
        add(Sketch.of("match/qualified-name", "A name with the driver's domain is found with and without it.")
                .devices(device("d0", "attributes:{'gpu.example.com/x':{int:1}}"), valued("d1", "int:1"))
                .claimWith(match, request("r0", "count:2")));
        add(Sketch.of("match/qualified-name-first", "With it first.")
                .devices(device("d0", "attributes:{'gpu.example.com/x':{int:1},x:{int:2}}"), valued("d1", "int:1"))
                .claimWith(match, request("r0", "count:2")));
        add(Sketch.of("match/other-domain", "A name with another domain is not.")
                .devices(valued("d0", "int:1"))
                .claimWith("{constraints:[{matchAttribute:'nic.example.com/x'}]}", request("r0")));
        add(Sketch.of("match/across-drivers", "Each driver's own name is its own attribute.")
                .devices(valued("d0", "int:1"))
                .sliceOf(
                        "nic.example.com",
                        "nics",
                        "n",
                        "{nodeName:'node-1'}",
                        device("n0", "attributes:{'gpu.example.com/x':{int:1}}"))
                .claimWith(match, request("r0", "count:2")));
        add(Sketch.of("match/lists-in-pairs-only", "Lists that overlap in pairs need an element in common.")
                .devices(valued("d0", "ints:[1,2]"), valued("d1", "ints:[2,3]"), valued("d2", "ints:[1,3]"))
                .claimWith(match, request("r0", "count:3")));
        add(Sketch.of("match/lists-backtrack", "Turning back gives elements back.")
                .devices(
                        valued("d0", "ints:[1,2]"),
                        valued("d1", "ints:[2]"),
                        valued("d2", "ints:[1]"),
                        valued("d3", "ints:[1]"))
                .claimWith(match, request("r0", "count:3")));
        add(Sketch.of("match/all-is-fatal", "One of all devices that does not agree is an error.")
                .devices(racks)
                .claimWith(match, all("r0")));
        add(Sketch.of("match/all-agree", "If all agree it is none.")
                .devices(racks[1], racks[2])
                .claimWith(match, all("r0")));
        add(Sketch.of("match/two-constraints", "All constraints must hold.")
                .devices(
                        device("d0", "attributes:{x:{int:1},y:{int:1}}"),
                        device("d1", "attributes:{x:{int:1},y:{int:1}}"),
                        device("d2", "attributes:{x:{int:1},y:{int:2}}"))
                .claimWith(
                        "{constraints:[{matchAttribute:'gpu.example.com/x'},{distinctAttribute:'gpu.example.com/y'}]}",
                        request("r0", "count:2")));
        add(Sketch.of("distinct/skips-same", "Devices with a value that is taken are passed over.")
                .devices(racks)
                .claimWith(distinct, request("r0", "count:2")));
        add(Sketch.of("distinct/too-few-values", "Until there are no values left.")
                .devices(racks)
                .claimWith(distinct, request("r0", "count:3")));
        add(Sketch.of("distinct/two-requests", "Over requests.")
                .devices(racks)
                .claimWith(distinct, request("r0", "count:2"), request("r1")));
        add(Sketch.of("distinct/backtracks", "Turning back frees values.")
                .devices(racks[0], racks[1], device("d4", "attributes:{x:{string:'a'},y:{int:1}}"))
                .claimWith(
                        distinct,
                        request("r0"),
                        request("r1", selector("has(device.attributes[\"gpu.example.com\"].y)"))));
        add(Sketch.of("distinct/missing", "A device without the attribute is refused.")
                .devices(device("d0"), racks[1])
                .claimWith(distinct, request("r0")));
        add(Sketch.of("distinct/only-one", "One device is distinct.")
                .devices(racks[0])
                .claimWith(distinct, request("r0")));
        add(Sketch.of("distinct/lists-share-an-element", "Lists must have nothing in common.")
                .devices(valued("d0", "ints:[1,2]"), valued("d1", "ints:[2,3]"), valued("d2", "ints:[3]"))
                .claimWith(distinct, request("r0", "count:2")));
        add(Sketch.of("distinct/admin", "Admin access counts.")
                .devices(racks[1], racks[2])
                .claimWith(distinct, request("r0"), request("r1", "adminAccess:true")));
    }

    private void derived() {
        String left =
                "derivedAttributes:[{name:'d.example.com/s',expression:'device.attributes[\"gpu.example.com\"].x'}]";
        String right = "derivedAttributes:[{name:'d.example.com/s',expression:'1'}]";
        String match = "{constraints:[{matchAttribute:'d.example.com/s'}]}";
        String[] devices = {valued("d0", "int:2"), valued("d1", "int:1"), device("d2")};
        add(Sketch.of("derived/match", "Constraints see attributes that requests derive.")
                .devices(devices[0], devices[1])
                .claimWith(match, request("r0", left), request("r1", right)));
        add(Sketch.of("derived/missing-elsewhere", "Only for the request that does.")
                .devices(devices[0], devices[1])
                .claimWith(match, request("r0", left), request("r1")));
        add(Sketch.of("derived/error", "A failure is fatal.")
                .devices(devices[2], devices[1])
                .claimWith(match, request("r0", left)));
        add(Sketch.of("derived/error-not-asked", "If a constraint asks for it.")
                .devices(devices[2], devices[1])
                .claim(request("r0", left)));
        add(Sketch.of("derived/error-in-use", "And the device is reached.")
                .devices(devices[2], devices[1])
                .claimWith(match, request("r0", left))
                .held("d2"));
        add(Sketch.of("derived/overrides", "It wins over an attribute of the same name.")
                .devices(valued("d0", "int:1"), valued("d1", "int:2"))
                .claimWith(
                        on("matchAttribute"),
                        request("r0", "count:2,derivedAttributes:[{name:'gpu.example.com/x',expression:'7'}]")));
        add(Sketch.of("derived/not-in-selectors", "Selectors do not see it.")
                .devices(devices[0])
                .claim(request("r0", right + "," + selector("has(device.attributes[\"d.example.com\"].s)"))));
        add(Sketch.of("derived/alternative", "Each alternative derives its own.")
                .devices(devices[0], devices[1])
                .claimWith(match, firstAvailable("r0", "count:1", left), request("r1", right)));
        add(Sketch.of("derived/distinct", "Distinct, too.")
                .devices(devices[0], devices[1])
                .claimWith("{constraints:[{distinctAttribute:'d.example.com/s'}]}", request("r0", "count:2," + left)));
        add(Sketch.of("derived/distinct-constant", "A constant is distinct once.")
                .devices(devices[0], devices[1])
                .claimWith("{constraints:[{distinctAttribute:'d.example.com/s'}]}", request("r0", "count:2," + right)));
        for (String expression : List.of(
                "[1,2]",
                "[]",
                "\"a\"",
                "true",
                "1.5",
                "{\"a\":1}",
                "semver(\"1.2.3\")",
                "[1,\"a\"]",
                "device.driver",
                "device.capacity",
                "null",
                "1u",
                "[[1]]",
                "quantity(\"1\")",
                "device.driver ==",
                "")) {
            add(Sketch.of(
                            "derived/result-" + RequestCases.label(expression),
                            "What an expression may give: " + (expression.isEmpty() ? "(nothing)" : expression))
                    .devices(devices[0], devices[1])
                    .claimWith(
                            match,
                            request(
                                    "r0",
                                    "count:2,derivedAttributes:[{name:'d.example.com/s',expression:'" + expression
                                            + "'}]")));
        }
        add(Sketch.of("derived/list-without-lists", "Lists need their feature here as well.")
                .without("ListTypeAttributes")
                .devices(devices[0], devices[1])
                .claimWith(
                        match,
                        request("r0", "count:2,derivedAttributes:[{name:'d.example.com/s',expression:'[1,2]'}]")));
    }
}
