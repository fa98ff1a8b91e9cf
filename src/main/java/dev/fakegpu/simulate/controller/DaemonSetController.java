package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.NodeFit;
import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One pod for each node that its template fits ({@code pkg/controller/daemon/daemon_controller.go}). */
final class DaemonSetController {

    /** What pods of a DaemonSet tolerate ({@code AddOrUpdateDaemonPodTolerations}). */
    private static final List<Toleration> TOLERATED = Stream.of(
                    "not-ready:NoExecute",
                    "unreachable:NoExecute",
                    "disk-pressure:NoSchedule",
                    "memory-pressure:NoSchedule",
                    "pid-pressure:NoSchedule",
                    "unschedulable:NoSchedule")
            .map(taint -> taint.split(":", 2))
            .map(taint -> new TolerationBuilder()
                    .withKey("node.kubernetes.io/" + taint[0])
                    .withOperator("Exists")
                    .withEffect(taint[1])
                    .build())
            .toList();

    private final ControlledCluster cluster;
    private final OwnedPods pods;

    DaemonSetController(ControlledCluster cluster, OwnedPods pods) {
        this.cluster = cluster;
        this.pods = pods;
    }

    void sync(DaemonSet set) {
        Map<String, List<Pod>> byNode = cluster.dependents(set, Pod.class).stream()
                .filter(pod -> !OwnedPods.isDeleted(pod))
                .collect(Collectors.groupingBy(DaemonSetController::node));
        Pod sample = OwnedPods.pod(set, withTolerations(set), set.getMetadata().getName());
        for (Node node : cluster.list(Node.class)) {
            List<Pod> ofNode = byNode.remove(node.getMetadata().getName());
            boolean mayStay =
                    node.getMetadata().getDeletionTimestamp() == null && NodeFit.selects(node, staying(sample));
            boolean isWanted = mayStay && NodeFit.selects(node, sample);
            sync(set, node, isWanted, mayStay, ofNode == null ? List.of() : ofNode);
        }
        byNode.values().forEach(ofGone -> ofGone.forEach(cluster::delete));
    }

    /** Pods that have failed are replaced; of several the oldest stays. */
    private void sync(DaemonSet set, Node node, boolean isWanted, boolean mayStay, List<Pod> ofNode) {
        List<Pod> kept = new ArrayList<>(ofNode);
        List<Pod> surplus = ofNode.stream()
                .filter(pod -> !mayStay || PodState.hasEnded(pod))
                .toList();
        kept.removeAll(surplus);
        surplus.forEach(cluster::delete);
        kept.stream().skip(1).forEach(cluster::delete);
        if (isWanted && kept.isEmpty()) {
            pods.create(
                    set,
                    set.getMetadata().getName(),
                    onNode(withTolerations(set), node.getMetadata().getName()),
                    1);
        }
    }

    /** Where taints keep new pods away, those that run stay unless a taint evicts them. */
    private static Pod staying(Pod sample) {
        return new PodBuilder(sample)
                .editSpec()
                .addNewToleration()
                .withOperator("Exists")
                .withEffect("NoSchedule")
                .endToleration()
                .endSpec()
                .build();
    }

    private static PodTemplateSpec withTolerations(DaemonSet set) {
        return set.getSpec()
                .getTemplate()
                .edit()
                .editSpec()
                .addAllToTolerations(TOLERATED)
                .endSpec()
                .build();
    }

    /** As {@code ReplaceDaemonSetPodNodeNameNodeAffinity}: the scheduler places it, and can choose only this node. */
    private static PodTemplateSpec onNode(PodTemplateSpec template, String node) {
        var required = template.edit()
                .editSpec()
                .editOrNewAffinity()
                .editOrNewNodeAffinity()
                .editOrNewRequiredDuringSchedulingIgnoredDuringExecution();
        var ofNode = new NodeSelectorRequirement("metadata.name", "In", List.of(node));
        return required.withNodeSelectorTerms(new NodeSelectorTerm(List.of(), List.of(ofNode)))
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    /** The node that the pod is made for ({@code GetTargetNodeName}). */
    private static String node(Pod pod) {
        if (PodState.isBound(pod)) {
            return pod.getSpec().getNodeName();
        }
        return pod.getSpec()
                .getAffinity()
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms()
                .get(0)
                .getMatchFields()
                .get(0)
                .getValues()
                .get(0);
    }
}
