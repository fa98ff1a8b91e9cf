package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.mixin.MixinsGate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What schedulers leave out of a slice while the gate for mixins is off, in words. */
public final class MixinText {

    private static final int MAX_LISTED = 3;

    private MixinText() {}

    /** One sentence for counter sets and devices that include mixins each, and for each counter set that others need. */
    public static List<String> leftOut(MixinsGate.Visible visible) {
        var sentences = new ArrayList<String>();
        leftOut("counter set", visible.counterSets(), sentences);
        leftOut("device", visible.devices(), sentences);
        Map<String, List<String>> dependents = new LinkedHashMap<>();
        visible.dependents()
                .forEach((device, set) -> dependents
                        .computeIfAbsent(set, each -> new ArrayList<>())
                        .add(device));
        dependents.forEach((set, devices) ->
                sentences.add("%s left out, because counter set %s is".formatted(are("device", devices), set)));
        return sentences;
    }

    private static void leftOut(String kind, List<String> names, List<String> sentences) {
        if (!names.isEmpty()) {
            sentences.add("%s left out, because %s mixins".formatted(are(kind, names), includes(names)));
        }
    }

    private static String includes(List<String> names) {
        return names.size() == 1 ? "it includes" : "they include";
    }

    private static String are(String kind, List<String> names) {
        String listed = names.stream().limit(MAX_LISTED).collect(Collectors.joining(", "));
        String more = names.size() > MAX_LISTED ? " and %s more".formatted(names.size() - MAX_LISTED) : "";
        return "%s%s %s%s %s"
                .formatted(kind, names.size() == 1 ? "" : "s", listed, more, names.size() == 1 ? "is" : "are");
    }
}
