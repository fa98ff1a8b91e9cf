package dev.fakegpu.whatif;

import dev.fakegpu.dra.DeviceId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** {@link WhatIf} as text. */
public final class WhatIfText {

    private static final String INDENT = "    ";

    private WhatIfText() {}

    public static List<String> of(WhatIf whatIf) {
        var lines = new ArrayList<String>();
        whatIf.tried().forEach(attempt -> lines.addAll(lines(attempt)));
        if (whatIf.tried().isEmpty()) {
            lines.add("there is no new or evicted pod or claim to be placed");
        }
        if (!whatIf.refused().isEmpty()) {
            lines.add("");
            lines.add("pending pods that fit now, and would not any more:");
            whatIf.refused().forEach(attempt -> lines.addAll(lines(attempt)));
        }
        if (!whatIf.helped().isEmpty()) {
            lines.add("");
            lines.add("pending pods that do not fit now, and would:");
            whatIf.helped().forEach(attempt -> lines.addAll(lines(attempt)));
        }
        return lines;
    }

    private static List<String> lines(Attempt attempt) {
        String what = (attempt.why() == Attempt.Why.EVICTED ? "evicted " : "") + attempt.kind() + " "
                + attempt.namespace() + "/" + attempt.name();
        if (!attempt.isPlaced()) {
            return List.of(what + " would wait:", INDENT + attempt.sentence());
        }
        String devices = attempt.devices().stream().map(DeviceId::device).collect(Collectors.joining(", "));
        String others = switch (attempt.otherNodes()) {
            case 0 -> "no other node would do";
            case 1 -> "1 other node would do";
            default -> attempt.otherNodes() + " other nodes would do";
        };
        return List.of(what + " would be placed on " + attempt.node() + (devices.isEmpty() ? "" : " with " + devices)
                + "; " + others);
    }
}
