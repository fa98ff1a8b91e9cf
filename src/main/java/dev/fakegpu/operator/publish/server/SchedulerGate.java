package dev.fakegpu.operator.publish.server;

import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.Optional;
import java.util.regex.Pattern;

/** The state of kube-scheduler's feature gate {@code DRADeviceCompatibilityGroups}, if known. */
public enum SchedulerGate {
    /** kube-scheduler enforces groups. */
    On,
    /** kube-scheduler skips devices with groups. */
    Off,
    /** kube-scheduler's version does not know groups and ignores them. */
    Unaware,
    Unknown;

    public static final String NAME = "DRADeviceCompatibilityGroups";

    private static final String METRIC = "kubernetes_feature_enabled{";
    private static final Pattern GATE =
            Pattern.compile("(?m)^kubernetes_feature_enabled\\{[^}]*name=\"" + NAME + "\"[^}]*\\} ([01])");

    /** The gate in the allocator's terms; empty if it is unknown. */
    public Optional<GroupsGate> known() {
        return switch (this) {
            case On -> Optional.of(GroupsGate.ON);
            case Off -> Optional.of(GroupsGate.OFF);
            case Unaware -> Optional.of(GroupsGate.UNAWARE);
            case Unknown -> Optional.empty();
        };
    }

    /**
     * Reads the gate from metrics.
     *
     * @param metrics in Prometheus text format, from any version of kube-scheduler or another Kubernetes component; {@link #Unknown} if
     *     they contain no feature gates
     */
    public static SchedulerGate fromMetrics(String metrics) {
        int first = metrics.indexOf(METRIC); // an API server has megabytes of other metrics before these
        if (first < 0) {
            return Unknown;
        }
        var gate = GATE.matcher(metrics).region(first, metrics.length());
        if (gate.find()) {
            return gate.group(1).equals("1") ? On : Off;
        }
        return Unaware;
    }
}
