package dev.fakegpu.runtime;

import dev.fakegpu.engine.allocate.Feature;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Translates Kubernetes feature gates to features of the allocator. */
final class FeatureGates {
    private FeatureGates() {}

    /**
     * Returns the features without those whose gate is off.
     *
     * @param gates the state of gates by name
     * @throws IllegalArgumentException if the allocator does not know a gate; the message lists the gates that it knows
     */
    static Set<Feature> apply(Map<String, Boolean> gates, Set<Feature> features) {
        var remaining = EnumSet.copyOf(features);
        gates.forEach((gate, on) -> {
            Set<Feature> behind = behind(gate);
            if (!on) {
                remaining.removeAll(behind);
            }
        });
        return remaining;
    }

    private static Set<Feature> behind(String gate) {
        Set<Feature> behind = Arrays.stream(Feature.values())
                .filter(feature -> feature.gates().contains(gate))
                .collect(Collectors.toSet());
        if (behind.isEmpty()) {
            Set<String> known = Arrays.stream(Feature.values())
                    .flatMap(feature -> feature.gates().stream())
                    .collect(Collectors.toCollection(TreeSet::new));
            throw new IllegalArgumentException("fakegpu.companion.feature-gates names \"" + gate
                    + "\", which is not a gate of the allocator; known are " + String.join(", ", known) + " ("
                    + Feature.COMPATIBILITY_GROUPS_GATE + " is fakegpu.companion.gate)");
        }
        return behind;
    }
}
