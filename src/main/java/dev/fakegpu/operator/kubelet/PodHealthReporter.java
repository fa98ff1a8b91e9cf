package dev.fakegpu.operator.kubelet;

import dev.fakegpu.cluster.fit.UnhealthyDevices;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.kube.client.Refusals;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.prepare.DeviceHealths;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.RetryBackoff;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the health of devices up to date in the status of the running pods that use them (KEP-4680), and reports failed hardware to users.
 */
final class PodHealthReporter {

    private final ObjectStores cluster;
    private final NodeSnapshots nodes;
    private final PodStatusWriter statuses;
    private final EventRecorder events;
    private final CoalescingWorker worker;
    private final RetryBackoff backoff;

    /**
     * The names of nodes whose device health is not yet written to their pods; "" for network-attached devices. Other threads add to this
     * set.
     */
    private final Set<String> outdatedNodes = ConcurrentHashMap.newKeySet();

    /** Devices that have become unhealthy since the last report. Other threads add to this map. */
    private final Map<DeviceId, DeviceTaint> newlyUnhealthy = new ConcurrentHashMap<>();

    /** Devices that have recovered since the last report, with the taint that they had. Other threads add to this map. */
    private final Map<DeviceId, DeviceTaint> recovered = new ConcurrentHashMap<>();

    PodHealthReporter(
            ObjectStores cluster,
            NodeSnapshots nodes,
            PodStatusWriter statuses,
            EventRecorder events,
            CoalescingWorker worker,
            Ticker ticker) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.statuses = statuses;
        this.events = events;
        this.worker = worker;
        this.backoff = new RetryBackoff(ticker);
    }

    void sliceChanged(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        var slice = after == null ? before : after;
        if (slice != null && (before == null || !healths(before).equals(healths(after)))) {
            if (before != null && after != null) {
                noteChanges(before, after);
            }
            outdatedNodes.add(Objects.requireNonNullElse(slice.getSpec().getNodeName(), ""));
        }
    }

    /** Records changes; a problem that begins and ends between two reports is not reported. */
    private void noteChanges(ResourceSlice before, ResourceSlice after) {
        var known = unhealthy(before);
        var now = unhealthy(after);
        var published = healths(after).keySet();
        now.forEach((device, taint) -> {
            if (!known.containsKey(device) && recovered.remove(device) == null) {
                newlyUnhealthy.put(device, taint);
            }
        });
        known.forEach((device, taint) -> {
            if (!now.containsKey(device) && published.contains(device) && newlyUnhealthy.remove(device) == null) {
                recovered.put(device, taint);
            }
        });
    }

    private Map<DeviceId, DeviceTaint> unhealthy(ResourceSlice slice) {
        return UnhealthyDevices.of(List.of(cluster.parsedSlices().asStored(slice)))
                .taints();
    }

    private Map<DeviceId, DeviceHealths.Health> healths(@Nullable ResourceSlice slice) {
        return slice == null
                ? Map.of()
                : DeviceHealths.of(List.of(cluster.parsedSlices().asStored(slice)));
    }

    /** The current health of the devices of each container of the pod. */
    Function<Container, List<ResourceStatus>> healthOf(Pod pod) {
        return healthOf(pod, onNode(pod.getSpec().getNodeName()));
    }

    private Function<Container, List<ResourceStatus>> healthOf(Pod pod, Map<DeviceId, DeviceHealths.Health> healths) {
        return container ->
                ContainerHealth.of(container, name -> PodClaims.named(pod, name, cluster.claims()), healths);
    }

    private Map<DeviceId, DeviceHealths.Health> onNode(String node) {
        return nodes.of(node).healths();
    }

    /**
     * Writes the health to the running pods for which it may have changed.
     *
     * @param running called only if health may have changed for any pod
     */
    void report(Supplier<List<Pod>> running) {
        var outdated = Set.copyOf(outdatedNodes);
        if (outdated.isEmpty()) {
            return;
        }
        outdatedNodes.removeAll(outdated);
        var unhealthy = take(newlyUnhealthy);
        var well = take(recovered);
        List<Pod> pods = running.get();
        backoff.retain(pods.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet()));
        pods.stream()
                .filter(pod ->
                        outdated.contains("") || outdated.contains(pod.getSpec().getNodeName()))
                .collect(Collectors.groupingBy(pod -> pod.getSpec().getNodeName()))
                .forEach((node, ofNode) -> {
                    write(onNode(node), ofNode);
                    ofNode.forEach(pod -> tell(pod, unhealthy, well));
                });
    }

    private static UnhealthyDevices take(Map<DeviceId, DeviceTaint> noted) {
        var taken = new UnhealthyDevices(noted);
        noted.keySet().removeAll(taken.taints().keySet());
        return taken;
    }

    /** Tells the user, since a pod keeps running when its hardware fails. */
    private void tell(Pod pod, UnhealthyDevices unhealthy, UnhealthyDevices well) {
        for (ResourceClaim claim : PodClaims.of(pod, cluster.claims()).claims()) {
            unhealthy.sentence(claim).ifPresent(text -> {
                events.warning(pod, EventReason.DevicesUnhealthy, text);
                events.warning(claim, EventReason.DevicesUnhealthy, text);
            });
            well.recovery(claim).ifPresent(text -> {
                events.normal(pod, EventReason.DevicesRecovered, text);
                events.normal(claim, EventReason.DevicesRecovered, text);
            });
        }
    }

    private void write(Map<DeviceId, DeviceHealths.Health> healths, List<Pod> ofNode) {
        ofNode.forEach(pod -> worker.attempt(pod, () -> write(healths, pod)));
    }

    private void write(Map<DeviceId, DeviceHealths.Health> healths, Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (!backoff.isDue(uid)) {
            outdatedNodes.add(pod.getSpec().getNodeName());
            return;
        }
        try {
            statuses.health(pod, healthOf(pod, healths));
        } catch (KubernetesClientException e) {
            outdatedNodes.add(pod.getSpec().getNodeName());
            if (Refusals.isRefusal(e)) {
                worker.requestIn(backoff.failed(uid));
            }
            throw e;
        }
    }
}
