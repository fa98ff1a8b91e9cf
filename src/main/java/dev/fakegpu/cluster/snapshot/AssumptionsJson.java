package dev.fakegpu.cluster.snapshot;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Locale;

/**
 * {@link Assumptions} as JSON.
 *
 * @param scheduler {@code Companion} or {@code KubeScheduler}
 * @param gate {@code On}, {@code Off} or {@code Unaware}
 */
@JsonPropertyOrder({"scheduler", "gate", "gateFrom", "groupPolicy", "groupPolicyFrom"})
public record AssumptionsJson(
        String scheduler, String gate, String gateFrom, String groupPolicy, String groupPolicyFrom) {

    public static AssumptionsJson of(Assumptions assumed) {
        return new AssumptionsJson(
                title(assumed.scheduler()),
                title(assumed.gate()),
                assumed.gateFrom(),
                title(assumed.policy()),
                assumed.policyFrom());
    }

    /** Returns a name such as {@code KubeScheduler}. */
    private static String title(Enum<?> value) {
        var title = new StringBuilder();
        for (String word : value.name().split("_")) {
            title.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return title.toString();
    }
}
