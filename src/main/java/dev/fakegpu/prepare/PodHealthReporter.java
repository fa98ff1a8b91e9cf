package dev.fakegpu.prepare;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.CoalescingWorker;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells running pods how their devices are, as it changes (KEP-4680). */
final class PodHealthReporter {

    private final ClusterWatch cluster;
    private final InventoryPlanner planner;
    private final PodStatusWriter pods;
    private final CoalescingWorker worker;

    /** Nodes on which the health of a device changed since pods were told; empty for devices that are attached to the network. */
    private final Set<String> changed = ConcurrentHashMap.newKeySet();

    PodHealthReporter(ClusterWatch cluster, InventoryPlanner planner, PodStatusWriter pods, CoalescingWorker worker) {
        this.cluster = cluster;
        this.planner = planner;
        this.pods = pods;
        this.worker = worker;
    }

    /** Another version of a slice. */
    void changed(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        var slice = after == null ? before : after;
        if (slice != null && (before == null || !healths(before).equals(healths(after)))) {
            changed.add(Objects.requireNonNullElse(slice.getSpec().getNodeName(), ""));
        }
    }

    private Map<DeviceId, DeviceHealths.Health> healths(@Nullable ResourceSlice slice) {
        return slice == null
                ? Map.of()
                : DeviceHealths.of(List.of(cluster.sliceReads().asStored(slice)));
    }

    /** The health of the devices of a pod's container, as it is now. */
    Function<Container, List<ResourceStatus>> of(Pod pod) {
        return of(pod, onNode(pod.getSpec().getNodeName()));
    }

    private Function<Container, List<ResourceStatus>> of(Pod pod, Map<DeviceId, DeviceHealths.Health> healths) {
        return container ->
                ContainerHealth.of(container, name -> PodClaims.named(pod, name, cluster.claims()), healths);
    }

    private Map<DeviceId, DeviceHealths.Health> onNode(String node) {
        return new NodeSnapshot(cluster, planner, node).healths();
    }

    /** @param running all pods that may have to be told */
    void say(List<Pod> running) {
        var nodes = Set.copyOf(changed);
        if (nodes.isEmpty()) {
            return;
        }
        changed.removeAll(nodes);
        running.stream()
                .filter(pod ->
                        nodes.contains("") || nodes.contains(pod.getSpec().getNodeName()))
                .collect(Collectors.groupingBy(pod -> pod.getSpec().getNodeName()))
                .forEach((node, ofNode) -> say(onNode(node), ofNode));
    }

    private void say(Map<DeviceId, DeviceHealths.Health> healths, List<Pod> ofNode) {
        ofNode.forEach(pod -> worker.attempt(pod, () -> {
            try {
                pods.health(pod, of(pod, healths));
            } catch (KubernetesClientException e) {
                changed.add(pod.getSpec().getNodeName());
                throw e;
            }
        }));
    }
}
