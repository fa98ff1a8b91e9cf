package dev.fakegpu.simulate;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.operator.schedule.CompanionBuilder;
import dev.fakegpu.operator.schedule.SteppedCompanion;
import dev.fakegpu.operator.schedule.search.SearchTime;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import dev.fakegpu.operator.schedule.settings.TieBreak;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The companion, and what stands for kube-scheduler if there is one. They are made of the same parts, and take turns. */
final class SimulatedSchedulers {

    private final MemoryCluster cluster;
    private final VirtualTime time;
    private final Function<String, EventRecorder> recorders;
    private final PendingChanges pendingChanges;
    private final TieBreak ties;
    private final boolean isAlone;
    private final Map<SchedulerProfile, SteppedCompanion> byProfile = new EnumMap<>(SchedulerProfile.class);

    /**
     * @param recorders of events, by component
     * @param ofCompanion its settings, which may change
     * @param pendingChanges what FakeGpus publish once devices are released
     */
    SimulatedSchedulers(
            MemoryCluster cluster,
            VirtualTime time,
            Function<String, EventRecorder> recorders,
            SimulationOptions options,
            CompanionSettings ofCompanion,
            PendingChanges pendingChanges) {
        this.cluster = cluster;
        this.time = time;
        this.recorders = recorders;
        this.pendingChanges = pendingChanges;
        ties = options.ties();
        isAlone = options.schedulers() == Schedulers.COMPANION;
        add("fakegpu-companion", ofCompanion, this::isAlsoOfCompanion);
        if (!isAlone) {
            add(
                    SchedulerProfile.KUBE_SCHEDULER.schedulerName(),
                    CompanionSettings.ofKubeScheduler(options.ofKubeScheduler()),
                    slice -> true);
        }
    }

    /** Whether the companion allocates from a slice that belongs to no FakeGpu, which it does only here. */
    boolean isAlsoOfCompanion(ResourceSlice slice) {
        return isAlone && FakeGpuOwner.name(slice).isEmpty();
    }

    /** @param alsoFrom the slices that it may allocate from whatever their FakeGpu says */
    private void add(String component, CompanionSettings settings, Predicate<ResourceSlice> alsoFrom) {
        byProfile.put(
                settings.profile(),
                new CompanionBuilder(cluster, cluster.stores(), recorders.apply(component), settings)
                        .time(time, time)
                        .executors(time)
                        .searchTime(SearchTime.ofReadings())
                        .naming(ClaimNaming.Full)
                        .pendingChanges(pendingChanges)
                        .slicesOfOthers(alsoFrom)
                        .releasesAll() // no kube-controller-manager does
                        .ties(ties)
                        .buildStepped());
    }

    /** @return whether there was anything to do */
    boolean runUntilIdle() {
        boolean worked = false;
        for (SteppedCompanion scheduler : byProfile.values()) {
            worked |= scheduler.runUntilIdle();
        }
        return worked;
    }

    /** How long until there may be something to do without a change. */
    Duration maxWait() {
        return byProfile.values().stream()
                .map(SteppedCompanion::maxWait)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Whether a pod or claim of the namespace is ready to be scheduled. */
    boolean isBusyWith(String namespace) {
        return byProfile.values().stream().anyMatch(scheduler -> scheduler.isBusyWith(namespace));
    }

    /** Whether one of them schedules the pod. */
    boolean include(Pod pod) {
        return byProfile.keySet().stream().anyMatch(profile -> profile.isFor(pod));
    }

    /** Why a pod or claim is pending, as last worked out; empty if that is not known. */
    Optional<SteppedCompanion.Pending> pending(String uid) {
        return byProfile.values().stream()
                .flatMap(scheduler -> scheduler.pending(uid).stream())
                .findFirst();
    }

    /** See {@link SteppedCompanion#relinquish}. */
    boolean relinquish(FakeGpu fakeGpu) {
        return Objects.requireNonNull(byProfile.get(SchedulerProfile.COMPANION)).relinquish(fakeGpu);
    }
}
