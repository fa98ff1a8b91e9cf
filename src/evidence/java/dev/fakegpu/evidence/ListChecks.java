package dev.fakegpu.evidence;

import static dev.fakegpu.evidence.Experiment.ALLOCATED;
import static dev.fakegpu.evidence.Experiment.WAITS;

import dev.fakegpu.evidence.Check.Topic;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;

/** Tests the five steps of the upgrade test in KEP-4816, with an API server and a scheduler in which the feature can be switched. */
final class ListChecks {

    private static final String PRR = "PRR, Rollout, Upgrade and Rollback Planning";
    private static final String DISABLED = "has subrequests, but the DRAPrioritizedList feature is disabled";
    private static final String LIST = "{name: r0, firstAvailable: [{name: big, deviceClassName: %s}]}";

    private final Lab lab;
    private final Findings findings;

    ListChecks(Lab lab, Findings findings) {
        this.lab = lab;
        this.findings = findings;
    }

    /** Runs the steps, starting with the feature on. */
    void run() {
        Experiment story = lab.begin(new SharedNic(false, 1), 3);
        step(story, "list-on", "Feature enabled: the workload is scheduled.", ALLOCATED, pod(story, "first"));
        lab.gates(true, false, story);
        pod(story, "second");
        String refusal = story.refusal("second");
        step(
                story,
                "list-scheduler-off",
                "Feature disabled in the scheduler: a workload that uses the feature is not scheduled.",
                WAITS + ": " + DISABLED,
                story.outcome("second") + ": " + (refusal.contains(DISABLED) ? DISABLED : refusal));
        lab.gates(false, false, story);
        refused(story, "list-off", "Feature disabled in the API server and the scheduler");
        step(
                story,
                "list-off-bound",
                "Feature disabled: existing claims and running pods are not affected.",
                "first allocated, second waits",
                story.outcomes("first", "second"));
        lab.gates(false, true, story);
        refused(story, "list-server-off", "Feature disabled in the API server, enabled in the scheduler");
        lab.gates(true, true, story);
        step(story, "list-again", "Feature enabled again: the workload is scheduled.", ALLOCATED, pod(story, "third"));
        step(
                story,
                "list-again-second",
                "The workload that was pending is scheduled as well.",
                ALLOCATED,
                story.becomesAllocated("second"));
    }

    private static String pod(Experiment story, String name) {
        return story.pod(name, "", List.of(LIST.formatted(SharedNic.DRIVER)));
    }

    private void refused(Experiment story, String id, String when) {
        String observed = "accepted";
        try {
            lab.dryRun(Manifests.claim("default", id, "", List.of(LIST.formatted(SharedNic.DRIVER))));
        } catch (KubernetesClientException e) {
            observed = e.getStatus().getMessage().replaceFirst("^.* is invalid: ", "");
        }
        step(
                story,
                id,
                when + ": the field is dropped, which makes the claim invalid.",
                "spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required",
                observed);
    }

    private void step(Experiment story, String id, String says, String expected, String observed) {
        findings.add(story.check(id, Topic.LISTS, PRR, says, expected, observed));
    }
}
