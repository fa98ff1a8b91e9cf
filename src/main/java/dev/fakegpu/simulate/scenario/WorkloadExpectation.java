package dev.fakegpu.simulate.scenario;

import dev.fakegpu.simulate.ClusterView;
import dev.fakegpu.simulate.ClusterView.ClaimRow;
import dev.fakegpu.simulate.ClusterView.PodRow;
import dev.fakegpu.simulate.ClusterView.Waiting;
import dev.fakegpu.simulate.Observation;
import dev.fakegpu.simulate.ViewText;
import dev.fakegpu.simulate.scenario.ScenarioRun.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Expects a state of a pod or claim, or a number of pods or claims.
 *
 * @param name the name of the pod or claim; for {@code count}, {@code pods} or {@code claims}
 * @param is one of the subject's states
 * @param node the node of the pod; null for any
 * @param device a name, in which {@code *} matches any characters; null for any
 * @param waiting why it waits
 * @param number the number of pods or claims; for a claim, the number of devices, null for any
 */
record WorkloadExpectation(
        Subject subject,
        String namespace,
        String name,
        String is,
        @Nullable String node,
        @Nullable String device,
        Why waiting,
        @Nullable Integer number)
        implements Expectation {

    /** The subject of an expectation. */
    enum Subject {
        pod(List.of("Running", "Waiting", "Succeeded", "Failed", "Gone")),
        claim(List.of("Allocated", "NotAllocated", "Prepared", "NotPrepared", "Gone")),
        count(List.of("Running", "Waiting", "Allocated", "NotAllocated", "Prepared", "NotPrepared"));

        private final List<String> states;

        Subject(List<String> states) {
            this.states = states;
        }

        List<String> states() {
            return states;
        }
    }

    /**
     * The expected reason and sentence.
     *
     * @param reason a code; null for any
     * @param says a part of the sentence; null for any
     */
    record Why(@Nullable String reason, @Nullable String says) {

        boolean matches(@Nullable String actualReason, @Nullable String sentence) {
            return (reason == null || reason.equals(actualReason))
                    && (says == null || (sentence != null && sentence.contains(says)));
        }

        boolean isAny() {
            return reason == null && says == null;
        }

        /** A text such as {@code , reason "DevicesInUse"}. */
        @Override
        public String toString() {
            return (reason == null ? "" : ", reason \"" + reason + "\"")
                    + (says == null ? "" : ", says \"" + says + "\"");
        }
    }

    @Override
    public Check check(Observation seen) {
        ClusterView view = seen.view();
        return switch (subject) {
            case pod -> pod(view.pod(namespace, name));
            case claim -> claim(view.claim(namespace, name));
            case count -> count(view);
        };
    }

    private Check pod(Optional<PodRow> found) {
        if (found.isEmpty()) {
            return new Check(is.equals("Gone"), text(), title() + " does not exist", "");
        }
        PodRow pod = found.get();
        boolean passed = state(pod).equals(is) && (node == null || node.equals(pod.node())) && explains(pod.obstacle());
        return new Check(passed, text(), describe(pod), why(pod.obstacle()));
    }

    private String describe(PodRow pod) {
        String title = title();
        if (pod.isRunning()) {
            return title + " runs on " + pod.node();
        }
        if (pod.rejected() != null) {
            return "%s is Failed on %s: %s"
                    .formatted(title, pod.node(), pod.rejected().reason());
        }
        return pod.waiting() == null
                ? title + " is " + pod.phase()
                : "%s waits%s: %s"
                        .formatted(
                                title,
                                pod.node() == null ? "" : " on " + pod.node(),
                                pod.waiting().reason());
    }

    private static String state(PodRow pod) {
        return pod.phase().equals("Pending") ? "Waiting" : pod.phase();
    }

    private Check claim(Optional<ClaimRow> found) {
        if (found.isEmpty()) {
            return new Check(is.equals("Gone"), text(), title() + " does not exist", "");
        }
        ClaimRow claim = found.get();
        boolean passed = states(claim).contains(is)
                && (number == null || number == claim.devices().size())
                && (device == null || claim.devices().stream().anyMatch(each -> JsonPart.isLike(device, each)))
                && explains(claim.waiting());
        String actual = claim.devices().isEmpty()
                ? title() + " is not allocated"
                : "%s has %s%s"
                        .formatted(
                                title(),
                                String.join(", ", claim.devices()),
                                claim.prepared() == null ? "" : ", " + claim.prepared());
        return new Check(passed, text(), actual, why(claim.waiting()));
    }

    private static List<String> states(ClaimRow claim) {
        return List.of(
                claim.devices().isEmpty() ? "NotAllocated" : "Allocated",
                "Prepared".equals(claim.prepared()) ? "Prepared" : "NotPrepared");
    }

    private Check count(ClusterView view) {
        long actual = name.equals("pods")
                ? view.pods().stream().filter(pod -> state(pod).equals(is)).count()
                : view.claims().stream()
                        .filter(claim -> states(claim).contains(is))
                        .count();
        return new Check(
                number != null && actual == number, text(), "%s of the %s are %s".formatted(actual, name, is), "");
    }

    private boolean explains(@Nullable Waiting actual) {
        return waiting.isAny() || (actual != null && waiting.matches(actual.reason(), actual.sentence()));
    }

    private static String why(@Nullable Waiting waiting) {
        return waiting == null ? "" : waiting.sentence();
    }

    private String title() {
        return subject + " " + ViewText.name(namespace, name);
    }

    private String text() {
        var parts = new ArrayList<String>();
        parts.add(subject == Subject.count ? "%s of the %s are %s".formatted(number, name, is) : title() + " is " + is);
        add(parts, "node", node);
        add(parts, "device", device);
        if (subject != Subject.count && number != null) {
            parts.add("number " + number);
        }
        return String.join(", ", parts) + waiting;
    }

    private static void add(List<String> parts, String field, @Nullable String value) {
        if (value != null) {
            parts.add("%s \"%s\"".formatted(field, value));
        }
    }
}
