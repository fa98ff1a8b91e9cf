package dev.fakegpu.operator.kubelet;

import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The status of a simulated node that is ready for pods. */
public final class ReadyNode {

    private static final Set<String> OUR_CONDITIONS = Set.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");

    private ReadyNode() {}

    /** Returns the node with the status that a kubelet would report now. */
    public static Node of(Node node, Instant now) {
        String text = now.truncatedTo(ChronoUnit.SECONDS).toString();
        var conditions = new ArrayList<>(conditionsOfOthers(node));
        conditions.add(
                condition(node, text, "Ready", "True", "KubeletReady", "simulated: no kubelet is behind this node"));
        conditions.add(condition(node, text, "MemoryPressure", "False", "KubeletHasSufficientMemory", "simulated"));
        conditions.add(condition(node, text, "DiskPressure", "False", "KubeletHasNoDiskPressure", "simulated"));
        conditions.add(condition(node, text, "PIDPressure", "False", "KubeletHasSufficientPID", "simulated"));
        return new NodeBuilder(node)
                .editOrNewStatus()
                .withConditions(conditions)
                .withDeclaredFeatures(features(node))
                .editOrNewNodeInfo()
                .withArchitecture("amd64")
                .withOperatingSystem("linux")
                .withKubeletVersion("fakegpu")
                .withKubeProxyVersion("")
                .withContainerRuntimeVersion("simulated://fakegpu")
                .withOsImage("simulated")
                .withKernelVersion("simulated")
                .withMachineID("")
                .withSystemUUID("")
                .withBootID("")
                .endNodeInfo()
                .endStatus()
                .build();
    }

    /**
     * Sorted, as the API requires. The API server accepts devices that take resources of a node only if the node declares that its kubelet
     * supports this.
     */
    private static List<String> features(Node node) {
        Stream<String> before = Stream.ofNullable(node.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getDeclaredFeatures()))
                .flatMap(List::stream);
        return Stream.concat(before, Stream.of(SliceField.NODE_ALLOCATABLE_RESOURCES.gate()))
                .distinct()
                .sorted()
                .toList();
    }

    public static Optional<NodeCondition> condition(Node node, String type) {
        return node.getStatus() == null
                ? Optional.empty()
                : node.getStatus().getConditions().stream()
                        .filter(condition -> type.equals(condition.getType()))
                        .findFirst();
    }

    private static List<NodeCondition> conditionsOfOthers(Node node) {
        return node.getStatus() == null
                ? List.of()
                : node.getStatus().getConditions().stream()
                        .filter(condition -> !OUR_CONDITIONS.contains(condition.getType()))
                        .toList();
    }

    private static NodeCondition condition(
            Node node, String now, String type, String status, String reason, String message) {
        var stored = condition(node, type); // with fields that only a newer API server knows
        var before = stored.filter(known -> status.equals(known.getStatus()));
        return stored.map(NodeConditionBuilder::new)
                .orElseGet(NodeConditionBuilder::new)
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(SafeText.of(message, SafeText.CONDITION_MESSAGE))
                .withLastHeartbeatTime(now)
                .withLastTransitionTime(
                        before.map(NodeCondition::getLastTransitionTime).orElse(now))
                .build();
    }
}
