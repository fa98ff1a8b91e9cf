package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.KwokNode;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The kubelet plugins on a FakeGpu's nodes with a kubelet: whether pods with its devices can start there. Nodes where the operator prepares
 * claims are not included: simulated nodes, and nodes of KWOK if the FakeGpu says so. Neither are network-attached devices, which belong to
 * no particular node.
 *
 * @param problems by node, why pods cannot start; empty for a node where they can
 */
public record KubeletPlugins(Map<String, Optional<Problem>> problems) {

    /** {@code spec.skipNodeOperations} has at most two values. */
    private static final int ALL_OPERATIONS = 2;

    /** Why pods cannot start on a node, ordered from worst to least. */
    public enum Problem {
        NoKubeletPlugin,
        DriverNotServed,
        KubeletPluginNotReady,
        DriverNotRegistered;

        /** Whether the problem is temporary: a plugin exists, and will soon be ready and registered with the kubelet. */
        boolean isOfAPluginThatServes() {
            return this == KubeletPluginNotReady || this == DriverNotRegistered;
        }
    }

    public static KubeletPlugins of(FakeGpu fakeGpu, ObjectStores cluster) {
        var problems = new LinkedHashMap<String, Optional<Problem>>();
        if (concerns(fakeGpu)) {
            String driver = fakeGpu.getSpec().driver();
            TargetNodes.existing(fakeGpu, cluster.nodes())
                    .filter(node -> hasKubelet(node, fakeGpu, cluster))
                    .map(node -> node.getMetadata().getName())
                    .forEach(node -> problems.put(node, problem(KubeletPluginPod.on(node, cluster), driver)));
        }
        return new KubeletPlugins(problems);
    }

    /** Whether the FakeGpu has nodes with a kubelet, so that kubelet plugins matter. */
    public static boolean concerns(FakeGpu fakeGpu) {
        NodesSpec nodes = fakeGpu.getSpec().nodes();
        return !nodes.isNetworkAttached() && nodes.simulated() == null && !needsNoPreparation(fakeGpu);
    }

    /**
     * The nodes that must not get pods yet, because the kubelet would retry them only after a minute: a plugin serves the driver there, but
     * is not ready or not registered. Nodes without a plugin are not included, since claims can be allocated without pods.
     */
    public List<String> awaited() {
        return problems.keySet().stream().filter(this::isAwaited).toList();
    }

    /** The worst problem of the {@link #awaited} nodes. */
    public Problem worstAwaited() {
        return awaited().stream()
                .flatMap(node -> problems.getOrDefault(node, Optional.empty()).stream())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** The number of nodes on which pods can start. */
    public long usable() {
        return problems.values().stream().filter(Optional::isEmpty).count();
    }

    public boolean isAwaited(String node) {
        return problems.getOrDefault(node, Optional.empty())
                .filter(Problem::isOfAPluginThatServes)
                .isPresent();
    }

    private static boolean needsNoPreparation(FakeGpu fakeGpu) {
        var skipped = fakeGpu.getSpec().skipNodeOperations();
        return skipped.contains("*") || skipped.size() == ALL_OPERATIONS;
    }

    private static boolean hasKubelet(Node node, FakeGpu fakeGpu, ObjectStores cluster) {
        boolean simulatesKwok = fakeGpu.getSpec().nodes().isPreparationSimulated();
        return !(simulatesKwok && KwokNode.isKept(node))
                && !SimulatedNode.isSimulated(node, name -> cluster.fakeGpus().get(null, name));
    }

    private static Optional<Problem> problem(List<KubeletPluginPod> plugins, String driver) {
        if (plugins.isEmpty()) {
            return Optional.of(Problem.NoKubeletPlugin);
        }
        var serving = plugins.stream().filter(plugin -> plugin.serves(driver)).toList();
        if (serving.isEmpty()) {
            return Optional.of(Problem.DriverNotServed);
        }
        var ready = serving.stream().filter(KubeletPluginPod::isReady).toList();
        if (ready.isEmpty()) {
            return Optional.of(Problem.KubeletPluginNotReady);
        }
        return ready.stream().anyMatch(plugin -> plugin.registered().contains(driver))
                ? Optional.empty()
                : Optional.of(Problem.DriverNotRegistered);
    }
}
