package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.api.KwokNode;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.pool.TargetNodes;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;

/**
 * Condition {@code PreparationSimulated}: on which of the FakeGpu's nodes the operator does not prepare claims although {@code
 * spec.nodes.preparation} asks for it, and why. The condition is absent if the spec does not ask for it.
 */
public final class PreparationSimulatedCondition {

    private static final Conditions.Type TYPE = Conditions.Type.PreparationSimulated;

    private PreparationSimulatedCondition() {}

    public static void report(StatusReport report, ObjectStores cluster) {
        if (!report.fakeGpu().getSpec().nodes().isPreparationSimulated()) {
            report.conditions().remove(TYPE);
            return;
        }
        List<Node> nodes =
                TargetNodes.existing(report.fakeGpu(), cluster.nodes()).toList();
        List<String> refused = nodes.stream()
                .flatMap(node -> KwokNode.refusal(node).stream()
                        .map(why -> node.getMetadata().getName() + " " + why))
                .toList();
        if (refused.isEmpty()) {
            report.conditions()
                    .setTrue(
                            TYPE, "AllNodes", "the operator prepares claims on all %s node(s)".formatted(nodes.size()));
        } else {
            report.conditions()
                    .setFalse(
                            TYPE,
                            "NotKeptByKwok",
                            "the operator leaves the pods of %s of %s node(s) alone, since they may have a kubelet: %s"
                                    .formatted(refused.size(), nodes.size(), StatusReport.firstOf(refused)));
        }
    }
}
