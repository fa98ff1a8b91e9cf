package dev.fakegpu.simulate.change;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.whatif.Attempt;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.simulate.Simulation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The pods that would have to go because of changes: taints evict them, or the companion preempts them. Most of them run now. The companion
 * can also preempt a pod that is only tried, or one that waits now and got its devices because of the changes.
 */
final class LostPods {

    private LostPods() {}

    private record Lost(String namespace, String name, String reason, String sentence) {

        Attempt because(Attempt.Why why) {
            return new Attempt.Subject("pod", namespace, name, why).refused(reason, sentence);
        }

        boolean ran(ClusterObjects before) {
            return before.pod(namespace, name)
                    .filter(pod -> pod.getSpec() != null && Placements.isPlaced(pod, before))
                    .isPresent();
        }

        boolean existed(ClusterObjects before) {
            return before.pod(namespace, name).isPresent();
        }

        boolean isPreempted() {
            return reason.equals(EventReason.Preempted.name());
        }
    }

    /**
     * In the order in which they would go.
     *
     * @param tried the pods that are tried, by namespace and name
     */
    static List<Attempt> of(
            ClusterObjects before, ChangedCopy copy, ChangedCopy unchanged, Map<String, Attempt.Why> tried) {
        Set<String> anyway = lost(unchanged.simulation()).keySet();
        Set<String> left = copy.pods().stream()
                .map(pod ->
                        key(pod.getMetadata().getNamespace(), pod.getMetadata().getName()))
                .collect(Collectors.toSet());
        var attempts = new ArrayList<Attempt>();
        lost(copy.simulation()).forEach((key, lost) -> {
            Attempt.Why why = tried.get(key);
            boolean isUnrelated = why == null && (!lost.existed(before) || anyway.contains(key));
            if (why != Attempt.Why.EVICTED && !anyway.contains(key) && lost.ran(before)) {
                attempts.add(lost.because(Attempt.Why.RUNNING));
            } else if (!isUnrelated && lost.isPreempted() && !left.contains(key)) {
                attempts.add(lost.because(why == null ? Attempt.Why.PENDING : why));
            }
        });
        return attempts;
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    private static Map<String, Lost> lost(Simulation played) {
        var lost = new LinkedHashMap<String, Lost>();
        played.view()
                .evictions()
                .forEach(each -> lost.put(
                        key(each.namespace(), each.name()),
                        new Lost(each.namespace(), each.name(), each.reason(), each.sentence())));
        played.cluster().events().stream()
                .filter(event -> event.getReason().equals(EventReason.Preempted.name()))
                .forEach(event -> {
                    var pod = event.getInvolvedObject();
                    lost.put(
                            key(pod.getNamespace(), pod.getName()),
                            new Lost(pod.getNamespace(), pod.getName(), event.getReason(), event.getMessage()));
                });
        return lost;
    }
}
