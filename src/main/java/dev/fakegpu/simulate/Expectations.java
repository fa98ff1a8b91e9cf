package dev.fakegpu.simulate;

import dev.fakegpu.simulate.ClusterView.ClaimRow;
import dev.fakegpu.simulate.ClusterView.PodRow;
import dev.fakegpu.simulate.ClusterView.Waiting;
import dev.fakegpu.simulate.ScenarioManifest.Expectation;
import dev.fakegpu.simulate.ScenarioRun.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compares what is expected with what is so. */
final class Expectations {
    private Expectations() {}

    static Check check(Expectation expected, ClusterView view) {
        return switch (expected.subject()) {
            case pod -> pod(expected, view.pod(expected.namespace(), expected.name()));
            case claim -> claim(expected, view.claim(expected.namespace(), expected.name()));
            case count -> count(expected, view);
        };
    }

    private static Check pod(Expectation expected, Optional<PodRow> found) {
        if (found.isEmpty()) {
            return new Check(expected.is().equals("Gone"), text(expected), title(expected) + " does not exist", "");
        }
        PodRow pod = found.get();
        boolean passed = state(pod).equals(expected.is())
                && (expected.node() == null || expected.node().equals(pod.node()))
                && explains(expected, pod.waiting());
        return new Check(passed, text(expected), describe(expected, pod), why(pod.waiting()));
    }

    private static String describe(Expectation expected, PodRow pod) {
        String title = title(expected);
        if (pod.isRunning()) {
            return title + " runs on " + pod.node();
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

    private static Check claim(Expectation expected, Optional<ClaimRow> found) {
        if (found.isEmpty()) {
            return new Check(expected.is().equals("Gone"), text(expected), title(expected) + " does not exist", "");
        }
        ClaimRow claim = found.get();
        boolean passed = states(claim).contains(expected.is())
                && (expected.device() == null
                        || claim.devices().stream().anyMatch(device -> matches(expected.device(), device)))
                && explains(expected, claim.waiting());
        String actual = claim.devices().isEmpty()
                ? title(expected) + " is not allocated"
                : "%s has %s%s"
                        .formatted(
                                title(expected),
                                String.join(", ", claim.devices()),
                                claim.prepared() == null ? "" : ", " + claim.prepared());
        return new Check(passed, text(expected), actual, why(claim.waiting()));
    }

    private static List<String> states(ClaimRow claim) {
        return List.of(
                claim.devices().isEmpty() ? "NotAllocated" : "Allocated",
                "Prepared".equals(claim.prepared()) ? "Prepared" : "NotPrepared");
    }

    private static Check count(Expectation expected, ClusterView view) {
        long actual = expected.name().equals("pods")
                ? view.pods().stream()
                        .filter(pod -> state(pod).equals(expected.is()))
                        .count()
                : view.claims().stream()
                        .filter(claim -> states(claim).contains(expected.is()))
                        .count();
        return new Check(
                actual == expected.number(),
                text(expected),
                "%s of the %s are %s".formatted(actual, expected.name(), expected.is()),
                "");
    }

    private static boolean explains(Expectation expected, @Nullable Waiting waiting) {
        if (expected.reason() == null && expected.says() == null) {
            return true;
        }
        return waiting != null
                && (expected.reason() == null || expected.reason().equals(waiting.reason()))
                && (expected.says() == null || waiting.sentence().contains(expected.says()));
    }

    /** @param pattern with {@code *} for any characters */
    private static boolean matches(String pattern, String device) {
        String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q");
        return Pattern.matches(regex, device);
    }

    private static String why(@Nullable Waiting waiting) {
        return waiting == null ? "" : waiting.sentence();
    }

    private static String title(Expectation expected) {
        return expected.subject() + " " + ViewText.name(expected.namespace(), expected.name());
    }

    private static String text(Expectation expected) {
        var parts = new ArrayList<String>();
        parts.add(
                expected.subject() == ScenarioManifest.Subject.count
                        ? "%s of the %s are %s".formatted(expected.number(), expected.name(), expected.is())
                        : title(expected) + " is " + expected.is());
        add(parts, "node", expected.node());
        add(parts, "device", expected.device());
        add(parts, "reason", expected.reason());
        add(parts, "says", expected.says());
        return String.join(", ", parts);
    }

    private static void add(List<String> parts, String field, @Nullable String value) {
        if (value != null) {
            parts.add("%s \"%s\"".formatted(field, value));
        }
    }
}
