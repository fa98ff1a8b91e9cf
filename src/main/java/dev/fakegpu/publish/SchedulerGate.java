package dev.fakegpu.publish;

import java.util.regex.Pattern;

/** What is known of the feature gate of kube-scheduler. */
public enum SchedulerGate {
    /** It enforces groups. */
    On,
    /** It skips devices that declare groups. */
    Off,
    /** Its version does not know them, and allocates as if there were none. */
    Unaware,
    Unknown;

    static final String NAME = "DRADeviceCompatibilityGroups";

    private static final String METRIC = "kubernetes_feature_enabled{";
    private static final Pattern GATE =
            Pattern.compile("(?m)^kubernetes_feature_enabled\\{[^}]*name=\"" + NAME + "\"[^}]*\\} ([01])");

    /**
     * Reads it from metrics.
     *
     * @param metrics in Prometheus' text format, of any program
     */
    static SchedulerGate fromMetrics(String metrics) {
        var gate = GATE.matcher(metrics);
        if (gate.find()) {
            return gate.group(1).equals("1") ? On : Off;
        }
        return metrics.contains(METRIC) ? Unaware : Unknown;
    }
}
