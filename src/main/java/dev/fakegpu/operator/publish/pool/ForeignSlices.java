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
 * The slices that another driver of the same name has on nodes of a FakeGpu: it still runs, or was uninstalled. The kubelet removes the slices of
 * a driver that is gone, but not while the name is registered again. What is left then is removed here if the options say so, as upstream's
 * slice controller of the driver would: a slice that belongs to its node, where the kubelet has registered the FakeGpu's driver. Of a driver that
 * still runs it is published again at once, and then stays.
 */
final class ForeignSlices {

    /** A driver on a node. */
    private record OnNode(String driver, String node) {}

    private final ObjectClient client;
    private final ObjectStores cluster;
    private final Optional<Duration> removeAfter;

    /**
     * When a slice will be removed.
     *
     * @param announced what people read; the clock may be set meanwhile
     */
    private record Removal(Moment due, Instant announced) {}

    /** By driver and UID. */
    private final Map<String, Map<String, Removal>> removals = new HashMap<>();

    /** Where slices were removed: what is published there later, when none is announced any more, is of a driver that still runs. */
    private final Set<OnNode> removed = new HashSet<>();

    ForeignSlices(ObjectClient client, ObjectStores cluster, Optional<Duration> removeAfter) {
        this.client = client;
        this.cluster = cluster;
        this.removeAfter = removeAfter;
    }

    /**
     * Finds the slices, and removes those whose time has come. One FakeGpu after the other: they may be about the same slices.
     *
     * @param clock the time that people read
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

    /** Sets the time of a slice that can be removed, and takes it back if it no longer can. */
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

    /** Otherwise the kubelet removes the slices itself. */
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
