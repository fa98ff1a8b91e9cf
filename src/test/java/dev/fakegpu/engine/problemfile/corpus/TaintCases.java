package dev.fakegpu.engine.problemfile.corpus;

import static dev.fakegpu.engine.problemfile.corpus.Sketch.all;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.device;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.firstAvailable;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Taints and tolerations (KEP-5055). */
final class TaintCases {

    private static final Map<String, String> TAINTS = new TreeMap<>(Map.of(
            "schedule", "{key:'k',value:'v',effect:'NoSchedule'}",
            "execute", "{key:'k',value:'v',effect:'NoExecute'}",
            "none", "{key:'k',value:'v',effect:'None'}",
            "unknown", "{key:'k',value:'v',effect:'Later'}",
            "no-value", "{key:'k',effect:'NoSchedule'}"));

    private static final Map<String, String> TOLERATIONS = new TreeMap<>(Map.of(
            "nothing", "{key:'other',operator:'Exists'}",
            "exists", "{key:'k',operator:'Exists'}",
            "exists-any-key", "{operator:'Exists'}",
            "equal", "{key:'k',operator:'Equal',value:'v'}",
            "equal-other-value", "{key:'k',operator:'Equal',value:'w'}",
            "no-operator", "{key:'k',value:'v'}",
            "unknown-operator", "{key:'k',operator:'Like',value:'v'}",
            "effect-schedule", "{key:'k',operator:'Exists',effect:'NoSchedule'}",
            "effect-execute", "{key:'k',operator:'Exists',effect:'NoExecute',tolerationSeconds:5}"));

    private final List<ObjectNode> problems = new ArrayList<>();

    static List<ObjectNode> problems() {
        var cases = new TaintCases();
        cases.everyTolerationOfEveryTaint();
        cases.more();
        return cases.problems;
    }

    private void add(Sketch sketch) {
        problems.add(sketch.problem());
    }

    private static String tainted(String name, String taints) {
        return device(name, "taints:[" + taints + "]");
    }

    private void everyTolerationOfEveryTaint() {
        TAINTS.forEach((taintName, taint) -> {
            add(Sketch.of("taints/" + taintName + "-untolerated", "Only NoSchedule and NoExecute keep off a device.")
                    .devices(tainted("d0", taint))
                    .claim(request("r0")));
            TOLERATIONS.forEach((name, toleration) -> add(Sketch.of(
                            "taints/" + taintName + "-tolerated-by-" + name,
                            "A toleration must fit in key, effect and value; empty means any, and Equal is the default.")
                    .devices(tainted("d0", taint))
                    .claim(request("r0", "tolerations:[" + toleration + "]"))));
        });
    }

    private void more() {
        String schedule = TAINTS.get("schedule");
        String exists = "tolerations:[" + TOLERATIONS.get("exists") + "]";
        add(Sketch.of("taints/off", "Without the feature nobody looks at taints.")
                .without("DeviceTaints")
                .devices(tainted("d0", schedule))
                .claim(request("r0")));
        add(Sketch.of("taints/off-tolerations-are-copied", "Tolerations are copied into the result all the same.")
                .without("DeviceTaints")
                .devices(tainted("d0", schedule))
                .claim(request("r0", exists)));
        add(Sketch.of("taints/next-device", "The next device is taken.")
                .devices(tainted("d0", schedule), device("d1"))
                .claim(request("r0")));
        add(Sketch.of("taints/each-must-be-tolerated", "Every taint needs a toleration.")
                .devices(tainted("d0", schedule + ",{key:'l',effect:'NoExecute'}"))
                .claim(request("r0", exists)));
        add(
                Sketch.of("taints/two-tolerations-for-two-taints", "Which may be different ones; all are copied.")
                        .devices(tainted("d0", schedule + ",{key:'l',effect:'NoExecute'}"))
                        .claim(
                                request(
                                        "r0",
                                        "tolerations:[{key:'k',operator:'Exists'},{key:'l',operator:'Exists'},{key:'m',operator:'Exists'}]")));
        add(Sketch.of("taints/all-needs-untainted", "A tainted device is part of all devices, and the request fails.")
                .devices(tainted("d0", schedule), device("d1"))
                .claim(all("r0")));
        add(Sketch.of("taints/all-tolerated", "Unless it is tolerated.")
                .devices(tainted("d0", schedule), device("d1"))
                .claim(all("r0", exists)));
        add(Sketch.of("taints/admin-needs-toleration", "Admin access needs a toleration, too.")
                .devices(tainted("d0", schedule))
                .claim(request("r0", "adminAccess:true")));
        add(Sketch.of("taints/toleration-of-the-alternative", "The tolerations of the alternative count.")
                .devices(tainted("d0", schedule))
                .claim(firstAvailable("r0", "count:1", exists)));
        add(Sketch.of("taints/toleration-of-another-alternative", "Those of another alternative do not.")
                .devices(tainted("d0", schedule), device("d1"))
                .claim(firstAvailable("r0", "count:2," + exists, exists)));
        add(Sketch.of("taints/toleration-of-another-request", "Nor those of another request.")
                .devices(tainted("d0", schedule), tainted("d1", schedule))
                .claim(request("r0", exists), request("r1")));
        add(Sketch.of("taints/gives-counters-back", "What a tainted device took from the counters is given back.")
                .counters("[{name:'s',counters:{memory:{value:'1'}}}]")
                .devices(
                        device("d0", Sketch.consuming(Sketch.consumes("s", "1")) + ",taints:[" + schedule + "]"),
                        device("d1", Sketch.consuming(Sketch.consumes("s", "1"))))
                .claim(request("r0")));
        add(Sketch.of("taints/after-cel", "A selector is evaluated on a tainted device, and its error is an error.")
                .devices(tainted("d0", schedule), device("d1"))
                .claim(request("r0", Sketch.selector("device.attributes[\"gpu.example.com\"].x == 1"))));
    }
}
