package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.operator.publish.pool.KubeletPlugins;
import dev.fakegpu.operator.publish.pool.SimulatedNodes;
import io.fabric8.kubernetes.api.model.Condition;

/** Condition {@code Ready}, the summary: whether pods can use the GPUs. */
public final class ReadyCondition {

    private static final Conditions.Type TYPE = Conditions.Type.Ready;

    private ReadyCondition() {}

    /**
     * Sets Ready to true if and only if {@code Published} is true, pods can be placed on all simulated nodes, and pods can start on all
     * nodes that need a kubelet plugin; {@code kubectl rollout status} also waits for all pods of a DaemonSet. Otherwise, the message says
     * on how many nodes the GPUs can be used, and the reason is copied from the condition that is not true, since {@code kubectl get} shows
     * only this one.
     */
    public static void report(Conditions conditions, SimulatedNodes.Result nodes, KubeletPlugins plugins) {
        Condition published = conditions.get(Conditions.Type.Published).orElseThrow();
        if (!conditions.isTrue(Conditions.Type.Published)) {
            conditions.setFalse(TYPE, published.getReason(), published.getMessage());
        } else if (!nodes.notReady().isEmpty()) {
            conditions.setFalse(TYPE, "NodesNotReady", notReady(nodes));
        } else if (!plugins.awaited().isEmpty()) {
            Condition plugin =
                    conditions.get(Conditions.Type.KubeletPluginReady).orElseThrow();
            conditions.setFalse(
                    TYPE,
                    plugins.worstAwaited().name(),
                    (plugins.usable() == 0
                                    ? "%s of %s node(s) are ready; %s"
                                    : "the GPUs can be used on %s of %s node(s), but Ready is about all of them; %s")
                            .formatted(plugins.usable(), plugins.problems().size(), plugin.getMessage()));
        } else {
            conditions.setTrue(TYPE, "Published", usable(conditions));
        }
    }

    /** Claims can be allocated without a kubelet plugin, and some claims need no pod. */
    private static String usable(Conditions conditions) {
        if (conditions.isTrue(Conditions.Type.DriverShared)) {
            return "the GPUs can be used, but pods that are given devices of another driver of the same name cannot start, see the condition DriverShared";
        }
        return conditions
                .get(Conditions.Type.KubeletPluginReady)
                .filter(plugin -> "False".equals(plugin.getStatus()))
                .map(
                        plugin ->
                                "the GPUs can be allocated, but on some nodes pods cannot start with them, see the condition KubeletPluginReady")
                .orElse("the GPUs can be used");
    }

    private static String notReady(SimulatedNodes.Result nodes) {
        return "%s of %s simulated node(s) are ready for pods; not %s"
                .formatted(
                        nodes.desired() - nodes.notReady().size(),
                        nodes.desired(),
                        StatusReport.firstOf(nodes.notReady()));
    }

    /** @param problems all problems of the spec, in one sentence */
    public static void notAccepted(StatusReport report, String problems) {
        report.conditions().setFalse(TYPE, "NotAccepted", "the spec was refused and nothing was changed: " + problems);
    }

    /** @param cause why an object could not be stored */
    public static void publishFailed(StatusReport report, String cause) {
        report.conditions().setFalse(TYPE, "PublishFailed", "not published: " + cause);
    }
}
