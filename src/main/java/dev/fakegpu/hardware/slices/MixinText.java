package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.mixin.MixinsGate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Describes which parts of a slice schedulers ignore while the gate for mixins is off. */
public final class MixinText {

    private static final int MAX_LISTED = 3;

    private MixinText() {}

    /**
     * Says what is ignored and why.
     *
     * @param remedy the setting that would resolve mixins, such as {@code --mixins on}
     */
    public static String leftOut(MixinsGate.Visible visible, String remedy) {
        return "%s, and ResourceSliceMixins is off (%s resolves them)"
                .formatted(String.join("; ", leftOut(visible)), remedy);
    }

    /** One sentence each for counter sets and devices that include mixins, and one for each ignored counter set that other devices need. */
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

    /**
     * Adds a sentence about the first slice of which a part is ignored, if there is one.
     *
     * @param visible the visible parts of the slices, by name
     */
    public static List<String> withLeftOut(List<String> sentences, Map<String, MixinsGate.Visible> visible) {
        Map<String, MixinsGate.Visible> incomplete = new TreeMap<>(visible);
        incomplete.values().removeIf(MixinsGate.Visible::isComplete);
        var all = new ArrayList<>(sentences);
        incomplete.entrySet().stream()
                .findFirst()
                .map(first -> "ResourceSlice \"%s\"%s: %s"
                        .formatted(
                                first.getKey(),
                                incomplete.size() == 1 ? "" : " (and %d more)".formatted(incomplete.size() - 1),
                                leftOut(first.getValue(), MixinsGate.SETTING + " On")))
                .ifPresent(all::add);
        return List.copyOf(all);
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
