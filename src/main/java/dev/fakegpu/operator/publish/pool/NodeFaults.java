package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.Labels;
import dev.fakegpu.api.NodeFaultSpec;
import dev.fakegpu.api.NodeFaultSpec.Effect;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a FakeGpu's active faults on its simulated nodes. What users have set is left alone: the reason of the condition {@code
 * Ready} and an annotation mark what a fault has set.
 */
final class NodeFaults {

    private static final String READY = "Ready";
    private static final String REASON = EventReason.InjectedFault.name();

    private NodeFaults() {}

    /** Whether the node is deleted as long as the fault is active. */
    static boolean isGone(NodesSpec.@Nullable Simulated spec, String node) {
        return spec != null && active(spec, node, Effect.Gone).isPresent();
    }

    /** The desired node; metadata, spec and status may differ from the given one. */
    static Node apply(Node node, NodesSpec.Simulated spec, Instant now) {
        return cordoned(withStartDelay(withReady(node, spec, now), spec), spec);
    }

    private static Optional<NodeFaultSpec> active(NodesSpec.Simulated spec, String node, Effect effect) {
        return spec.faults().stream()
                .filter(fault -> fault.effect() == effect && fault.selects(node))
                .findFirst();
    }

    private static Optional<NodeFaultSpec> active(NodesSpec.Simulated spec, Node node, Effect effect) {
        return active(spec, node.getMetadata().getName(), effect);
    }

    /** When the fault is over, the condition is removed until the kubelet reports it again. */
    private static Node withReady(Node node, NodesSpec.Simulated spec, Instant now) {
        var conditions = node.getStatus() == null
                ? List.<NodeCondition>of()
                : node.getStatus().getConditions();
        var fault = active(spec, node, Effect.NotReady);
        boolean isSet = conditions.stream()
                .anyMatch(condition -> READY.equals(condition.getType()) && REASON.equals(condition.getReason()));
        boolean isNotReady = conditions.stream()
                .anyMatch(condition -> READY.equals(condition.getType()) && "False".equals(condition.getStatus()));
        if (fault.isPresent() ? isNotReady : !isSet) {
            return node;
        }
        var changed = new ArrayList<>(conditions);
        changed.removeIf(condition -> READY.equals(condition.getType()));
        fault.ifPresent(active -> changed.add(notReady(active, now)));
        return new NodeBuilder(node)
                .editOrNewStatus()
                .withConditions(changed)
                .endStatus()
                .build();
    }

    private static NodeCondition notReady(NodeFaultSpec fault, Instant now) {
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        return new NodeConditionBuilder()
                .withType(READY)
                .withStatus("False")
                .withReason(REASON)
                .withMessage(SafeText.of("injected fault \"%s\"".formatted(fault.name()), SafeText.CONDITION_MESSAGE))
                .withLastHeartbeatTime(time)
                .withLastTransitionTime(time)
                .build();
    }

    private static Node withStartDelay(Node node, NodesSpec.Simulated spec) {
        String delay =
                active(spec, node, Effect.SlowKubelet).map(NodeFaultSpec::delay).orElse(null);
        return annotated(node, Labels.START_DELAY, delay);
    }

    /** @param value null for none */
    private static Node annotated(Node node, String annotation, @Nullable String value) {
        var changed = new NodeBuilder(node).editMetadata();
        return (value == null
                        ? changed.removeFromAnnotations(annotation)
                        : changed.addToAnnotations(annotation, SafeText.of(value, SafeText.CONDITION_MESSAGE)))
                .endMetadata()
                .build();
    }

    /** Cordons a node when the fault begins, and uncordons it when the fault is over; users may uncordon it in between. */
    private static Node cordoned(Node node, NodesSpec.Simulated spec) {
        boolean byFault = Objects.requireNonNullElse(node.getMetadata().getAnnotations(), Map.of())
                .containsKey(Labels.CORDONED_BY);
        boolean isCordoned =
                node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        var fault = active(spec, node, Effect.Cordoned);
        if (fault.isPresent() && !byFault && !isCordoned) {
            return unschedulable(annotated(node, Labels.CORDONED_BY, fault.get().name()), true);
        }
        return fault.isEmpty() && byFault ? unschedulable(annotated(node, Labels.CORDONED_BY, null), null) : node;
    }

    private static Node unschedulable(Node node, @Nullable Boolean unschedulable) {
        return new NodeBuilder(node)
                .editOrNewSpec()
                .withUnschedulable(unschedulable)
                .endSpec()
                .build();
    }
}
