package dev.fakegpu.engine.problemfile.corpus;

import static dev.fakegpu.engine.problemfile.corpus.Sketch.all;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.consumes;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.consuming;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.device;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.firstAvailable;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Compatibility groups (KEP-5963). */
final class GroupCases {

    private static final String SET = "[{name:'s',counters:{memory:{value:'8'}}}]";
    private static final String TWO_SETS =
            "[{name:'s',counters:{memory:{value:'8'}}},{name:'t',counters:{memory:{value:'8'}}}]";

    /** Groups by a letter or two: none, one, or two of them. */
    private static final List<String> KINDS = List.of("-", "a", "b", "ab", "bc");

    private final List<ObjectNode> problems = new ArrayList<>();

    static List<ObjectNode> problems() {
        var cases = new GroupCases();
        cases.pairs();
        cases.triples();
        cases.baselines();
        cases.gateOff();
        cases.elsewhere();
        return cases.problems;
    }

    private void add(Sketch sketch) {
        problems.add(sketch.problem());
    }

    private static String member(String name, String kind) {
        return member(name, kind, "s");
    }

    private static String member(String name, String kind, String set) {
        return device(name, consuming(consumes(set, "1", groups(kind))));
    }

    private static String[] groups(String kind) {
        return kind.equals("-") ? new String[0] : kind.split("");
    }

    private static String chosen(String request, String name) {
        return request(request, Sketch.selector("device.attributes[\"gpu.example.com\"].n == \"" + name + "\""));
    }

    private static String named(String name, String kind) {
        return device(name, "attributes:{n:{string:'" + name + "'}}," + consuming(consumes("s", "1", groups(kind))));
    }

    /** Two devices of one set, asked for in this order. */
    private void pairs() {
        for (String first : KINDS) {
            for (String second : KINDS) {
                add(Sketch.of(
                                "groups/pair-" + first + "-then-" + second,
                                "The first member decides plain or grouped; a grouped one needs a group in common.")
                        .counters(SET)
                        .devices(named("d0", first), named("d1", second))
                        .claim(chosen("r0", "d0"), chosen("r1", "d1")));
            }
        }
    }

    /** The intersection rolls: what overlaps in pairs need not overlap together, and the order matters. */
    private void triples() {
        for (String kinds :
                List.of("ab bc ac", "ab ac bc", "ab ab a", "ab a b", "a b ab", "a ab b", "ab b bc", "- - -", "a - a")) {
            String[] kind = kinds.split(" ");
            Sketch sketch = Sketch.of(
                            "groups/rolling-" + kinds.replace(' ', '-'),
                            "The groups in common are those of all members so far, not of each pair.")
                    .counters(SET);
            add(sketch.devices(named("d0", kind[0]), named("d1", kind[1]), named("d2", kind[2]))
                    .claim(chosen("r0", "d0"), chosen("r1", "d1"), chosen("r2", "d2")));
            add(Sketch.of(
                            "groups/rolling-over-claims-" + kinds.replace(' ', '-'),
                            "The state of a set goes through all claims of the call.")
                    .counters(SET)
                    .devices(named("d0", kind[0]), named("d1", kind[1]), named("d2", kind[2]))
                    .claim(chosen("r0", "d0"))
                    .claim(chosen("r0", "d1"))
                    .claim(chosen("r0", "d2")));
        }
        add(Sketch.of(
                        "groups/backtracks-over-first-member",
                        "A refused successor makes the search try another first member.")
                .counters(SET)
                .devices(member("d0", "a"), member("d1", "b"), member("d2", "b"))
                .claim(request("r0", "count:2")));
        add(Sketch.of("groups/taint-gives-membership-back", "A device that is refused later must not stay a member.")
                .counters(SET)
                .devices(
                        device("d0", consuming(consumes("s", "1", "a")) + ",taints:[{key:'k',effect:'NoSchedule'}]"),
                        member("d1", "b"))
                .claim(request("r0")));
        add(Sketch.of("groups/constraint-gives-membership-back", "The same for a device that a constraint refuses.")
                .counters(SET)
                .devices(
                        device("d0", consuming(consumes("s", "1", "a"))),
                        device("d1", "attributes:{x:{int:1}}," + consuming(consumes("s", "1", "b"))))
                .claimWith("{constraints:[{matchAttribute:'gpu.example.com/x'}]}", request("r0")));
        add(Sketch.of("groups/counters-give-membership-back", "The same for a device that the counters refuse.")
                .counters(SET)
                .devices(device("d0", consuming(consumes("s", "9", "a"))), member("d1", "b"))
                .claim(request("r0")));
    }

    private void baselines() {
        for (String held : KINDS) {
            for (String asked : KINDS) {
                add(Sketch.of(
                                "groups/held-" + held + "-asked-" + asked,
                                "Devices that are held make up the state that a call begins with.")
                        .counters(SET)
                        .devices(member("d0", held), member("d1", asked))
                        .claim(request("r0"))
                        .held("d0"));
            }
        }
        add(Sketch.of("groups/disjoint-baseline-blocks-everybody", "Held members without a common group admit nobody.")
                .counters(SET)
                .devices(member("d0", "a"), member("d1", "b"), member("d2", "ab"), member("d3", "-"))
                .claim(request("r0"))
                .held("d0", "d1"));
        for (String order : List.of("-a", "a-")) {
            add(Sketch.of(
                            "groups/mixed-baseline-" + order,
                            "The first held member by the order of slices and devices decides plain or grouped.")
                    .counters(SET)
                    .devices(
                            member("d0", order.substring(0, 1)),
                            member("d1", order.substring(1)),
                            member("d2", "-"),
                            member("d3", "a"))
                    .claim(request("r0"))
                    .held("d1", "d0"));
        }
        add(Sketch.of("groups/vanished-member-constrains-nobody", "A held device that is in no slice has no groups.")
                .counters(SET)
                .devices(member("d1", "b"))
                .claim(request("r0"))
                .held("d0"));
        add(Sketch.of("groups/share-makes-a-member", "A device of which only a share is held is a member as well.")
                .counters(SET)
                .devices(
                        device("d0", "allowMultipleAllocations:true," + consuming(consumes("s", "1", "a"))),
                        member("d1", "b"))
                .claim(request("r0"), request("r1"))
                .shared("d0", "share", null));
        add(Sketch.of("groups/further-share-is-not-asked", "Another share of a device in use is no new member.")
                .counters(SET)
                .devices(
                        device("d0", "allowMultipleAllocations:true," + consuming(consumes("s", "1", "a"))),
                        member("d1", "b"))
                .claim(request("r0"))
                .shared("d0", "share", null)
                .held("d1"));
        add(Sketch.of(
                        "groups/aggregated-capacity-makes-a-member",
                        "Capacity that is taken shows that a device is in use.")
                .counters(SET)
                .devices(
                        device("d0", "capacity:{m:{value:'4'}}," + consuming(consumes("s", "1", "a"))),
                        member("d1", "b"))
                .claim(request("r0", "capacity:{requests:{}}"), request("r1", "count:1"))
                .consumed("d0", "{m:'1'}"));
        add(Sketch.of("groups/one-device-lists-a-set-twice", "Two entries for one set must go together, too.")
                .counters(SET)
                .devices(device("d0", consuming(consumes("s", "1", "a"), consumes("s", "1", "b"))), member("d1", "b"))
                .claim(request("r0")));
        for (String entries : List.of("-a", "a-", "ab", "aa")) {
            String[] each = entries.split("");
            add(Sketch.of(
                            "groups/held-device-lists-a-set-twice-" + entries,
                            "Of two entries of a held device for one set, the first decides plain or grouped.")
                    .counters(SET)
                    .devices(
                            device(
                                    "d0",
                                    consuming(
                                            consumes("s", "1", groups(each[0])), consumes("s", "1", groups(each[1])))),
                            member("d1", "-"),
                            member("d2", "a"),
                            device("d3"))
                    .claim(request("r0"))
                    .held("d0"));
        }
    }

    private void gateOff() {
        add(Sketch.of(
                        "groups/off-slice-with-groups-is-left-out",
                        "Without the feature a slice with groups does not count.")
                .without("CompatibilityGroups")
                .counters(SET)
                .slice("a", "{nodeName:'node-1'}", member("d0", "a"))
                .slice("b", "{nodeName:'node-1'}", device("d1"))
                .claim(request("r0")));
        add(Sketch.of("groups/off-other-pool-serves", "The pool is then incomplete, which other pools do not mind.")
                .without("CompatibilityGroups")
                .counters(SET)
                .devices(member("d0", "a"))
                .sliceOf("gpu.example.com", "other", "o", "{nodeName:'node-1'}", device("d0"))
                .claim(request("r0")));
        add(Sketch.of("groups/off-all-fails", "A request for all of any driver's devices fails for an incomplete pool.")
                .without("CompatibilityGroups")
                .counters(SET)
                .devices(member("d0", "a"))
                .sliceOf("nic.example.com", "other", "o", "{nodeName:'node-1'}", device("d0"))
                .claim(all("r0", Sketch.selector("device.driver == \"nic.example.com\""))));
        add(Sketch.of(
                        "groups/off-pool-vanishes",
                        "If all slices for the node have groups there is no pool, and all works.")
                .without("CompatibilityGroups")
                .devices(device("d0", consuming(consumes("s", "1", "a"))))
                .sliceOf("nic.example.com", "other", "o", "{nodeName:'node-1'}", device("d0"))
                .claim(all("r0")));
        add(Sketch.of("groups/off-plain-devices-stay", "Devices without groups are not touched.")
                .without("CompatibilityGroups")
                .counters(SET)
                .devices(member("d0", "-"), member("d1", "-"))
                .claim(request("r0", "count:2")));
        add(Sketch.of("groups/off-empty-list-is-no-group", "An empty list is the same as none.")
                .without("CompatibilityGroups")
                .counters(SET)
                .devices(device("d0", "consumesCounters:[{counterSet:'s',counters:{},compatibilityGroups:[]}]"))
                .claim(request("r0")));
        add(Sketch.of("groups/off-held-member-with-groups", "Groups of a held device in a slice of its own.")
                .without("CompatibilityGroups")
                .counters(SET)
                .slice("a", "{nodeName:'node-1'}", member("d0", "a"))
                .slice("b", "{nodeName:'node-1'}", member("d1", "-"), device("d2"))
                .claim(request("r0"))
                .held("d0"));
        add(Sketch.of("groups/off-groups-on-another-node", "Groups in a slice of another node count for completeness.")
                .without("CompatibilityGroups")
                .counters(SET)
                .slice("a", "{nodeName:'node-2'}", member("d0", "a"))
                .slice("b", "{nodeName:'node-1'}", member("d1", "-"))
                .claim(request("r0")));
    }

    private void elsewhere() {
        add(Sketch.of("groups/sets-are-apart", "Groups are compared within one counter set.")
                .counters(TWO_SETS)
                .devices(member("d0", "a", "s"), member("d1", "b", "t"))
                .claim(request("r0", "count:2")));
        add(Sketch.of("groups/every-set-of-a-device", "A device of two sets must be admitted by both.")
                .counters(TWO_SETS)
                .devices(
                        member("d0", "a", "s"),
                        member("d1", "b", "t"),
                        device("d2", consuming(consumes("s", "1", "a"), consumes("t", "1", "a"))),
                        device("d3", consuming(consumes("s", "1", "a"), consumes("t", "1", "b"))))
                .claim(request("r0", "count:3")));
        add(Sketch.of("groups/pools-are-apart", "Sets of one name in two pools have nothing to do with each other.")
                .counters(SET)
                .devices(member("d0", "a"))
                .sliceOf("gpu.example.com", "other", "c", "{nodeName:'node-1',sharedCounters:" + SET + "}")
                .sliceOf("gpu.example.com", "other", "o", "{nodeName:'node-1'}", member("d1", "b"))
                .claim(request("r0", "count:2")));
        add(Sketch.of(
                        "groups/all-fails-softly",
                        "All devices that do not go together: nothing fits, but that is no error.")
                .counters(SET)
                .devices(member("d0", "a"), member("d1", "b"))
                .claim(all("r0")));
        add(Sketch.of(
                        "groups/alternative-is-chosen-by-groups",
                        "An alternative is skipped if its devices do not go together.")
                .counters(SET)
                .devices(named("d0", "a"), named("d1", "b"), named("d2", "a"))
                .claim(
                        chosen("r0", "d0"),
                        firstAvailable(
                                "r1",
                                Sketch.selector("device.attributes[\"gpu.example.com\"].n == \"d1\""),
                                Sketch.selector("device.attributes[\"gpu.example.com\"].n == \"d2\""))));
        add(Sketch.of("groups/admin-is-not-exempt", "Admin access is a member within the call.")
                .counters(SET)
                .devices(named("d0", "a"), named("d1", "b"))
                .claim("{name:'r0',exactly:{deviceClassName:'any',allocationMode:'ExactCount',count:1,adminAccess:true,"
                        + Sketch.selector("device.attributes[\"gpu.example.com\"].n == \"d0\"") + "}}")
                .claim(chosen("r0", "d1")));
        add(Sketch.of(
                        "groups/member-on-another-node",
                        "Held devices of another node's slice count for the set they share.")
                .slice("counters", "{allNodes:true,sharedCounters:" + SET + "}")
                .slice("a", "{nodeName:'node-2'}", member("d0", "a"))
                .slice("b", "{nodeName:'node-1'}", member("d1", "b"), member("d2", "a"))
                .claim(request("r0"))
                .held("d0"));
        add(Sketch.of("groups/need-partitionable-devices", "Without counters no device that consumes any can be had.")
                .without("PartitionableDevices")
                .devices(member("d0", "a"), device("d1"))
                .claim(request("r0")));
    }
}
