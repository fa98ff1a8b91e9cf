package dev.fakegpu.simulate.change;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.whatif.Attempt;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.simulate.Simulation;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The pods that run and would have to go because of changes: taints evict them, or the companion preempts them. */
final class LostPods {

    private LostPods() {}

    /** In the order in which they would go. */
    static List<Attempt> of(ClusterObjects before, ChangedCopy copy, ChangedCopy unchanged) {
        var anyway = lost(before, unchanged.simulation()).keySet();
        return lost(before, copy.simulation()).entrySet().stream()
                .filter(each -> !anyway.contains(each.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** By namespace and name. */
    private static Map<String, Attempt> lost(ClusterObjects before, Simulation played) {
        Predicate<Pod> ran = pod -> pod.getSpec() != null && Placements.isPlaced(pod, before);
        var lost = new LinkedHashMap<String, Attempt>();
        played.view().evictions().stream()
                .filter(each ->
                        before.pod(each.namespace(), each.name()).filter(ran).isPresent())
                .forEach(each -> lost.put(
                        each.namespace() + "/" + each.name(),
                        subject(each.namespace(), each.name()).refused(each.reason(), each.sentence())));
        played.cluster().events().stream()
                .filter(event -> event.getReason().equals(EventReason.Preempted.name()))
                .forEach(event -> {
                    var pod = event.getInvolvedObject();
                    lost.put(
                            pod.getNamespace() + "/" + pod.getName(),
                            subject(pod.getNamespace(), pod.getName()).refused(event.getReason(), event.getMessage()));
                });
        return lost;
    }

    private static Attempt.Subject subject(String namespace, String name) {
        return new Attempt.Subject("pod", namespace, name, Attempt.Why.RUNNING);
    }
}
