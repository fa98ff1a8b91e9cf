package dev.fakegpu.schedule;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.schedule.fit.SchedulableNode;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which slices the companion gives away, also while {@code spec.allocator} is being changed. It stops as soon as the spec says so. It
 * begins when the taint that keeps others off is on the devices, and others have had time to write what they decided before that. An
 * API server that drops taints stores none; there it begins when the publisher has done its work. For one thread.
 */
final class AllocatorOwnership {

    /** Nothing tells what another scheduler has decided and not written yet. */
    static final Duration SINCE_OTHERS = Duration.ofSeconds(10);

    private final ClusterWatch cluster;
    private final Clock clock;
    private Set<String> ours = Set.of();

    /** When a slice, by its UID, was last seen as one that others give away. */
    private final Map<String, Instant> withOthers = new HashMap<>();

    /** The generation of a FakeGpu, by its UID, at which others were let at its devices. */
    private final Map<String, Long> letGo = new HashMap<>();

    AllocatorOwnership(ClusterWatch cluster, Clock clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    /** Those that the companion gives away at this moment. */
    List<ResourceSlice> slices() {
        Instant now = clock.instant();
        Map<String, FakeGpu> fakeGpus = new HashMap<>();
        Set<String> existing = new HashSet<>();
        cluster.fakeGpus().list().forEach(fakeGpu -> {
            fakeGpus.put(fakeGpu.getMetadata().getName(), fakeGpu);
            existing.add(fakeGpu.getMetadata().getUid());
        });
        var result = new ArrayList<ResourceSlice>();
        var uids = new HashSet<String>();
        for (ResourceSlice slice : cluster.slices().list()) {
            FakeGpu fakeGpu = fakeGpus.get(SchedulableNode.labels(slice).getOrDefault(Labels.FAKEGPU, ""));
            existing.add(slice.getMetadata().getUid());
            if (fakeGpu != null && isOurs(fakeGpu, slice, now)) {
                result.add(slice);
                uids.add(slice.getMetadata().getUid());
            }
        }
        ours = uids;
        withOthers.keySet().retainAll(existing);
        letGo.keySet().retainAll(existing);
        return result;
    }

    private boolean isOurs(FakeGpu fakeGpu, ResourceSlice slice, Instant now) {
        String uid = slice.getMetadata().getUid();
        if (fakeGpu.getSpec().allocator() != AllocatorName.Companion || isLetGo(fakeGpu)) {
            withOthers.put(uid, now);
            return false;
        }
        if (!isTainted(slice) && !ours.contains(uid) && !isPublished(fakeGpu)) {
            withOthers.computeIfPresent(uid, (known, since) -> now);
            return false;
        }
        boolean isOver =
                !withOthers.getOrDefault(uid, Instant.MIN).plus(SINCE_OTHERS).isAfter(now);
        if (isOver) {
            withOthers.remove(uid);
        }
        return isOver;
    }

    /** When another slice may become the companion's without anything changing. */
    Optional<Instant> nextDue() {
        return withOthers.values().stream().min(Comparator.naturalOrder()).map(since -> since.plus(SINCE_OTHERS));
    }

    /** Its devices are not given away before a later generation of it is published. */
    void letGo(FakeGpu fakeGpu) {
        letGo.merge(fakeGpu.getMetadata().getUid(), fakeGpu.getMetadata().getGeneration(), Math::max);
    }

    private boolean isLetGo(FakeGpu fakeGpu) {
        Long generation = letGo.get(fakeGpu.getMetadata().getUid());
        return generation != null && observedGeneration(fakeGpu) <= generation;
    }

    private static boolean isPublished(FakeGpu fakeGpu) {
        return observedGeneration(fakeGpu) == fakeGpu.getMetadata().getGeneration()
                && Objects.requireNonNull(fakeGpu.getStatus()).conditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Accepted")
                                && condition.getStatus().equals("True"));
    }

    /** What about the status of a FakeGpu matters here. */
    static Object relevantStatus(FakeGpu fakeGpu) {
        return fakeGpu.getStatus() == null ? -1 : List.of(observedGeneration(fakeGpu), isPublished(fakeGpu));
    }

    private static long observedGeneration(FakeGpu fakeGpu) {
        return fakeGpu.getStatus() == null
                ? -1
                : Objects.requireNonNullElse(fakeGpu.getStatus().observedGeneration(), -1L);
    }

    private static boolean isTainted(ResourceSlice slice) {
        return Objects.requireNonNullElse(slice.getSpec().getDevices(), List.<Device>of()).stream()
                .allMatch(device -> device.getTaints().stream()
                        .anyMatch(taint -> taint.getKey().equals(Labels.ALLOCATOR_TAINT)
                                && Labels.COMPANION.equals(taint.getValue())));
    }
}
