package dev.fakegpu.junit.cluster;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cluster that a test class needs. Classes with equal settings can share one.
 *
 * @param version the version of Kubernetes, such as {@code v1.37.1}
 * @param featureGates the gates, such as {@code A=true,B=false}; empty for the defaults of Kubernetes
 * @param hasScheduler whether kube-scheduler runs
 * @param operator the operator's environment variables
 */
public record ClusterSettings(String version, String featureGates, boolean hasScheduler, Map<String, String> operator) {

    /** The version for which the operator is built. */
    public static final String DEFAULT_VERSION = "v1.37.1";

    private static final int FIRST_MINOR = 34;
    private static final int FIRST_MINOR_WITH_GROUPS = 37;
    private static final String GROUPS = "DRADeviceCompatibilityGroups=true";
    private static final Pattern VERSION = Pattern.compile("v1\\.(\\d+)\\.\\d+(-(alpha|beta|rc)\\.\\d+)?");
    private static final Pattern GATES = Pattern.compile("([A-Za-z0-9]+=(true|false)(,|$))*");

    public ClusterSettings {
        operator = Map.copyOf(operator);
        Matcher minor = VERSION.matcher(version);
        if (!minor.matches() || Integer.parseInt(minor.group(1)) < FIRST_MINOR) {
            throw new ClusterException("kubernetes: \"" + version + "\" is not allowed; allowed: v1." + FIRST_MINOR
                    + ".0 and newer, such as " + DEFAULT_VERSION);
        }
        if (!GATES.matcher(featureGates).matches()) {
            throw new ClusterException("featureGates: \"" + featureGates
                    + "\" is not allowed; allowed: names with true or false, such as A=true");
        }
    }

    ControlPlaneSettings controlPlane() {
        return new ControlPlaneSettings(version, featureGates, featureGates, "", true, hasScheduler);
    }

    /** The default gates for a version; programs do not start with an unknown gate. */
    public static String defaultGates(String version) {
        Matcher minor = VERSION.matcher(version);
        return minor.matches() && Integer.parseInt(minor.group(1)) >= FIRST_MINOR_WITH_GROUPS ? GROUPS : "";
    }
}
