package dev.fakegpu.evidence;

import static dev.fakegpu.evidence.Experiment.ALLOCATED;
import static dev.fakegpu.evidence.Experiment.WAITS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.evidence.Check.Topic;
import java.util.List;

/** Tests the statements of KEP-5075 about the feature gate, and about changes of devices in use. */
final class ShareChecks {

    private static final String PRR = "PRR, Rollout, Upgrade and Rollback Planning";
    private static final String SKEW = "Version Skew Strategy";
    private static final String UPDATES = "Handles Device Updates";
    private static final String DISABLED = "has capacity requests, but the DRAConsumableCapacity feature is disabled";
    private static final String HELD = "allocated, consumes 5G, with a share ID";
    private static final SharedNic NIC = new SharedNic(true, 1);

    private final Lab lab;
    private final Findings findings;

    ShareChecks(Lab lab, Findings findings) {
        this.lab = lab;
        this.findings = findings;
    }

    /** Runs the checks, starting with the feature on. */
    void run() {
        findings.attempt("changes of devices in use", this::updates);
        Experiment story = beginHeld();
        findings.add(check(
                story,
                "share-held",
                PRR,
                "A workload that requests 5G can request capacity from a device that allows multiple allocations, and the consumed capacity is"
                        + " updated in the claim's status.",
                HELD,
                share(story, "held")));
        Experiment skew = beginHeld();
        lab.gates(true, false, story);
        schedulerOff(story);
        lab.gates(false, false, story);
        off(story);
        lab.gates(true, true, story);
        onAgain(story);
        lab.gates(false, true, skew);
        serverOff(skew);
    }

    private Experiment beginHeld() {
        var experiment = lab.begin(NIC);
        request(experiment, "held", "5G");
        return experiment;
    }

    /** @param amount empty for none */
    private static String request(Experiment experiment, String pod, String amount) {
        String capacity = amount.isEmpty() ? "" : ", capacity: {requests: {bandwidth: %s}}".formatted(amount);
        return experiment.pod(
                pod, "", List.of("{name: r0, exactly: {deviceClassName: %s%s}}".formatted(SharedNic.DRIVER, capacity)));
    }

    private static String share(Experiment experiment, String pod) {
        JsonNode result =
                experiment.allocation(pod).path("devices").path("results").path(0);
        return result.isMissingNode()
                ? experiment.outcome(pod)
                : "%s, consumes %s, %s a share ID"
                        .formatted(
                                experiment.outcome(pod),
                                result.path("consumedCapacity")
                                        .path("bandwidth")
                                        .asText("nothing"),
                                result.has("shareID") ? "with" : "without");
    }

    private static Check check(
            Experiment experiment, String id, String section, String says, String expected, String observed) {
        return experiment.check(id, Topic.SHARES, section, says, expected, observed);
    }

    // --- the gate

    private void schedulerOff(Experiment story) {
        request(story, "waiting", "2G");
        String refusal = story.refusal("waiting");
        findings.add(check(
                story,
                "scheduler-off-amount",
                SKEW + "; PRR, Troubleshooting",
                "If the API server supports the feature but the scheduler does not, the scheduler throws an error if the claim contains"
                        + " capacity.",
                WAITS + ": " + DISABLED,
                story.outcome("waiting") + ": " + (refusal.contains(DISABLED) ? DISABLED : refusal)));
        var free = lab.begin(NIC);
        request(free, "whole", "");
        findings.add(check(
                free,
                "scheduler-off-whole",
                SKEW,
                "If there is no capacity in the claim, the scheduler continues, and ignores `allowMultipleAllocations` and `requestPolicy`.",
                "allocated, consumes nothing, without a share ID",
                share(free, "whole")));
        request(free, "second", "");
        findings.add(check(
                free,
                "scheduler-off-second",
                PRR,
                "With the gate off, a device can no longer be allocated multiple times.",
                "whole allocated, second waits",
                free.outcomes("whole", "second")));
    }

    private void off(Experiment story) {
        findings.add(check(
                story,
                "off-held",
                PRR,
                "When the feature is disabled, existing workloads continue, and there is no change to the claim, including the consumed capacity.",
                HELD,
                share(story, "held")));
        request(story, "dropped", "2G");
        findings.add(check(
                story,
                "off-waits",
                PRR,
                "A new workload that requests 2G is rejected and remains pending.",
                WAITS,
                story.outcome("dropped")));
        findings.add(check(
                story,
                "off-amount",
                PRR,
                "The fields of the feature are removed from new objects; here the amount from a claim.",
                "no amount",
                story.claim("dropped")
                        .at("/spec/devices/requests/0/exactly/capacity/requests/bandwidth")
                        .asText("no amount")));
        var created = lab.begin(NIC);
        story.touch();
        findings.add(check(
                story,
                "off-slices",
                "PRR, Feature Enablement and Rollback",
                "When the feature is disabled, the fields are dropped; here from a new slice, and from a stored slice that is written again.",
                "dropped, dropped",
                fields(created) + ", " + fields(story)));
    }

    private static String fields(Experiment experiment) {
        return experiment.storedSlice("devices").at("/spec/devices/0").has("allowMultipleAllocations")
                ? "kept"
                : "dropped";
    }

    private void serverOff(Experiment skew) {
        request(skew, "first", "");
        request(skew, "second", "");
        findings.add(check(
                skew,
                "server-off",
                SKEW,
                "If the feature is enabled in the scheduler but not in the API server, the scheduler can continue scheduling as-is; here two"
                        + " pods on a device with enough bandwidth.",
                "first allocated, second allocated",
                skew.outcomes("first", "second")));
    }

    private void onAgain(Experiment story) {
        request(story, "large", "8G");
        request(story, "small", "2G");
        findings.add(check(
                story,
                "again-large",
                PRR,
                "After the feature is enabled again, the scheduler prevents over-provisioning of the device that was allocated before; here a"
                        + " workload requests 8G.",
                WAITS,
                story.outcome("large")));
        findings.add(check(
                story,
                "again-small",
                PRR,
                "After the feature is enabled again, a workload that requests 2G is allocated.",
                "allocated, consumes 2G, with a share ID",
                share(story, "small")));
        findings.add(check(
                story,
                "again-dropped",
                PRR,
                "A workload that was pending while the feature was disabled gets the 2G that it requested.",
                "allocated, consumes 2G, with a share ID",
                story.becomesAllocated("dropped") + share(story, "dropped").replaceFirst("^" + ALLOCATED, "")));
        findings.add(check(
                story,
                "again-held",
                PRR,
                "The claim of the existing workload did not change.",
                HELD,
                share(story, "held")));
    }

    // --- changes

    private void updates() {
        var shared = lab.begin(new SharedNic(false, 1));
        request(shared, "first", "");
        shared.publish(NIC);
        request(shared, "second", "");
        findings.add(update(
                shared,
                "update-to-shared",
                "A device that is updated from dedicated to multi-allocatable stays dedicated until it is released.",
                "first allocated, second waits",
                shared.outcomes("first", "second")));
        dedicated("update-to-dedicated", 1, "the device has a capacity");
        dedicated("update-to-dedicated-without-capacity", 0, "the device has no capacity");
        var policy = lab.begin(NIC);
        request(policy, "first", "");
        policy.publish(new SharedNic(true, 3));
        request(policy, "second", "");
        findings.add(update(
                policy,
                "update-policy",
                "A changed request policy applies to new allocations only; here the default changes from 1G to 3G.",
                "allocated, consumes 1G, with a share ID; allocated, consumes 3G, with a share ID",
                share(policy, "first") + "; " + share(policy, "second")));
    }

    private void dedicated(String id, int policy, String which) {
        var dedicated = lab.begin(new SharedNic(true, policy));
        request(dedicated, "first", "");
        dedicated.publish(new SharedNic(false, policy));
        request(dedicated, "second", "");
        findings.add(update(
                dedicated,
                id,
                "A device that is updated from multi-allocatable to dedicated is not allocated further while it is in use; here "
                        + which + ".",
                "first allocated, second waits",
                dedicated.outcomes("first", "second")));
    }

    private static Check update(Experiment experiment, String id, String says, String expected, String observed) {
        return experiment.check(id, Topic.SHARE_UPDATES, UPDATES, says, expected, observed);
    }
}
