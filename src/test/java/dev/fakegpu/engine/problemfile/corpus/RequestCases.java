package dev.fakegpu.engine.problemfile.corpus;

import static dev.fakegpu.engine.problemfile.corpus.Sketch.all;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.device;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.firstAvailable;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.request;
import static dev.fakegpu.engine.problemfile.corpus.Sketch.selector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Requests: what is wrong with them, how many they are for, alternatives, admin access, selectors, configuration. */
final class RequestCases {

    private final List<ObjectNode> problems = new ArrayList<>();

    static List<ObjectNode> problems() {
        var cases = new RequestCases();
        cases.faults();
        cases.counts();
        cases.alternatives();
        cases.adminAccess();
        cases.selectors();
        cases.configuration();
        return cases.problems;
    }

    private void add(Sketch sketch) {
        problems.add(sketch.problem());
    }

    private static String[] devices(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> device("d" + i, "attributes:{i:{int:" + i + "}}"))
                .toArray(String[]::new);
    }

    private static Sketch with(int devices, String name, String note) {
        return Sketch.of(name, note).devices(devices(devices));
    }

    private static String number(int i) {
        return selector("device.attributes[\"gpu.example.com\"].i == " + i);
    }

    private void faults() {
        String unknown = "deviceClassName:'unknown'";
        add(with(1, "faults/class-unknown", "A class that does not exist is a fatal error.")
                .claim(request("r0", unknown)));
        add(with(1, "faults/class-empty", "So is none at all.").claim(request("r0", "deviceClassName:''")));
        add(with(1, "faults/class-unknown-in-last-alternative", "Every alternative's class must exist.")
                .claim(firstAvailable("r0", "count:1", unknown)));
        add(with(1, "faults/class-unknown-in-later-claim", "And that of every claim.")
                .claim(request("r0"))
                .claim(request("r0", unknown)));
        add(with(0, "faults/mode-unknown", "A mode that is not known is an error.")
                .claim(request("r0", "allocationMode:'Most'")));
        add(with(0, "faults/mode-missing", "Also none, which the API server would have added.")
                .claim(request("r0", "allocationMode:''")));
        add(with(0, "faults/neither-exactly-nor-alternatives", "A request of an unknown kind makes upstream break.")
                .claim("{name:'r0'}"));
        add(with(0, "faults/selector-unknown", "A selector of an unknown kind is an error.")
                .claim(request("r0", "selectors:[{}]")));
        add(with(0, "faults/constraint-unknown", "So is a constraint.").claimWith("{constraints:[{}]}", request("r0")));
        add(with(0, "faults/alternatives-off", "Alternatives need their feature.")
                .without("PrioritizedList")
                .claim(firstAvailable("r0", "count:1")));
        add(with(1, "faults/admin-off", "Admin access needs its feature.")
                .without("AdminAccess")
                .claim(request("r0", "adminAccess:true")));
        add(with(1, "faults/admin-off-false", "Even to say no.")
                .without("AdminAccess")
                .claim(request("r0", "adminAccess:false")));
        add(with(1, "faults/derived-off", "So do derived attributes.")
                .without("DerivedAttributes")
                .claim(request("r0", "derivedAttributes:[{name:'x/y',expression:'1'}]")));
        add(with(1, "faults/limit-before-class-of-next-request", "The limit is checked after each request.")
                .claim(request("r0", "count:33"), request("r1", unknown)));
        add(with(1, "faults/class-before-limit-of-next-request", "In their order.")
                .claim(request("r0", unknown), request("r1", "count:33")));
        add(with(1, "faults/selector-before-class", "Within a request the kind of the selectors comes first.")
                .claim(request("r0", "selectors:[{}]," + unknown)));
        add(with(1, "faults/capacity-before-selector", "And capacity before that.")
                .without("ConsumableCapacity")
                .claim(request("r0", "capacity:{},selectors:[{}]")));
        add(with(1, "faults/capacity-off-in-an-alternative", "Alternatives cannot ask for it either.")
                .without("ConsumableCapacity")
                .claim(firstAvailable("r0", "count:2", "capacity:{}")));
        add(with(1, "faults/capacity-off-and-not-asked-for", "Without asking for capacity they are served.")
                .without("ConsumableCapacity")
                .claim(firstAvailable("r0", "count:2", "count:1")));
        add(with(1, "faults/constraint-after-requests", "Constraints come after all requests.")
                .claimWith("{constraints:[{}]}", request("r0", unknown)));
        add(with(1, "faults/cel-of-all-before-constraint", "All devices are told when requests are checked.")
                .claimWith("{constraints:[{}]}", all("r0", selector("device.attributes[\"gpu.example.com\"].x == 1"))));
        add(Sketch.of("faults/no-claims", "Nothing to do is done.").devices(devices(1)));
        add(with(1, "faults/no-requests", "A claim without requests gets nothing, and that is a result.")
                .claim());
        add(with(1, "faults/no-requests-beside-another", "Beside others, too.")
                .claim()
                .claim(request("r0")));
        add(Sketch.of("faults/no-slices", "Without devices nothing fits.").claim(request("r0")));
    }

    private void counts() {
        for (int count : new int[] {0, 1, 2, 3, 4}) {
            add(with(3, "counts/exactly-" + count + "-of-3", "So many devices in the order of trial, or none.")
                    .claim(request("r0", "count:" + count)));
            add(with(3, "counts/exactly-" + count + "-then-1-of-3", "The next request goes on with what is left.")
                    .claim(request("r0", "count:" + count), request("r1")));
        }
        for (int count : new int[] {31, 32, 33}) {
            add(with(33, "counts/claim-of-" + count, "A claim can have 32 devices.")
                    .claim(request("r0", "count:" + count)));
            add(with(33, "counts/all-of-" + count, "All devices count for that as many as there are.")
                    .claim(all("r0", selector("device.attributes[\"gpu.example.com\"].i < " + count))));
            add(with(33, "counts/two-requests-of-" + count, "It is the sum that counts.")
                    .claim(request("r0", "count:16"), request("r1", "count:" + (count - 16))));
        }
        add(with(40, "counts/two-claims-of-20", "Each claim has a limit of its own.")
                .claim(request("r0", "count:20"))
                .claim(request("r0", "count:20")));
        add(with(
                        40,
                        "counts/smallest-alternative-counts",
                        "Of alternatives the smallest counts when requests are checked.")
                .claim(request("r0", "count:30"), firstAvailable("r1", "count:3", "count:2")));
        add(with(40, "counts/no-alternative-is-small-enough", "If that is too large it is an error.")
                .claim(request("r0", "count:30"), firstAvailable("r1", "count:3", "count:4")));
        add(with(
                        40,
                        "counts/all-alternatives-of-all",
                        "An alternative for all devices that is too large is passed over.")
                .claim(firstAvailable("r0", "allocationMode:'All'", "count:1")));
        add(with(0, "counts/all-of-none", "All of no devices is a failure.").claim(all("r0")));
        add(with(0, "counts/all-of-none-has-alternatives", "After which an alternative has its chance.")
                .sliceOf("nic.example.com", "nics", "n", "{nodeName:'node-1'}", device("n0"))
                .claim(firstAvailable("r0", "deviceClassName:'gpu',allocationMode:'All'", "count:1")));
        add(with(3, "counts/all-in-use", "A device in use is one of all, so that the request fails.")
                .claim(all("r0"))
                .held("d1"));
        add(with(3, "counts/all-then-one", "After all there is none left.").claim(all("r0"), request("r1")));
        add(with(3, "counts/one-then-all", "After one there are not all.").claim(request("r0"), all("r1")));
        add(with(3, "counts/one-then-all-others", "But all others.")
                .claim(request("r0"), all("r1", selector("device.attributes[\"gpu.example.com\"].i > 0"))));
        add(with(3, "counts/any-then-all-others", "For which the first request may have to yield.")
                .claim(request("r0"), all("r1", selector("device.attributes[\"gpu.example.com\"].i < 2"))));
        add(with(3, "counts/all-in-two-claims", "Two claims cannot both have all.")
                .claim(all("r0"))
                .claim(all("r0")));
        add(with(3, "counts/all-shareable-in-two-claims", "Unless they can be shared.")
                .deviceClass("x", "{}")
                .sliceOf(
                        "nic.example.com",
                        "nics",
                        "n",
                        "{nodeName:'node-1'}",
                        device("n0", "allowMultipleAllocations:true"))
                .claim(all("r0", selector("device.driver == \"nic.example.com\"")))
                .claim(all("r0", selector("device.driver == \"nic.example.com\""))));
    }

    private void alternatives() {
        add(with(2, "alternatives/first-that-fits", "The first alternative that can be had.")
                .claim(firstAvailable("r0", "count:3", "count:2", "count:1")));
        add(with(2, "alternatives/none-fits", "Or nothing.").claim(firstAvailable("r0", "count:3", "count:4")));
        add(with(2, "alternatives/yield-to-later-requests", "An alternative is good only if the rest fits as well.")
                .claim(firstAvailable("r0", "count:2", "count:1"), request("r1")));
        add(with(2, "alternatives/yield-to-later-claims", "Also the rest in other claims.")
                .claim(firstAvailable("r0", "count:2", "count:1"))
                .claim(request("r0")));
        add(with(3, "alternatives/two-requests-yield-in-order", "The first request yields last.")
                .claim(firstAvailable("r0", "count:2", "count:1"), firstAvailable("r1", "count:2", "count:1")));
        add(with(2, "alternatives/both-yield", "Until all fit.")
                .claim(firstAvailable("r0", "count:2", "count:1"), firstAvailable("r1", "count:2", "count:1")));
        add(with(8, "alternatives/eight", "There can be eight.")
                .claim(firstAvailable(
                        "r0",
                        "count:15",
                        "count:14",
                        "count:13",
                        "count:12",
                        "count:11",
                        "count:10",
                        "count:9",
                        "count:8")));
        add(with(
                        40,
                        "alternatives/too-large-signal-skips-alternative",
                        "An alternative beyond the limit of the claim is passed over.")
                .claim(request("r0", "count:30"), firstAvailable("r1", "count:3", "count:2")));
        add(with(
                        40,
                        "alternatives/too-large-only-with-first-choice",
                        "If a larger choice before made it so, that one yields.")
                .claim(firstAvailable("r0", "count:31", "count:5"), request("r1", "count:2")));
        add(with(40, "alternatives/limit-stops-at-claims", "The limit of one claim does not matter to another.")
                .claim(firstAvailable("r0", "count:31", "count:5"))
                .claim(request("r0", "count:2")));
        add(with(3, "alternatives/all-or-one", "An alternative can be for all devices.")
                .claim(firstAvailable("r0", "allocationMode:'All'", "count:1"))
                .held("d2"));
        add(with(3, "alternatives/all", "If they can be had.")
                .claim(firstAvailable("r0", "allocationMode:'All'", "count:1")));
        add(with(
                        2,
                        "alternatives/constraint-in-all-is-fatal",
                        "A constraint that refuses one of all devices is an error, in spite of alternatives.")
                .claimWith(
                        "{constraints:[{matchAttribute:'gpu.example.com/i'}]}",
                        firstAvailable("r0", "allocationMode:'All'", "count:1")));
        add(with(2, "alternatives/constraint-is-not-fatal-otherwise", "Which it is not for a number of devices.")
                .claimWith(
                        "{constraints:[{matchAttribute:'gpu.example.com/i'}]}",
                        firstAvailable("r0", "count:2", "count:1")));
        for (String scope : List.of("r0", "r0/s0", "r0/s1", "r1", "r9")) {
            add(with(
                            2,
                            "alternatives/constraint-for-" + scope.replace('/', '-'),
                            "A constraint can be for a request, one of its alternatives, or others.")
                    .claimWith(
                            "{constraints:[{requests:['" + scope
                                    + "','r1'],distinctAttribute:'gpu.example.com/none'}]}",
                            firstAvailable("r0", "count:1", "count:1," + number(1)),
                            request("r1", "count:0")));
        }
        add(with(2, "alternatives/cel-error-in-unneeded-one", "A selector that is not reached does not fail.")
                .claim(firstAvailable("r0", "count:1", selector("device.attributes[\"gpu.example.com\"].x == 1"))));
        add(with(2, "alternatives/cel-error-in-needed-one", "One that is reached does.")
                .claim(firstAvailable("r0", "count:3", selector("device.attributes[\"gpu.example.com\"].x == 1"))));
    }

    private void adminAccess() {
        String admin = request("r0", "adminAccess:true");
        String normal = request("r0");
        String admin1 = request("r1", "adminAccess:true");
        String normal1 = request("r1");
        add(with(1, "admin/in-use", "Admin access goes to devices in use.")
                .claim(admin)
                .held("d0"));
        add(with(1, "admin/false-in-use", "No admin access does not.")
                .claim(request("r0", "adminAccess:false"))
                .held("d0"));
        add(with(1, "admin/normal-then-admin-in-a-claim", "Within a claim no device is given twice.")
                .claim(normal, admin1));
        add(with(1, "admin/admin-then-normal-in-a-claim", "In no order.").claim(admin, normal1));
        add(with(1, "admin/admin-twice-in-a-claim", "Nor twice for admin access.")
                .claim(admin, admin1));
        add(with(1, "admin/normal-then-admin-over-claims", "Over claims admin access may follow.")
                .claim(normal)
                .claim(admin));
        add(with(1, "admin/admin-then-normal-over-claims", "But not go before.")
                .claim(admin)
                .claim(normal));
        add(with(1, "admin/admin-twice-over-claims", "Two of them can look on.")
                .claim(admin)
                .claim(admin));
        add(with(2, "admin/all-in-use", "All devices, in use or not.")
                .claim(all("r0", "adminAccess:true"))
                .held("d1"));
        add(with(2, "admin/all-twice-in-a-claim", "Not twice in a claim.")
                .claim(all("r0", "adminAccess:true"), all("r1", "adminAccess:true")));
        add(with(2, "admin/counts-for-the-limit", "It counts for the limit.")
                .claim(request("r0", "count:33,adminAccess:true")));
        String shareable =
                device("d0", "allowMultipleAllocations:true,capacity:{m:{value:'2',requestPolicy:{default:'1'}}}");
        add(Sketch.of("admin/shareable", "Of a shareable device it gets a share.")
                .devices(shareable)
                .claim(admin));
        add(Sketch.of("admin/shareable-twice-in-a-claim", "Within a claim several.")
                .devices(shareable)
                .claim(admin, admin1));
        add(Sketch.of("admin/shareable-held-whole", "Also where another holds it whole.")
                .devices(shareable)
                .claim(admin)
                .held("d0"));
    }

    private void selectors() {
        String fails = "device.attributes[\"gpu.example.com\"].x == 1";
        add(with(2, "selectors/runtime-error", "A selector that fails on a device that is reached is a fatal error.")
                .claim(request("r0", selector(fails))));
        add(with(2, "selectors/runtime-error-behind-solution", "Not on one that is not reached.")
                .claim(request("r0", selector("device.attributes[\"gpu.example.com\"].i == 0 || " + fails))));
        add(with(2, "selectors/runtime-error-in-use", "Devices in use are passed over before.")
                .claim(request("r0", selector("device.attributes[\"gpu.example.com\"].i == 1 || " + fails)))
                .held("d0"));
        add(with(2, "selectors/runtime-error-in-use-all", "But not for all devices.")
                .claim(all("r0", selector("device.attributes[\"gpu.example.com\"].i == 1 || " + fails)))
                .held("d0"));
        add(with(2, "selectors/class-shields-request", "Selectors of the class come first.")
                .deviceClass("second", "{" + number(1) + "}")
                .claim(request(
                        "r0",
                        "deviceClassName:'second',"
                                + selector("device.attributes[\"gpu.example.com\"].i == 1 || " + fails))));
        add(with(2, "selectors/second-selector-shielded", "Each shields the next.")
                .claim(request("r0", "selectors:[{cel:{expression:'false'}},{cel:{expression:'" + fails + "'}}]")));
        add(with(2, "selectors/does-not-compile", "What does not compile fails when it is reached.")
                .claim(request("r0", selector("device.driver =="))));
        add(Sketch.of("selectors/does-not-compile-no-devices", "And not otherwise.")
                .claim(request("r0", selector("device.driver =="))));
        add(with(
                        2,
                        "selectors/does-not-compile-in-later-request",
                        "For a later request it is reached if the first is served.")
                .claim(request("r0"), request("r1", selector("device.driver =="))));
        add(with(1, "selectors/does-not-compile-behind-failure", "If not, not.")
                .claim(request("r0", "count:2"), request("r1", selector("device.driver =="))));
        for (String expression : List.of(
                "device.attributes[\"gpu.example.com\"].i",
                "\"yes\"",
                "dyn(true)",
                "dyn(1)",
                "device.attributes[\"unknown.example.com\"].i == 0",
                "!has(device.attributes[\"unknown.example.com\"].i)",
                "\"unknown.example.com\" in device.attributes",
                "device.attributes[\"gpu.example.com\"].?x.orValue(5) == 5",
                "device.allowMultipleAllocations",
                "device.capacity[\"gpu.example.com\"].memory.isLessThan(quantity(\"1\"))",
                "device.attributes[\"gpu.example.com\"].i.includes(0)",
                "")) {
            add(with(
                            1,
                            "selectors/expression-" + label(expression),
                            "What an expression may be: " + (expression.isEmpty() ? "empty is an error" : expression))
                    .claim(request("r0", selector(expression))));
        }
        add(Sketch.of(
                        "selectors/attribute-of-no-kind",
                        "An attribute of no known kind spoils every expression on its device.")
                .devices(device("d0", "attributes:{x:{}}"))
                .claim(request("r0", selector("true"))));
        add(Sketch.of("selectors/attribute-of-no-kind-without-selector", "Without an expression nobody minds.")
                .devices(device("d0", "attributes:{x:{}}"))
                .claim(request("r0")));
        add(
                Sketch.of("selectors/names-with-domain", "A name without a domain belongs to the driver's.")
                        .devices(device("d0", "attributes:{x:{int:1},'other.example.com/x':{int:2}}"))
                        .claim(
                                request(
                                        "r0",
                                        selector(
                                                "device.attributes[\"gpu.example.com\"].x == 1 && device.attributes[\"other.example.com\"].x == 2"))));
    }

    /** An expression as a part of a name. */
    static String label(String expression) {
        String words = expression
                .replace("==", "-is-")
                .replaceAll("[^A-Za-z0-9]+", "-")
                .replaceAll("^-|-$", "");
        return words.isEmpty() ? "empty" + expression.length() : words;
    }

    private void configuration() {
        String classConfig =
                "{config:[{opaque:{driver:'gpu.example.com',parameters:{a:1}}},{opaque:{driver:'nic.example.com',parameters:{b:[true,null]}}}]}";
        add(with(2, "config/of-class", "Configuration of a class goes to its requests.")
                .deviceClass("c", classConfig)
                .claim(request("r0", "deviceClassName:'c'"), request("r1")));
        add(with(
                        2,
                        "config/of-class-once",
                        "Once, with the names of all of them; none where it is for all of the claim.")
                .deviceClass("c", classConfig)
                .claim(request("r0", "deviceClassName:'c'"), request("r1", "deviceClassName:'c'")));
        add(with(3, "config/of-class-twice-of-three", "Names are added to the first.")
                .deviceClass("c", classConfig)
                .claim(request("r0", "deviceClassName:'c'"), request("r1"), request("r2", "deviceClassName:'c'")));
        add(with(2, "config/of-class-of-alternative", "That of the chosen alternative.")
                .deviceClass("c", classConfig)
                .claim(firstAvailable("r0", "count:3", "deviceClassName:'c'"), request("r1")));
        add(with(2, "config/of-class-of-other-alternative", "Not of another.")
                .deviceClass("c", classConfig)
                .claim(firstAvailable("r0", "count:1", "deviceClassName:'c'"), request("r1")));
        for (String requests : List.of(
                "",
                "'r0'",
                "'r1'",
                "'r0','r1'",
                "'r0/s0'",
                "'r0/s1'",
                "'r0/s0','r0/s1'",
                "'r0/s0','r0/s1','r1'",
                "'r9'",
                "'r9','r0'")) {
            String config = "{config:[{" + (requests.isEmpty() ? "" : "requests:[" + requests + "],")
                    + "opaque:{driver:'gpu.example.com',parameters:{x:'y'}}}]}";
            add(with(
                            2,
                            "config/for-"
                                    + (requests.isEmpty()
                                            ? "all"
                                            : requests.replaceAll("[',/]+", "-").replaceAll("^-|-$", "")),
                            "Configuration of the claim is kept if it is for a request or chosen alternative; its names stay, but for all there are none.")
                    .claimWith(config, firstAvailable("r0", "count:1", "count:2"), request("r1")));
            add(with(
                            2,
                            "config/exact-for-"
                                    + (requests.isEmpty()
                                            ? "all"
                                            : requests.replaceAll("[',/]+", "-").replaceAll("^-|-$", "")),
                            "The same without alternatives.")
                    .claimWith(config, request("r0"), request("r1")));
        }
        add(with(2, "config/class-before-claim", "Configuration of classes comes first.")
                .deviceClass("c", classConfig)
                .claimWith(
                        "{config:[{opaque:{driver:'gpu.example.com',parameters:{x:'y'}}}]}",
                        request("r0", "deviceClassName:'c'"),
                        request("r1")));
        add(with(2, "config/claims-apart", "Each claim has its own.")
                .deviceClass("c", classConfig)
                .claim(request("r0", "deviceClassName:'c'"))
                .claimWith(
                        "{config:[{requests:['r0'],opaque:{driver:'gpu.example.com',parameters:{x:'y'}}}]}",
                        request("r0")));
    }
}
