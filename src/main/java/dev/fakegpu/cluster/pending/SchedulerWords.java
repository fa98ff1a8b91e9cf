package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why kube-scheduler refused a pod, in its own words: how many nodes each filter rejected, or the only reason of a filter that rejected the
 * pod regardless of nodes. The words come from the message of {@code PodScheduled}, which {@code FitError} of upstream's {@code
 * pkg/scheduler/framework/types.go} formats in the same way in Kubernetes 1.34 to 1.37.
 *
 * @param reasons text such as {@code 1 Insufficient cpu, 2 cannot allocate all claims}; the whole message if it has another format
 */
record SchedulerWords(String reasons) {

    /** The reason of the last filter; a node with this reason passed all other filters. */
    private static final String NO_DEVICES = "cannot allocate all claims";

    /** The beginning of the message if the plugin for devices ends an attempt with an error. Upstream: {@code RunFilterPlugins}. */
    static final String DEVICES_FAILED = "running \"DynamicResources\" filter plugin: ";

    /** {@code ErrDeviceBindingFailed} and {@code ErrDeviceBindingTimeout} of upstream's plugin DynamicResources. */
    private static final Pattern BINDING = Pattern.compile("device binding (failed|timeout)");

    private static final Pattern NO_NODE = Pattern.compile("\\d+/\\d+ nodes are available: (.*)", Pattern.DOTALL);
    private static final Pattern REST = Pattern.compile("(\\. |\\.$).*", Pattern.DOTALL);

    /** In a simulation, kube-scheduler speaks as the companion does; this is what it says of filters. */
    private static final Pattern OF_SIMULATION =
            Pattern.compile("\\S+ has the devices, but does not fit the pod \\((?<first>.*?)\\); .*"
                    + "|.*; \\d+ of \\d+ nodes do(es)? not fit the pod: (?<last>[^;]*)(; .*)?");

    private static final Pattern BETWEEN_REASONS = Pattern.compile(", (?=\\d)");
    private static final Pattern NODES_WITHOUT_DEVICES = Pattern.compile("(\\d{1,9}) " + NO_DEVICES);

    /** The last message of the scheduler; empty if it has not refused the pod. */
    static Optional<SchedulerWords> of(Pod pod) {
        return PodState.scheduled(pod)
                .filter(condition -> "False".equals(condition.getStatus()))
                .map(condition -> of(Objects.requireNonNullElse(condition.getMessage(), "")));
    }

    static SchedulerWords of(String message) {
        Matcher noNode = NO_NODE.matcher(message);
        if (noNode.matches()) {
            return new SchedulerWords(beforePreemption(noNode.group(1)));
        }
        Matcher simulated = OF_SIMULATION.matcher(message);
        return new SchedulerWords(
                simulated.matches()
                        ? Objects.requireNonNullElseGet(simulated.group("first"), () -> simulated.group("last"))
                        : message);
    }

    /** The rest of a message says that preemption does not help either, or which claims were deallocated. */
    private static String beforePreemption(String reasons) {
        return REST.matcher(reasons).replaceFirst("");
    }

    /** Whether the plugin for devices ended the attempt with an error: errors of others, such as the API server's, pass by themselves. */
    static boolean areAboutDevices(PodCondition condition) {
        return PodState.SCHEDULER_ERROR.equals(condition.getReason())
                && String.valueOf(condition.getMessage()).startsWith(DEVICES_FAILED);
    }

    /** Whether devices were allocated but could not be made ready for the pod (KEP-5007). */
    boolean areAboutBinding() {
        return BINDING.matcher(reasons).find();
    }

    /** Whether devices alone can be the reason why a pod is not on any of this many nodes that fit it otherwise. */
    boolean blameDevicesOn(int nodes) {
        return nodes > 0
                && Arrays.stream(BETWEEN_REASONS.split(reasons))
                                .map(NODES_WITHOUT_DEVICES::matcher)
                                .filter(Matcher::matches)
                                .mapToInt(reason -> Integer.parseInt(reason.group(1)))
                                .sum()
                        >= nodes;
    }
}
