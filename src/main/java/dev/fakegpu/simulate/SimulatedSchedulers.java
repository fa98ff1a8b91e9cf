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

/** The companion, and possibly a model of kube-scheduler. They consist of the same parts, and take turns. */
final class SimulatedSchedulers {

    private final MemoryCluster cluster;
    private final VirtualTime time;
    private final Function<String, EventRecorder> recorders;
    private final PendingChanges pendingChanges;
    private final TieBreak ties;
    private final boolean isAlone;
    private final Map<SchedulerProfile, SteppedCompanion> byProfile = new EnumMap<>(SchedulerProfile.class);
    private long attempts;

    /**
     * Creates the schedulers.
     *
     * @param recorders the event recorder of each component
     * @param ofCompanion the settings of the companion, which can change
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

    /** Whether the companion allocates from a slice that belongs to no FakeGpu. It does so only in simulations without a kube-scheduler. */
    boolean isAlsoOfCompanion(ResourceSlice slice) {
        return isAlone && FakeGpuOwner.name(slice).isEmpty();
    }

    /** @param alsoFrom the slices from which it may allocate, whatever their FakeGpu says */
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
                        .releasesAll() // there is no kube-controller-manager to do it
                        .ties(ties)
                        .listener((result, gate, groupPolicy) -> attempts++)
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

    /** @return whether there were changes */
    boolean handleChanges() {
        boolean worked = false;
        for (SteppedCompanion scheduler : byProfile.values()) {
            worked |= scheduler.handleChanges();
        }
        return worked;
    }

    /** The time until there may be something to do even if nothing changes. */
    Duration maxWait() {
        return byProfile.values().stream()
                .map(SteppedCompanion::maxWait)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** How many attempts to place a pod or claim have ended. Equal pods that are refused together count as one. */
    long attempts() {
        return attempts;
    }

    /** Whether a pod or claim of the namespace is ready to be scheduled. */
    boolean isBusyWith(String namespace) {
        return byProfile.values().stream().anyMatch(scheduler -> scheduler.isBusyWith(namespace));
    }

    /** Whether one of the schedulers schedules the pod. */
    boolean include(Pod pod) {
        return byProfile.keySet().stream().anyMatch(profile -> profile.isFor(pod));
    }

    /** The latest reason why a pod or claim is pending; empty if it is not known. */
    Optional<SteppedCompanion.Pending> pending(String uid) {
        return byProfile.values().stream()
                .flatMap(scheduler -> scheduler.pending(uid).stream())
                .findFirst();
    }

    /** Implements {@link SteppedCompanion#relinquish}. */
    boolean relinquish(FakeGpu fakeGpu) {
        return Objects.requireNonNull(byProfile.get(SchedulerProfile.COMPANION)).relinquish(fakeGpu);
    }
}
