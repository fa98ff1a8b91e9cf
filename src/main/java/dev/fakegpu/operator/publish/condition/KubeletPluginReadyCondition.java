package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.operator.publish.pool.KubeletPlugins;
import dev.fakegpu.operator.publish.pool.KubeletPlugins.Problem;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Condition {@code KubeletPluginReady}: on which of the FakeGpu's nodes with a kubelet pods cannot start, and what to do about it. */
public final class KubeletPluginReadyCondition {

    private static final Conditions.Type TYPE = Conditions.Type.KubeletPluginReady;

    private KubeletPluginReadyCondition() {}

    public static void report(StatusReport report, KubeletPlugins plugins) {
        int nodes = plugins.problems().size();
        if (nodes == 0) {
            report.conditions().remove(TYPE);
            return;
        }
        String driver = report.fakeGpu().getSpec().driver();
        var problems = byProblem(plugins);
        if (problems.isEmpty()) {
            report.conditions()
                    .setTrue(
                            TYPE,
                            "AllNodes",
                            "on all %s node(s) a kubelet plugin is ready and %s is registered"
                                    .formatted(nodes, driver));
            return;
        }
        long affected = problems.values().stream().mapToLong(List::size).sum();
        String message = problems.entrySet().stream()
                .map(entry -> sentence(entry.getKey(), StatusReport.firstOf(entry.getValue()), driver))
                .collect(Collectors.joining(
                        "; ",
                        "pods cannot start with the devices of %s of %s node(s): ".formatted(affected, nodes),
                        ""));
        // The worst problem of any node.
        report.conditions().setFalse(TYPE, problems.firstKey().name(), message);
    }

    private static TreeMap<Problem, List<String>> byProblem(KubeletPlugins plugins) {
        return plugins.problems().entrySet().stream()
                .filter(entry -> entry.getValue().isPresent())
                .collect(Collectors.groupingBy(
                        entry -> entry.getValue().get(),
                        TreeMap::new,
                        Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
    }

    private static String sentence(Problem problem, String nodes, String driver) {
        return switch (problem) {
            case NoKubeletPlugin ->
                "no kubelet plugin runs on %s, install it with \"kubectl apply -k config/kubelet-plugin\" or with kubeletPlugin.enabled=true of the Helm chart"
                        .formatted(nodes);
            case DriverNotServed ->
                "the kubelet plugin on %s serves only other drivers, add %s to kubeletPlugin.drivers of the Helm chart"
                        .formatted(nodes, driver);
            case KubeletPluginNotReady -> "the kubelet plugin on %s is not ready, see its pod and log".formatted(nodes);
            case DriverNotRegistered ->
                "the kubelet on %s has not registered %s yet, see the log of the kubelet plugin if that does not change"
                        .formatted(nodes, driver);
        };
    }
}
