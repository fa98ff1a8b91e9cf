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
import java.util.Map;
import java.util.TreeMap;

/** Consumable capacity (KEP-5075) and fractional ranges. */
final class CapacityCases {

    private static final Map<String, String> POLICIES = new TreeMap<>(Map.ofEntries(
            Map.entry("none", ""),
            Map.entry("default", ",requestPolicy:{default:'2'}"),
            Map.entry("values", ",requestPolicy:{default:'2',validValues:['2','4','6']}"),
            Map.entry("range", ",requestPolicy:{default:'2',validRange:{min:'2'}}"),
            Map.entry("range-max", ",requestPolicy:{default:'2',validRange:{min:'2',max:'5'}}"),
            Map.entry("range-step", ",requestPolicy:{default:'2',validRange:{min:'2',step:'3'}}"),
            Map.entry("range-max-step", ",requestPolicy:{default:'2',validRange:{min:'1',max:'5',step:'2'}}"),
            Map.entry("range-no-default", ",requestPolicy:{validRange:{min:'3',max:'6'}}"),
            Map.entry("fraction-step", ",requestPolicy:{default:'1',validRange:{min:'500m',max:'4',step:'300m'}}"),
            Map.entry("fraction-min", ",requestPolicy:{default:'1500m',validRange:{min:'1500m'}}"),
            Map.entry("default-zero", ",requestPolicy:{default:'0',validRange:{min:'1',max:'5'}}"),
            Map.entry("empty", ",requestPolicy:{}")));

    private static final List<String> AMOUNTS =
            List.of("", "0", "1", "1200m", "3", "5", "6", "7", "20", "-1", "9223372036854775807");

    private final List<ObjectNode> problems = new ArrayList<>();

    static List<ObjectNode> problems() {
        var cases = new CapacityCases();
        cases.everyAmountOfEveryPolicy();
        cases.limitsOfRanges();
        cases.shares();
        cases.dedicated();
        cases.requests();
        cases.spelling();
        return cases.problems;
    }

    private void add(Sketch sketch) {
        problems.add(sketch.problem());
    }

    private static String shareable(String name, String capacity) {
        return device(name, "allowMultipleAllocations:true,capacity:" + capacity);
    }

    private static String asking(String request, String amount) {
        return request(request, "capacity:{requests:{m:'" + amount + "'}}");
    }

    private void everyAmountOfEveryPolicy() {
        POLICIES.forEach((policyName, policy) -> AMOUNTS.forEach(amount -> {
            String request = amount.isEmpty() ? request("r0") : asking("r0", amount);
            String capacity = "{m:{value:'10'" + policy + "}}";
            String label = (amount.isEmpty() ? "nothing" : amount) + "-of-policy-" + policyName;
            add(Sketch.of("capacity/" + label, "What a request consumes follows the policy: rounded up, or refused.")
                    .devices(shareable("d0", capacity))
                    .claim(request));
            if (policyName.startsWith("fraction") || amount.endsWith("m")) {
                add(Sketch.of(
                                "capacity/" + label + "-in-whole-numbers",
                                "Without fractional ranges everything is rounded up to whole numbers first.")
                        .without("FractionalCapacityRange")
                        .devices(shareable("d0", capacity))
                        .claim(request));
            }
        }));
        for (String amount : List.of("10Pi", "3000001u", "1Ei")) {
            for (String feature : List.of("DeviceTaints", "FractionalCapacityRange")) {
                add(Sketch.of(
                                "capacity/not-in-milli-" + amount + (feature.startsWith("F") ? "-gate-off" : ""),
                                "With fractional ranges an amount that cannot be counted in thousandths is a fatal error.")
                        .without(feature)
                        .devices(shareable(
                                "d0", "{m:{value:'4Ei',requestPolicy:{default:'2',validRange:{min:'2',step:'2'}}}}"))
                        .claim(asking("r0", amount)));
            }
        }
    }

    private void limitsOfRanges() {
        String what = "Bounds that cannot be written in thousandths make whole numbers of all of them.";
        for (String limits : List.of(
                "10|min:'125m',step:'125m'|130m",
                "10|min:'5m',step:'5m'|7m",
                "10|min:'500m',step:'1',max:'10000100u'|600m",
                "10|min:'100u',step:'1'|1500m",
                "10|min:'0',step:'1000100u'|1500m",
                "10|min:'500m',step:'1',max:'9223372036854775807m'|600m",
                "10|min:'500m',step:'1',max:'9223372036854775808m'|600m",
                "10|min:'1m',step:'1m'|1000100u",
                "20E|min:'0',step:'4611686018427387904'|10E",
                "20E|min:'0',step:'4611686018427387904'|4611686018427387905",
                "20E|min:'0',step:'4611686018427387904'|4611686018427387904",
                "10|min:'1',step:'0'|2",
                "10|step:'1'|2",
                "1500m|min:'0',step:'1',max:'2'|",
                "1000100u|min:'0',step:'1',max:'2'|",
                "3|min:'0',step:'1',max:'2'|",
                "1|min:'0',step:'1',max:'2'|")) {
            String[] parts = limits.split("\\|", -1);
            String capacity = "{m:{value:'" + parts[0] + "',requestPolicy:{validRange:{" + parts[1] + "}}}}";
            for (String feature : List.of("DeviceTaints", "FractionalCapacityRange")) {
                add(Sketch.of(
                                "capacity/limits-" + limits.replace("'", "")
                                        + (feature.startsWith("F") ? "-gate-off" : ""),
                                what)
                        .without(feature)
                        .devices(shareable("d0", capacity))
                        .claim(parts[2].isEmpty() ? request("r0") : asking("r0", parts[2])));
            }
        }
    }

    private void shares() {
        String ten = "{m:{value:'10'}}";
        add(Sketch.of("shares/add-up", "Shares of one device add up over claims.")
                .devices(shareable("d0", ten))
                .claim(asking("r0", "4"))
                .claim(asking("r0", "6")));
        add(Sketch.of("shares/one-too-many", "Until nothing is left.")
                .devices(shareable("d0", ten))
                .claim(asking("r0", "4"))
                .claim(asking("r0", "7")));
        add(Sketch.of("shares/move-to-the-next-device", "Then the next device is taken.")
                .devices(shareable("d0", ten), shareable("d1", ten))
                .claim(asking("r0", "4"))
                .claim(asking("r0", "7")));
        for (String last : List.of("6", "8")) {
            add(Sketch.of(
                            "shares/given-back-beside-another-then-" + last,
                            "Of two shares only the one given back is free.")
                    .devices(shareable("d0", ten), shareable("d1", "{m:{value:'4'}}"))
                    .claim(asking("r0", "4"), asking("r1", "4"), asking("r2", last)));
        }
        add(Sketch.of("shares/once-within-a-request", "One request never gets two shares of one device.")
                .devices(shareable("d0", ten))
                .claim(request("r0", "count:2,capacity:{requests:{m:'1'}}")));
        add(Sketch.of("shares/twice-within-a-claim", "Two requests may.")
                .devices(shareable("d0", ten))
                .claim(asking("r0", "1"), asking("r1", "1")));
        add(Sketch.of(
                        "shares/unmentioned-capacity-is-taken-whole",
                        "A capacity without a policy that is not asked for goes whole.")
                .devices(shareable("d0", "{m:{value:'10'},n:{value:'3'}}"))
                .claim(asking("r0", "1"))
                .claim(asking("r0", "1")));
        add(Sketch.of("shares/default-of-unmentioned-capacity", "With a policy its default goes.")
                .devices(shareable("d0", "{m:{value:'10'},n:{value:'3',requestPolicy:{default:'1'}}}"))
                .claim(asking("r0", "1"))
                .claim(asking("r0", "1")));
        add(Sketch.of("shares/without-capacity", "A device without capacity can be shared without end.")
                .devices(device("d0", "allowMultipleAllocations:true"))
                .claim(request("r0"), request("r1"))
                .claim(request("r0")));
        add(Sketch.of("shares/held-capacity-counts", "What others consume is not there any more.")
                .devices(shareable("d0", ten), shareable("d1", ten))
                .claim(asking("r0", "4"))
                .shared("d0", "x", "{m:'7'}"));
        add(Sketch.of("shares/held-capacity-leaves-enough", "What they leave is.")
                .devices(shareable("d0", ten))
                .claim(asking("r0", "3"))
                .shared("d0", "x", "{m:'7'}"));
        add(Sketch.of(
                        "shares/id-without-capacity-blocks-nothing",
                        "A share whose consumption is not known takes nothing.")
                .devices(shareable("d0", ten))
                .claim(asking("r0", "10"))
                .shared("d0", "x", null));
        add(Sketch.of("shares/held-whole-cannot-be-shared", "A device that is held whole has no shares to give.")
                .devices(shareable("d0", ten))
                .claim(asking("r0", "1"))
                .held("d0"));
        add(Sketch.of(
                        "shares/shared-becomes-dedicated",
                        "A device that is shared no more is given whole in spite of shares.")
                .devices(device("d0"))
                .claim(request("r0"))
                .shared("d0", "x", null));
        add(Sketch.of("shares/shared-becomes-dedicated-with-capacity", "Only capacity that is taken keeps it back.")
                .devices(device("d0", "capacity:" + ten))
                .claim(request("r0"))
                .shared("d0", "x", "{m:'1'}"));
        add(Sketch.of("shares/shared-becomes-dedicated-asking-for-the-rest", "And not if the rest is enough.")
                .devices(device("d0", "capacity:" + ten))
                .claim(asking("r0", "9"))
                .shared("d0", "x", "{m:'1'}"));
        add(Sketch.of("shares/off-device-is-dedicated", "Without the feature a shareable device is given whole.")
                .without("ConsumableCapacity")
                .devices(shareable("d0", ten))
                .claim(request("r0"))
                .claim(request("r0")));
        add(Sketch.of("shares/counters-are-charged-once", "The counters are charged for the first share only.")
                .counters("[{name:'s',counters:{memory:{value:'1'}}}]")
                .devices(device("d0", "allowMultipleAllocations:true," + consuming(consumes("s", "1"))))
                .claim(request("r0"))
                .claim(request("r0")));
        add(Sketch.of("shares/counters-of-a-held-share", "Nor again for a share of a device that is held in part.")
                .counters("[{name:'s',counters:{memory:{value:'1'}}}]")
                .devices(device("d0", "allowMultipleAllocations:true," + consuming(consumes("s", "1"))))
                .claim(request("r0"))
                .shared("d0", "x", null));
        add(Sketch.of("shares/counters-by-capacity", "Capacity that is taken shows that they are charged.")
                .counters("[{name:'s',counters:{memory:{value:'1'}}}]")
                .devices(device(
                        "d0", "allowMultipleAllocations:true,capacity:" + ten + "," + consuming(consumes("s", "1"))))
                .claim(asking("r0", "2"))
                .consumed("d0", "{m:'1'}"));
        add(Sketch.of(
                        "shares/counters-after-backtracking",
                        "Turning back from the first share gives the counters back.")
                .counters("[{name:'s',counters:{memory:{value:'1'}}}]")
                .devices(
                        device("d0", "allowMultipleAllocations:true," + consuming(consumes("s", "1"))),
                        device("d1", "attributes:{x:{int:1}}," + consuming(consumes("s", "1"))))
                .claim(
                        request("r0"),
                        request("r1", Sketch.selector("\"x\" in device.attributes[\"gpu.example.com\"]"))));
        add(Sketch.of(
                        "shares/distinct-keeps-devices-apart",
                        "A constraint on an identity keeps shares on different devices.")
                .devices(
                        device("d0", "allowMultipleAllocations:true,attributes:{id:{int:0}}"),
                        device("d1", "allowMultipleAllocations:true,attributes:{id:{int:1}}"))
                .claimWith("{constraints:[{distinctAttribute:'gpu.example.com/id'}]}", request("r0"), request("r1")));
        add(Sketch.of("shares/vanished", "Shares of a device that is gone are no trouble.")
                .devices(shareable("d0", ten))
                .claim(asking("r0", "10"))
                .shared("gone", "x", "{m:'7'}"));
        add(Sketch.of("shares/admin-takes-capacity", "Admin access to a shareable device takes a share.")
                .devices(shareable("d0", ten))
                .claim(request("r0", "adminAccess:true,capacity:{requests:{m:'4'}}"))
                .claim(asking("r0", "7")));
        add(Sketch.of("shares/admin-is-refused-when-full", "And is refused where nothing is left.")
                .devices(shareable("d0", ten))
                .claim(request("r0", "adminAccess:true,capacity:{requests:{m:'4'}}"))
                .shared("d0", "x", "{m:'10'}"));
    }

    private void dedicated() {
        for (String amount : List.of("4", "10", "11")) {
            add(Sketch.of("capacity/dedicated-" + amount, "A device given whole must have what is asked for, too.")
                    .devices(device("d0", "capacity:{m:{value:'10'}}"))
                    .claim(asking("r0", amount)));
        }
        add(Sketch.of("capacity/dedicated-policy-refuses", "By its policy.")
                .devices(device("d0", "capacity:{m:{value:'10',requestPolicy:{default:'2',validValues:['2','4']}}}"))
                .claim(asking("r0", "5")));
        add(Sketch.of("capacity/unknown-name", "A device without the capacity is skipped.")
                .devices(device("d0"), device("d1", "capacity:{m:{value:'1'}}"))
                .claim(asking("r0", "1")));
        add(Sketch.of("capacity/names-are-literal", "With and without the driver's domain are two names.")
                .devices(device("d0", "capacity:{'gpu.example.com/m':{value:'1'}}"))
                .claim(asking("r0", "1")));
    }

    private void requests() {
        add(Sketch.of("capacity/off-request-fails", "Without the feature a capacity request is an error.")
                .without("ConsumableCapacity")
                .devices(device("d0", "capacity:{m:{value:'10'}}"))
                .claim(asking("r0", "1")));
        add(Sketch.of("capacity/off-alternative-fails", "Also in an alternative that is not needed.")
                .without("ConsumableCapacity")
                .devices(device("d0"))
                .claim(firstAvailable("r0", "count:1", "capacity:{requests:{m:'1'}}")));
        add(Sketch.of("capacity/empty-request-off", "An empty one is one.")
                .without("ConsumableCapacity")
                .devices(device("d0"))
                .claim(request("r0", "capacity:{}")));
        add(Sketch.of("capacity/all-by-static-capacity", "Devices that can never serve are not among all.")
                .devices(shareable("d0", "{m:{value:'1'}}"), shareable("d1", "{m:{value:'8'}}"))
                .claim(all("r0", "capacity:{requests:{m:'4'}}")));
        add(Sketch.of("capacity/all-in-use-fails", "Devices that cannot serve right now are, so the request fails.")
                .devices(shareable("d0", "{m:{value:'8'}}"), shareable("d1", "{m:{value:'8'}}"))
                .claim(all("r0", "capacity:{requests:{m:'4'}}"))
                .shared("d0", "x", "{m:'6'}"));
        add(Sketch.of("capacity/all-in-use-enough", "Enough left is enough.")
                .devices(shareable("d0", "{m:{value:'8'}}"))
                .claim(all("r0", "capacity:{requests:{m:'4'}}"))
                .shared("d0", "x", "{m:'4'}"));
        add(Sketch.of("capacity/alternatives-by-size", "The first portion that fits is taken.")
                .devices(shareable("d0", "{m:{value:'10'}}"))
                .claim(firstAvailable(
                        "r0",
                        "capacity:{requests:{m:'20'}}",
                        "capacity:{requests:{m:'10'}}",
                        "capacity:{requests:{m:'5'}}")));
        add(Sketch.of("capacity/alternatives-leave-room", "Unless the rest needs room.")
                .devices(shareable("d0", "{m:{value:'10'}}"))
                .claim(
                        firstAvailable("r0", "capacity:{requests:{m:'10'}}", "capacity:{requests:{m:'5'}}"),
                        asking("r1", "5")));
        add(Sketch.of(
                        "capacity/refused-device-leaves-constraint-alone",
                        "A device without room must not decide a constraint.")
                .devices(
                        device("d0", "allowMultipleAllocations:true,attributes:{x:{int:0}},capacity:{m:{value:'1'}}"),
                        device("d1", "allowMultipleAllocations:true,attributes:{x:{int:1}},capacity:{m:{value:'9'}}"),
                        device("d2", "allowMultipleAllocations:true,attributes:{x:{int:1}},capacity:{m:{value:'9'}}"))
                .claimWith(
                        "{constraints:[{matchAttribute:'gpu.example.com/x'}]}",
                        request("r0", "count:2,capacity:{requests:{m:'4'}}")));
    }

    /** Quantities come out as they went in, or as sums and multiples are written. */
    private void spelling() {
        for (String amount :
                List.of("1Gi", "1024Mi", "1500Mi", "0.5Gi", "1e3", "1E3", "1000", "1.5", "+2Gi", "1000m", "2k")) {
            add(Sketch.of("spelling/as-asked-" + amount, "Without a policy the request's amount is the result's.")
                    .devices(shareable("d0", "{m:{value:'4Gi'}}"))
                    .claim(asking("r0", amount)));
        }
        for (String step : List.of("1Gi", "512Mi", "1000", "1k", "1M")) {
            add(Sketch.of("spelling/rounded-to-" + step, "A rounded amount is written in the format of the step.")
                    .devices(shareable(
                            "d0",
                            "{m:{value:'4Gi',requestPolicy:{default:'" + step + "',validRange:{min:'" + step
                                    + "',step:'" + step + "'}}}}"))
                    .claim(asking("r0", "1500500")));
        }
    }
}
