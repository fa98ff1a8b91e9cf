package dev.fakegpu.operator.schedule.cache;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds the slices from which the companion may allocate, even while {@code spec.allocator} is being changed. The companion stops as soon
 * as the spec names another allocator. It starts once the devices have the taint that keeps other schedulers off, and after a grace period
 * for decisions that those had already made. If the API server drops taints, it starts once the change has been published. Not thread-safe.
 */
public final class AllocatorHandover {

    /** Grace period for writes of other schedulers, since their pending decisions are not visible. */
    static final Duration GRACE_PERIOD = Duration.ofSeconds(10);

    private final ObjectStores cluster;
    private final Ticker ticker;
    private final Predicate<ResourceSlice> ofOthers;

    /** The UIDs of the slices from which the companion may allocate. */
    private final Set<String> ofCompanion = new HashSet<>();

    /** The UIDs of the slices from which another scheduler may allocate. */
    private final Set<String> ofOther = new HashSet<>();

    /** By UID of a slice, the last time when another scheduler could allocate from it; removed when the grace period is over. */
    private final Map<String, Moment> lastOfOther = new HashMap<>();

    /** By UID of a FakeGpu, the generation at which its devices were relinquished. */
    private final Map<String, Long> relinquished = new HashMap<>();

    public AllocatorHandover(ObjectStores cluster, Ticker ticker) {
        this(cluster, ticker, slice -> false);
    }

    /** @param ofOthers slices that may be allocated from regardless of their FakeGpu */
    public AllocatorHandover(ObjectStores cluster, Ticker ticker, Predicate<ResourceSlice> ofOthers) {
        this.ofOthers = ofOthers;
        this.cluster = cluster;
        this.ticker = ticker;
    }

    /** The slices from which the companion may allocate now. */
    List<ResourceSlice> slices() {
        var existing = new HashSet<String>();
        cluster.fakeGpus()
                .list()
                .forEach(fakeGpu -> existing.add(fakeGpu.getMetadata().getUid()));
        var result = new ArrayList<ResourceSlice>();
        for (ResourceSlice slice : cluster.slices().list()) {
            existing.add(slice.getMetadata().getUid());
            if (admits(slice)) {
                result.add(slice);
            }
        }
        ofCompanion.retainAll(existing);
        ofOther.retainAll(existing);
        lastOfOther.keySet().retainAll(existing);
        relinquished.keySet().retainAll(existing);
        return result;
    }

    /**
     * Whether the companion may allocate from a stored slice now. The answer changes only when the slice or its FakeGpu changes, or at
     * {@link #nextDue}.
     */
    boolean admits(ResourceSlice slice) {
        boolean admitted = ofOthers.test(slice)
                || FakeGpuOwner.of(slice, name -> cluster.fakeGpus().get(null, name))
                        .filter(fakeGpu -> mayAllocateFrom(fakeGpu, slice, ticker.now()))
                        .isPresent();
        String uid = slice.getMetadata().getUid();
        if (admitted) {
            ofCompanion.add(uid);
        } else {
            ofCompanion.remove(uid);
        }
        return admitted;
    }

    private boolean mayAllocateFrom(FakeGpu fakeGpu, ResourceSlice slice, Moment now) {
        String uid = slice.getMetadata().getUid();
        if (fakeGpu.getSpec().allocator() != AllocatorName.Companion || isRelinquished(fakeGpu)) {
            ofOther.add(uid);
            lastOfOther.remove(uid);
            return false;
        }
        if (ofOther.remove(uid)) {
            lastOfOther.put(uid, now);
        }
        if (!ofCompanion.contains(uid) && !isPublished(fakeGpu) && !isTainted(slice)) {
            lastOfOther.computeIfPresent(uid, (known, since) -> now);
            return false;
        }
        boolean isOver =
                !lastOfOther.getOrDefault(uid, Moment.NEVER).plus(GRACE_PERIOD).isAfter(now);
        if (isOver) {
            lastOfOther.remove(uid);
        }
        return isOver;
    }

    /** When the grace period of a slice ends, after which the companion may allocate from it without any other change. */
    Optional<Moment> nextDue() {
        return lastOfOther.values().stream().min(Comparator.naturalOrder()).map(since -> since.plus(GRACE_PERIOD));
    }

    /** Stops the companion from allocating the FakeGpu's devices until a later generation of it is published. */
    void relinquish(FakeGpu fakeGpu) {
        relinquished.merge(fakeGpu.getMetadata().getUid(), fakeGpu.getMetadata().getGeneration(), Math::max);
    }

    private boolean isRelinquished(FakeGpu fakeGpu) {
        Long generation = relinquished.get(fakeGpu.getMetadata().getUid());
        return generation != null && observedGeneration(fakeGpu) <= generation;
    }

    private static boolean isPublished(FakeGpu fakeGpu) {
        return observedGeneration(fakeGpu) == fakeGpu.getMetadata().getGeneration()
                && Objects.requireNonNull(fakeGpu.getStatus()).conditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Accepted")
                                && condition.getStatus().equals("True"));
    }

    /** The relevant part of a FakeGpu's status, which is compared to detect changes. */
    public static Object relevantStatus(FakeGpu fakeGpu) {
        return fakeGpu.getStatus() == null ? -1 : List.of(observedGeneration(fakeGpu), isPublished(fakeGpu));
    }

    private static long observedGeneration(FakeGpu fakeGpu) {
        return fakeGpu.getStatus() == null
                ? -1
                : Objects.requireNonNullElse(fakeGpu.getStatus().observedGeneration(), -1L);
    }

    private boolean isTainted(ResourceSlice slice) {
        return cluster.parsedSlices().asStored(slice).devices().stream()
                .allMatch(device -> device.taints().stream()
                        .anyMatch(taint -> taint.key().equals(Labels.ALLOCATOR_TAINT)
                                && taint.value().equals(Labels.COMPANION)));
    }
}
