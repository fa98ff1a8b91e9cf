package dev.fakegpu.e2e.soak;

import dev.fakegpu.testing.AllocationHistory;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Watches every version of every claim and slice, bypassing the proxy between the operator and the API server, and checks them. */
final class ClusterHistory implements AutoCloseable {

    private static final String CLAIMS = "claims";
    private static final String SLICES = "slices";

    private final AllocationHistory history = new AllocationHistory();
    private final RevisionOrder order = new RevisionOrder(List.of(CLAIMS, SLICES));
    private final Set<String> allocated = ConcurrentHashMap.newKeySet();
    private final ConcurrentSkipListSet<Long> allocations = new ConcurrentSkipListSet<>();
    private final Map<String, String> broken = new ConcurrentHashMap<>();
    private final Predicate<String> isOfInterest;
    private final List<Watch> watches = new ArrayList<>();

    /** @param driversOfInterest the drivers for {@link #firstAllocationAfter} */
    ClusterHistory(KubernetesClient client, Predicate<String> driversOfInterest) {
        isOfInterest = driversOfInterest;
        watches.add(watch(client, ResourceSlice.class, SLICES, this::slice));
        watches.add(watch(client, ResourceClaim.class, CLAIMS, this::claim));
    }

    /** The time as in {@link System#nanoTime}. */
    Optional<Long> firstAllocationAfter(long nanoTime) {
        return Optional.ofNullable(allocations.higher(nanoTime));
    }

    /** A sentence for each rule that was violated, or that could not be checked, so far. */
    List<String> violations() {
        synchronized (order) {
            var all = new ArrayList<>(history.violations());
            broken.forEach((kind, cause) ->
                    all.add("the watch on " + kind + " ended, so that versions were missed: " + cause));
            return all;
        }
    }

    List<String> unpublished() {
        synchronized (order) {
            return history.unpublished();
        }
    }

    long allocated() {
        synchronized (order) {
            return history.allocated();
        }
    }

    long released() {
        synchronized (order) {
            return history.released();
        }
    }

    /** Stops the watches and checks their last events. */
    @Override
    public void close() {
        watches.forEach(Watch::close);
        order.flush();
    }

    private <T extends HasMetadata> Watch watch(
            KubernetesClient client, Class<T> type, String kind, BiConsumer<Boolean, T> changed) {
        var objects = client.resources(type).inAnyNamespace();
        var list = objects.list();
        list.getItems().forEach(item -> change(kind, item, () -> changed.accept(true, item)));
        String from = list.getMetadata().getResourceVersion();
        order.reached(kind, Long.parseLong(from));
        var options = new ListOptionsBuilder()
                .withResourceVersion(from)
                .withAllowWatchBookmarks(true)
                .build();
        return objects.watch(options, new Watcher<>() {
            @Override
            public void eventReceived(Action action, T object) {
                switch (action) {
                    case ADDED, MODIFIED -> change(kind, object, () -> changed.accept(true, object));
                    case DELETED -> change(kind, object, () -> changed.accept(false, object));
                    case BOOKMARK -> order.reached(kind, revision(object));
                    case ERROR -> broken.put(kind, String.valueOf(object));
                }
            }

            @Override
            public void onClose(WatcherException cause) {
                broken.put(kind, String.valueOf(cause));
            }
        });
    }

    private void change(String kind, HasMetadata object, Runnable apply) {
        if (object instanceof ResourceClaim claim) {
            recordTime(claim);
        }
        order.changed(kind, revision(object), apply);
    }

    private void slice(boolean isStored, ResourceSlice slice) {
        history.slice(slice.getMetadata().getName(), isStored ? slice : null);
    }

    private void claim(boolean isStored, ResourceClaim claim) {
        history.claim(
                claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName(), isStored ? claim : null);
    }

    private void recordTime(ResourceClaim claim) {
        String uid = claim.getMetadata().getUid();
        if (claim.getStatus() == null || claim.getStatus().getAllocation() == null) {
            allocated.remove(uid);
        } else if (allocated.add(uid)
                && claim.getStatus().getAllocation().getDevices().getResults().stream()
                        .anyMatch(result -> isOfInterest.test(result.getDriver()))) {
            allocations.add(System.nanoTime());
        }
    }

    private static long revision(HasMetadata object) {
        return Long.parseLong(object.getMetadata().getResourceVersion());
    }
}
