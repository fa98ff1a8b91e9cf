package dev.fakegpu.cluster.whatif;

import dev.fakegpu.cluster.snapshot.AssumptionsText;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.util.WrappedText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@link WhatIf} as text. */
public final class WhatIfText {

    private static final int INDENT = 4;

    private WhatIfText() {}

    public static List<String> of(WhatIf whatIf) {
        var lines = new ArrayList<String>();
        whatIf.tried().forEach(attempt -> lines.addAll(lines(attempt)));
        if (whatIf.tried().isEmpty() && whatIf.lost().isEmpty()) {
            lines.add("there is no new or evicted pod or claim to be placed");
        }
        lines.addAll(lines("running pods that would go:", whatIf.lost()));
        lines.addAll(lines(
                "pending " + kinds(whatIf.refused()) + " that fit now, and would not any more:", whatIf.refused()));
        lines.addAll(lines("pending " + kinds(whatIf.helped()) + " that do not fit now, and would:", whatIf.helped()));
        lines.addAll(AssumptionsText.of(whatIf.assumed()));
        return lines.get(0).isEmpty() ? lines.subList(1, lines.size()) : lines;
    }

    private static List<String> lines(String title, List<Attempt> attempts) {
        return attempts.isEmpty()
                ? List.of()
                : Stream.of(
                                List.of("", title),
                                attempts.stream()
                                        .flatMap(each -> lines(each).stream())
                                        .toList())
                        .flatMap(List::stream)
                        .toList();
    }

    private static String kinds(List<Attempt> attempts) {
        return attempts.stream().map(attempt -> attempt.kind() + "s").distinct().collect(Collectors.joining(" and "));
    }

    /**
     * One sentence without a period for each attempt, for texts that are not split into lines.
     *
     * @param isExplained whether the text may say why an attempt failed
     */
    public static List<String> sentences(WhatIf whatIf, Predicate<Attempt> isExplained) {
        return whatIf.all()
                .map(attempt -> attempt.isPlaced() || isExplained.test(attempt)
                        ? String.join(" ", lines(attempt)).replaceAll("\\s+", " ")
                        : what(attempt) + outcome(attempt))
                .toList();
    }

    private static String what(Attempt attempt) {
        return (attempt.why() == Attempt.Why.EVICTED ? "evicted " : "") + attempt.kind() + " " + attempt.namespace()
                + "/" + attempt.name();
    }

    /** The text for an attempt that is not placed. */
    private static String outcome(Attempt attempt) {
        if (attempt.isForbidden()) {
            return " would be refused";
        }
        if (attempt.reason().equals(EventReason.Preempted.name())) {
            return " would be preempted";
        }
        if (attempt.reason().equals(EventReason.Rejected.name())) {
            return " would be rejected";
        }
        if (attempt.why() == Attempt.Why.RUNNING) {
            return " would be evicted";
        }
        return attempt.needsPod() ? " would wait even if a pod used it" : " would wait";
    }

    private static List<String> lines(Attempt attempt) {
        String what = what(attempt);
        if (!attempt.isPlaced()) {
            var lines = new ArrayList<>(List.of(what + outcome(attempt) + ":"));
            lines.addAll(WrappedText.lines(INDENT, attempt.sentence()));
            return lines;
        }
        String devices = attempt.devices().stream().map(DeviceId::device).collect(Collectors.joining(", "));
        String others = switch (attempt.otherNodes()) {
            case 0 -> "no other node would do";
            case 1 -> "1 other node would do";
            default -> attempt.otherNodes() + " other nodes would do";
        };
        return WrappedText.lines(
                0,
                what + " would be placed on " + attempt.node() + (devices.isEmpty() ? "" : " with " + devices)
                        + (attempt.needsPod() ? " if a pod used it; " : "; ") + others);
    }
}
