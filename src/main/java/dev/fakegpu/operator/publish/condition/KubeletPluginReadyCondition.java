package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.KwokNode;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.pool.TargetNodes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Condition {@code KubeletPluginReady}: on which of the FakeGpu's nodes nobody prepares claims, and what to do. It is about nodes with a
 * kubelet: on simulated ones, and on KWOK's if the FakeGpu says so, the operator prepares, and network-attached devices are on no particular node.
 */
public final class KubeletPluginReadyCondition {

    private static final Conditions.Type TYPE = Conditions.Type.KubeletPluginReady;

    /** {@code spec.skipNodeOperations} has at most these two. */
    private static final int ALL_OPERATIONS = 2;

    private KubeletPluginReadyCondition() {}

    /** Why nobody prepares on a node. The condition's reason is the first that some node has. */
    private enum Problem {
        NoKubeletPlugin,
        DriverNotServed,
        KubeletPluginNotReady
    }

    public static void report(StatusReport report, ObjectStores cluster) {
        var nodes = nodes(report.fakeGpu(), cluster);
        if (nodes.isEmpty()) {
            report.conditions().remove(TYPE);
            return;
        }
        String driver = report.fakeGpu().getSpec().driver();
        var problems = problems(nodes, driver, cluster);
        if (problems.isEmpty()) {
            report.conditions()
                    .setTrue(TYPE, "AllNodes", "a kubelet plugin is ready on all %s node(s)".formatted(nodes.size()));
            return;
        }
        long affected = problems.values().stream().mapToLong(List::size).sum();
        String message = problems.entrySet().stream()
                .map(entry -> sentence(entry.getKey(), StatusReport.firstOf(entry.getValue()), driver))
                .collect(Collectors.joining(
                        "; ",
                        "pods cannot start with the devices of %s of %s node(s): ".formatted(affected, nodes.size()),
                        ""));
        report.conditions().setFalse(TYPE, problems.firstKey().name(), message);
    }

    /** Whether it is about nodes with a kubelet at all, so that kubelet plugins matter. */
    public static boolean concerns(FakeGpu fakeGpu) {
        NodesSpec nodes = fakeGpu.getSpec().nodes();
        return !nodes.isNetworkAttached() && nodes.simulated() == null && !needsNoPreparation(fakeGpu);
    }

    private static boolean needsNoPreparation(FakeGpu fakeGpu) {
        var skipped = fakeGpu.getSpec().skipNodeOperations();
        return skipped.contains("*") || skipped.size() == ALL_OPERATIONS;
    }

    private static List<String> nodes(FakeGpu fakeGpu, ObjectStores cluster) {
        boolean simulatesKwok = fakeGpu.getSpec().nodes().isPreparationSimulated();
        return concerns(fakeGpu)
                ? TargetNodes.existing(fakeGpu, cluster.nodes())
                        .filter(node -> !simulatesKwok || !KwokNode.isKept(node))
                        .filter(node -> !SimulatedNode.isSimulated(
                                node, name -> cluster.fakeGpus().get(null, name)))
                        .map(node -> node.getMetadata().getName())
                        .toList()
                : List.of();
    }

    private static TreeMap<Problem, List<String>> problems(List<String> nodes, String driver, ObjectStores cluster) {
        return nodes.stream()
                .map(node -> Map.entry(node, problem(KubeletPluginPod.on(node, cluster), driver)))
                .filter(entry -> entry.getValue().isPresent())
                .collect(Collectors.groupingBy(
                        entry -> entry.getValue().get(),
                        TreeMap::new,
                        Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
    }

    private static Optional<Problem> problem(List<KubeletPluginPod> plugins, String driver) {
        if (plugins.isEmpty()) {
            return Optional.of(Problem.NoKubeletPlugin);
        }
        if (plugins.stream().noneMatch(plugin -> plugin.serves(driver))) {
            return Optional.of(Problem.DriverNotServed);
        }
        return plugins.stream().anyMatch(plugin -> plugin.serves(driver) && plugin.isReady())
                ? Optional.empty()
                : Optional.of(Problem.KubeletPluginNotReady);
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
        };
    }
}
