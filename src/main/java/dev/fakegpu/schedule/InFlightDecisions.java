package dev.fakegpu.schedule;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.schedule.fit.ExtendedResourceClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decisions between the moment they are made and the moment it is known what came of their writes. For one thread. */
final class InFlightDecisions {

    /** So many decisions may be on their way; those after them wait, so that priorities and changes still count for them. */
    private static final int MOST_IN_FLIGHT = 64;

    private final SchedulerCache cache;
    private final SchedulingQueue queue;
    private final PendingPodIndex pods;
    private final Clock clock;
    private final Supplier<CompanionOptions> options;
    private final Consumer<BindingPlan> writer;
    private int inFlight;

    InFlightDecisions(
            SchedulerCache cache,
            SchedulingQueue queue,
            PendingPodIndex pods,
            Clock clock,
            Supplier<CompanionOptions> options,
            Consumer<BindingPlan> writer) {
        this.cache = cache;
        this.queue = queue;
        this.pods = pods;
        this.clock = clock;
        this.options = options;
        this.writer = writer;
    }

    boolean hasRoom() {
        return inFlight < MOST_IN_FLIGHT;
    }

    boolean areUnderWay() {
        return inFlight > 0;
    }

    Instant now() {
        return clock.instant();
    }

    BindingPlan.Step allocate(ResourceClaim claim, Allocation allocation) {
        return allocate(claim, allocation, null);
    }

    /** The claim is created first. */
    BindingPlan.Step allocate(ExtendedResourceClaim special, Allocation allocation) {
        return allocate(special.claim(), allocation, special);
    }

    private BindingPlan.Step allocate(
            ResourceClaim claim, Allocation allocation, @Nullable ExtendedResourceClaim special) {
        var snapshots = new LinkedHashMap<DeviceId, CompatibilityGroups>();
        allocation.results().stream()
                .map(Allocation.Result::device)
                .forEach(device -> snapshots.computeIfAbsent(
                        device, id -> cache.slices().groups(id).orElseThrow()));
        return new BindingPlan.Step(
                claim,
                allocation,
                held(claim, allocation, snapshots),
                allocation.results().stream()
                        .map(result -> DeviceStatuses.ofShare(
                                DeviceStatuses.ofSnapshot(
                                        result.device(), Objects.requireNonNull(snapshots.get(result.device()))),
                                result.share() == null ? null : result.share().id()))
                        .distinct()
                        .toList(),
                special);
    }

    private static List<AllocatedDevice> held(
            ResourceClaim claim, Allocation allocation, Map<DeviceId, CompatibilityGroups> snapshots) {
        return allocation.results().stream()
                .filter(result -> !result.adminAccess())
                .map(result -> new AllocatedDevice(
                        result.device(),
                        ClaimReader.ref(claim),
                        Objects.requireNonNull(snapshots.get(result.device())),
                        result.share()))
                .toList();
    }

    /** From now on everybody else decides as if it were written. */
    void write(QueueItem item, @Nullable Pod pod, @Nullable String node, List<BindingPlan.Step> steps) {
        write(new BindingPlan(item, pod, node, steps, clock.instant(), options.get()));
    }

    private void write(BindingPlan assignment) {
        assignment.steps().forEach(step -> cache.assume(step.claim(), step.held()));
        Pod pod = assignment.pod();
        if (pod != null && assignment.node() != null) {
            cache.usage().assume(pod, assignment.node());
        }
        queue.succeeded(assignment.item());
        pods.writing(assignment.item());
        inFlight++;
        writer.accept(assignment);
    }

    /** @param isWritten all of it; otherwise it is decided anew, from what is stored then */
    void ended(BindingPlan assignment, boolean isWritten) {
        inFlight--;
        QueueItem item = assignment.item();
        pods.written(item);
        for (BindingPlan.Step step : assignment.steps()) {
            ResourceClaim created = step.created().get();
            if (created != null) {
                // Before what was assumed for it is forgotten, so that its devices are held all the time.
                cache.claimChanged(item.namespace(), created.getMetadata().getName());
            }
            cache.settled(step.claim());
        }
        Pod pod = assignment.pod();
        if (pod != null) {
            if (!isWritten) {
                cache.usage().forget(item.uid());
            }
            cache.podStored(pod);
            pods.changed(item.namespace(), item.name());
        }
        assignment
                .steps()
                .forEach(step -> pods.claimChanged(
                        item.namespace(), step.claim().getMetadata().getName()));
        if (!isWritten) {
            queue.backOff(item.uid(), clock.instant());
        } else if (pod == null) {
            queue.remove(item.uid());
        }
    }
}
