package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.NodeFit;
import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetUpdateStrategy;
import io.fabric8.kubernetes.api.model.apps.RollingUpdateDaemonSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Maintains one pod for each node that the template fits ({@code pkg/controller/daemon/daemon_controller.go}). */
final class DaemonSetController {

    /** The tolerations of a DaemonSet's pods ({@code AddOrUpdateDaemonPodTolerations}). */
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
    private final Templates templates;

    DaemonSetController(ControlledCluster cluster, OwnedPods pods, Templates templates) {
        this.cluster = cluster;
        this.pods = pods;
        this.templates = templates;
    }

    void sync(DaemonSet set) {
        Map<String, List<Pod>> byNode =
                cluster.dependents(set, Pod.class).stream().collect(Collectors.groupingBy(DaemonSetController::node));
        Pod sample = OwnedPods.pod(set, withTolerations(set), set.getMetadata().getName());
        for (Node node : cluster.list(Node.class)) {
            List<Pod> ofNode = byNode.remove(node.getMetadata().getName());
            boolean mayStay = node.getMetadata().getDeletionTimestamp() == null
                    && mayBeOn(node, sample)
                    && NodeFit.selects(node, staying(sample));
            boolean isWanted = mayStay && NodeFit.selects(node, sample);
            sync(set, node, isWanted, mayStay, ofNode == null ? List.of() : ofNode);
        }
        byNode.values().stream()
                .flatMap(List::stream)
                .filter(pod -> !PodState.isBound(pod)) // the garbage collector deletes the others
                .forEach(cluster::delete);
        update(set);
    }

    /** A template can name a node ({@code NodeShouldRunDaemonPod}). */
    private static boolean mayBeOn(Node node, Pod sample) {
        return !PodState.isBound(sample)
                || sample.getSpec().getNodeName().equals(node.getMetadata().getName());
    }

    /** Updates the pods that do not run, and as many others as may be unavailable or as surge allows ({@code rollingUpdate}). */
    private void update(DaemonSet set) {
        var strategy = set.getSpec().getUpdateStrategy();
        if (strategy != null && "OnDelete".equals(strategy.getType())) {
            return;
        }
        int newest = templates.number(set, set.getSpec().getTemplate());
        List<Pod> active = pods.active(set);
        int surge = maxSurge(set, active);
        if (surge > 0) {
            surge(set, newest, surge, active);
            return;
        }
        List<Pod> running = active.stream().filter(PodState::isReady).toList();
        IntOrString given =
                rolling(set).map(RollingUpdateDaemonSet::getMaxUnavailable).orElse(null);
        long deleted = cluster.dependents(set, Pod.class).size() - running.size();
        long left = Math.max(1, ReplicaShare.roundedUp(given, "1", active.size())) - deleted;
        outdated(active, newest).filter(pod -> !PodState.isReady(pod)).forEach(cluster::delete);
        outdated(running, newest).limit(Math.max(0, left)).forEach(cluster::delete);
    }

    static int maxSurge(DaemonSet set, List<Pod> active) {
        int nodes =
                (int) active.stream().map(DaemonSetController::node).distinct().count();
        return ReplicaShare.roundedUp(
                rolling(set).map(RollingUpdateDaemonSet::getMaxSurge).orElse(null), "0", nodes);
    }

    private static Optional<RollingUpdateDaemonSet> rolling(DaemonSet set) {
        return Optional.ofNullable(set.getSpec().getUpdateStrategy()).map(DaemonSetUpdateStrategy::getRollingUpdate);
    }

    /** Deletes an old pod when the new one on its node runs. Nodes whose old pod does not run are updated regardless of the limit. */
    private void surge(DaemonSet set, int newest, int most, List<Pod> active) {
        Map<String, List<Pod>> byNode = active.stream()
                .collect(Collectors.groupingBy(DaemonSetController::node, LinkedHashMap::new, Collectors.toList()));
        var unavailable = new ArrayList<String>();
        var candidates = new ArrayList<String>();
        int left = most;
        for (var entry : byNode.entrySet()) {
            List<Pod> old = outdated(entry.getValue(), newest).toList();
            Optional<Pod> updated =
                    entry.getValue().stream().filter(pod -> !old.contains(pod)).findFirst();
            if (updated.isPresent() && PodState.isReady(updated.get())) {
                old.forEach(cluster::delete);
            } else if (updated.isPresent()) {
                left -= old.isEmpty() ? 0 : 1;
            } else {
                (old.stream().anyMatch(PodState::isReady) ? candidates : unavailable).add(entry.getKey());
            }
        }
        Stream.concat(unavailable.stream(), candidates.stream().limit(Math.max(0, left)))
                .forEach(node -> create(set, node));
    }

    private void create(DaemonSet set, String node) {
        pods.create(set, set.getMetadata().getName(), onNode(withTolerations(set), node), 1);
    }

    private static Stream<Pod> outdated(List<Pod> pods, int newest) {
        return pods.stream().filter(pod -> !Templates.isOf(pod, Templates.REVISION_HASH, newest));
    }

    /** Replaces failed pods once they are gone. If a node has several pods, the oldest stays. */
    private void sync(DaemonSet set, Node node, boolean isWanted, boolean mayStay, List<Pod> ofNode) {
        List<Pod> kept = new ArrayList<>(ofNode);
        kept.removeIf(OwnedPods::isDeleted);
        List<Pod> surplus = ofNode.stream()
                .filter(pod -> !mayStay || (PodState.hasEnded(pod) && !pods.areRejected(set, withTolerations(set))))
                .toList();
        kept.removeAll(surplus);
        surplus.forEach(cluster::delete);
        int newest = templates.number(set, set.getSpec().getTemplate());
        boolean isSurging = maxSurge(set, kept) > 0;
        List<Pod> old = outdated(kept, newest).toList();
        kept.stream().filter(pod -> !(isSurging && old.contains(pod))).skip(1).forEach(cluster::delete);
        old.stream().skip(isSurging ? 1 : old.size()).forEach(cluster::delete);
        if (isWanted && ofNode.isEmpty()) {
            create(set, node.getMetadata().getName());
        }
    }

    /** A pod for checking whether running pods stay. Taints that keep new pods away do not affect them, unless a taint evicts them. */
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

    private PodTemplateSpec withTolerations(DaemonSet set) {
        PodTemplateSpec template = set.getSpec().getTemplate();
        return Templates.labelled(template, Templates.REVISION_HASH, templates.number(set, template))
                .edit()
                .editSpec()
                .addAllToTolerations(TOLERATED)
                .endSpec()
                .build();
    }

    /** Implements {@code ReplaceDaemonSetPodNodeNameNodeAffinity}: the scheduler places the pod, and can choose only this node. */
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

    /** The node for which the pod was created ({@code GetTargetNodeName}). */
    static String node(Pod pod) {
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
