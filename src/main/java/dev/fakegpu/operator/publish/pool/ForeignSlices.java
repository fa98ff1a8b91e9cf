package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.util.Moment;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The slices of another driver with the same name on nodes of a FakeGpu. Either that driver is still running, or it was uninstalled. The
 * kubelet removes the slices of an uninstalled driver, but not if the name is registered again. If the options allow it, remaining slices
 * are removed here, as that driver's own slice controller would do: those that belong to a node where the kubelet has registered the
 * FakeGpu's driver. A driver that is still running publishes its slice again immediately, and the slice is then left alone.
 */
final class ForeignSlices {

    /** A driver on a node. */
    private record OnNode(String driver, String node) {}

    private final ObjectClient client;
    private final ObjectStores cluster;
    private final Optional<Duration> removeAfter;

    /**
     * The planned removal of a slice.
     *
     * @param announced the wall-clock time that users are told; the clock may be set in the meantime
     */
    private record Removal(Moment due, Instant announced) {}

    /** By driver, then by UID of the slice. */
    private final Map<String, Map<String, Removal>> removals = new HashMap<>();

    /**
     * Where slices were removed. Slices that are published there later, when no removal is announced any more, belong to a driver that is
     * still running.
     */
    private final Set<OnNode> removed = new HashSet<>();

    ForeignSlices(ObjectClient client, ObjectStores cluster, Optional<Duration> removeAfter) {
        this.client = client;
        this.cluster = cluster;
        this.removeAfter = removeAfter;
    }

    /**
     * Finds the slices, and removes those that are due. Handles one FakeGpu at a time, since several may find the same slices.
     *
     * @param clock the wall-clock time
     */
    synchronized ForeignSlicesResult check(FakeGpu fakeGpu, Moment now, Instant clock) {
        String driver = fakeGpu.getSpec().driver();
        List<ResourceSlice> all = cluster.foreignSlices(driver);
        Map<String, Removal> planned = removals.computeIfAbsent(driver, ignored -> new HashMap<>());
        planned.keySet()
                .retainAll(
                        all.stream().map(slice -> slice.getMetadata().getUid()).collect(Collectors.toSet()));
        if (all.isEmpty()) {
            return ForeignSlicesResult.NONE;
        }
        Set<String> nodes = TargetNodes.existing(fakeGpu, cluster.nodes())
                .map(node -> node.getMetadata().getName())
                .collect(Collectors.toSet());
        List<ResourceSlice> own = all.stream()
                .filter(slice -> nodes.contains(slice.getSpec().getNodeName()))
                .sorted(Comparator.comparing(slice -> slice.getMetadata().getName()))
                .toList();
        own.forEach(slice -> announce(slice, planned, now, clock));
        List<ResourceSlice> gone =
                own.stream().filter(slice -> isDue(slice, planned, now)).toList();
        gone.forEach(slice -> remove(slice, planned));
        List<ResourceSlice> left =
                own.stream().filter(slice -> !gone.contains(slice)).toList();
        return new ForeignSlicesResult(
                left.stream().map(slice -> title(slice, fate(slice, planned))).toList(),
                gone.stream().map(slice -> title(slice, "")).toList(),
                left.stream()
                        .flatMap(slice -> Stream.ofNullable(planned.get(uid(slice))))
                        .map(removal -> now.until(removal.due()))
                        .min(Comparator.naturalOrder()));
    }

    /** Plans the removal of a slice that can be removed, and cancels it if it no longer can. */
    private void announce(ResourceSlice slice, Map<String, Removal> planned, Moment now, Instant clock) {
        if (removeAfter.isEmpty() || !isOfItsNode(slice) || !isRegistered(slice)) {
            planned.remove(uid(slice));
        } else if (!removed.contains(onNode(slice))) {
            Duration wait = removeAfter.get();
            planned.computeIfAbsent(
                    uid(slice),
                    ignored -> new Removal(now.plus(wait), clock.plus(wait).truncatedTo(ChronoUnit.SECONDS)));
        }
    }

    private static boolean isDue(ResourceSlice slice, Map<String, Removal> planned, Moment now) {
        Removal removal = planned.get(uid(slice));
        return removal != null && !now.isBefore(removal.due());
    }

    private void remove(ResourceSlice slice, Map<String, Removal> planned) {
        client.delete(slice);
        cluster.slices().deleted(slice);
        planned.remove(uid(slice));
        removed.add(onNode(slice));
    }

    private static boolean isOfItsNode(ResourceSlice slice) {
        List<OwnerReference> owners =
                Objects.requireNonNullElse(slice.getMetadata().getOwnerReferences(), List.of());
        return !owners.isEmpty()
                && owners.stream()
                        .allMatch(owner -> "Node".equals(owner.getKind())
                                && slice.getSpec().getNodeName().equals(owner.getName()));
    }

    /** If the driver is not registered, the kubelet removes the slices itself. */
    private boolean isRegistered(ResourceSlice slice) {
        return KubeletPluginPod.on(slice.getSpec().getNodeName(), cluster).stream()
                .anyMatch(plugin -> plugin.isReady()
                        && plugin.registered().contains(slice.getSpec().getDriver()));
    }

    private String fate(ResourceSlice slice, Map<String, Removal> planned) {
        Removal removal = planned.get(uid(slice));
        if (removal != null) {
            return ", will be removed at " + removal.announced();
        }
        return removed.contains(onNode(slice)) ? ", published again after such a slice was removed" : "";
    }

    private static String uid(ResourceSlice slice) {
        return slice.getMetadata().getUid();
    }

    private static OnNode onNode(ResourceSlice slice) {
        return new OnNode(slice.getSpec().getDriver(), slice.getSpec().getNodeName());
    }

    private static String title(ResourceSlice slice, String fate) {
        return "%s (pool %s, %s%s)"
                .formatted(
                        slice.getMetadata().getName(),
                        slice.getSpec().getPool().getName(),
                        FakeGpuOwner.others(slice),
                        fate);
    }
}
