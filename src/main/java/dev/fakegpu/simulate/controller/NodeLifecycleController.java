package dev.fakegpu.simulate.controller;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Taints cordoned nodes, and nodes by their conditions, and marks the pods of nodes that are not ready ({@code
 * pkg/controller/nodelifecycle}). It does not set the conditions. In reality, the kubelet does, or this controller 50 s after the kubelet's
 * last heartbeat.
 */
final class NodeLifecycleController {

    private static final String READY = "Ready";
    private static final String NOT_READY = "not-ready";
    private static final String UNREACHABLE = "unreachable";
    private static final String UNSCHEDULABLE = "unschedulable";
    private static final String PREFIX = "node.kubernetes.io/";

    /** The taints for conditions that are {@code True} ({@code nodeConditionToTaintKeyStatusMap}). */
    private static final Map<String, String> OF_CONDITIONS = Map.of(
            "MemoryPressure", "memory-pressure",
            "DiskPressure", "disk-pressure",
            "PIDPressure", "pid-pressure",
            "NetworkUnavailable", "network-unavailable");

    private final ControlledCluster cluster;
    private final ControllerTime time;

    /** The UIDs of the pods that are not ready because of their node. */
    private final Set<String> marked = new HashSet<>();

    NodeLifecycleController(ControlledCluster cluster, ControllerTime time) {
        this.cluster = cluster;
        this.time = time;
    }

    void sync(Node node) {
        if (node.getStatus() == null || node.getStatus().getConditions().isEmpty()) {
            return; // the kubelet has not reported yet
        }
        List<Taint> before = node.getSpec() == null ? List.of() : node.getSpec().getTaints();
        List<Taint> after = new ArrayList<>(before);
        List<Taint> wanted = wanted(node);
        after.removeIf(taint -> isOurs(taint) && !isIn(taint, wanted));
        wanted.stream().filter(taint -> !isIn(taint, before)).forEach(after::add);
        if (!after.equals(before)) {
            cluster.update(
                    node,
                    new NodeBuilder(node)
                            .editOrNewSpec()
                            .withTaints(after)
                            .endSpec()
                            .build());
        }
        mark(node);
    }

    private List<Taint> wanted(Node node) {
        List<Taint> taints = new ArrayList<>();
        for (NodeCondition condition : node.getStatus().getConditions()) {
            String status = condition.getStatus();
            String ofCondition = OF_CONDITIONS.get(condition.getType());
            if (READY.equals(condition.getType()) && !"True".equals(status)) {
                String key = "Unknown".equals(status) ? UNREACHABLE : NOT_READY;
                taints.add(taint(key, "NoSchedule"));
                taints.add(taint(key, "NoExecute"));
            } else if (ofCondition != null && "True".equals(status)) {
                taints.add(taint(ofCondition, "NoSchedule"));
            }
        }
        if (node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
            taints.add(taint(UNSCHEDULABLE, "NoSchedule"));
        }
        return taints;
    }

    private Taint taint(String key, String effect) {
        return new TaintBuilder()
                .withKey(PREFIX + key)
                .withEffect(effect)
                .withTimeAdded(time.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                .build();
    }

    /** Whether the controller removes the taint if it is not wanted. Users may set its other keys with the effect NoExecute. */
    private static boolean isOurs(Taint taint) {
        Stream<String> ofReady = Stream.of(NOT_READY, UNREACHABLE);
        Stream<String> keys = "NoSchedule".equals(taint.getEffect())
                ? Stream.of(ofReady, Stream.of(UNSCHEDULABLE), OF_CONDITIONS.values().stream())
                        .flatMap(Function.identity())
                : "NoExecute".equals(taint.getEffect()) ? ofReady : Stream.empty();
        return keys.anyMatch(key -> (PREFIX + key).equals(taint.getKey()));
    }

    private static boolean isIn(Taint taint, List<Taint> taints) {
        return taints.stream()
                .anyMatch(each ->
                        each.getKey().equals(taint.getKey()) && each.getEffect().equals(taint.getEffect()));
    }

    /** Implements {@code MarkPodsNotReady}. The kubelet reverts this when it reports again. */
    private void mark(Node node) {
        boolean isReady = node.getStatus().getConditions().stream()
                .filter(condition -> READY.equals(condition.getType()))
                .allMatch(condition -> "True".equals(condition.getStatus()));
        if (isReady && marked.isEmpty()) {
            return;
        }
        for (Pod pod : cluster.list(Pod.class)) {
            if (Objects.equals(node.getMetadata().getName(), pod.getSpec().getNodeName())
                    && (isReady
                            ? marked.remove(pod.getMetadata().getUid())
                            : isReady(pod) && marked.add(pod.getMetadata().getUid()))) {
                cluster.updateStatus(pod, withReady(pod, isReady ? "True" : "False"));
            }
        }
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> READY.equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    private static Pod withReady(Pod pod, String status) {
        return new PodBuilder(pod)
                .editStatus()
                .editMatchingCondition(condition -> READY.equals(condition.getType()))
                .withStatus(status)
                .endCondition()
                .endStatus()
                .build();
    }
}
