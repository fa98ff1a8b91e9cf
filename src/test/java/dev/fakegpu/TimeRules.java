package dev.fakegpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.ArchTest;
import dev.fakegpu.testing.ProjectFiles;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.stream.Collectors;

/**
 * Durations are measured with a {@link Ticker}. The wall clock is read only to show or store a time, or to compare it with a stored one;
 * code that reads it must handle a clock that is set forward or back. Part of {@link ArchitectureTest}.
 */
final class TimeRules {

    private TimeRules() {}

    /** Classes that call a {@link Clock}, with the purpose. */
    private static final Set<String> SHOW_OR_STORE_TIMES = Set.of(
            "cli.WhoCommand", // ages of claims
            "dashboard.server.DashboardFeed", // the time of the picture
            "kube.events.EventRecorder", // firstTimestamp, lastTimestamp
            "operator.kubelet.BindingSimulator", // lastTransitionTime
            "operator.kubelet.NodeHeartbeat", // renewTime, lastHeartbeatTime
            "operator.kubelet.PodStatusWriter", // startTime
            "operator.prepare.DeviceStatusWriter", // lastTransitionTime
            "operator.prepare.plugin.HealthService", // last_updated_time
            "operator.prepare.plugin.RegistrationReport", // lastTransitionTime
            "operator.publish.ClockSteps", // compares it with the ticker
            "operator.publish.condition.Conditions", // lastTransitionTime
            "operator.publish.FakeGpuReconciler", // the time when faults in status.faults take effect
            "operator.schedule.bind.ClaimWriter", // allocationTimestamp
            "operator.schedule.report.DecisionLog", // the age of a pod, as a metric
            "operator.schedule.bind.PodWriter", // lastTransitionTime
            "operator.schedule.PreFilter", // the deadline of unmet conditions, in a message
            "runtime.DcgmRoute", // the load, which a FakeGpu describes by the time of day
            "runtime.LeaderLease", // acquireTime, renewTime
            "simulate.memory.MemoryCluster", // creationTimestamp and such
            "util.StoredTimes"); // converts a stored time to a moment

    @ArchTest
    static void onlyWhoShowsOrStoresTimesReadsTheWallClock(JavaClasses classes) {
        assertThat(namesOfCallers(classes, call -> isOf(call, Clock.class) && readsTime(call.getName())))
                .containsExactlyInAnyOrderElementsOf(SHOW_OR_STORE_TIMES);
    }

    /**
     * Classes that read both a clock and a ticker, so that they could wait by the wrong one, with the test in which the clock jumps. Other
     * classes that wait use only {@link Moment}s, which are independent of clocks.
     */
    private static final Map<String, String> TESTED_WITH_JUMPS = Map.of(
            "dashboard.server.DashboardFeed", "dashboard.server.DashboardFeedTest",
            "kube.events.EventRecorder", "kube.events.EventRecorderTest",
            "operator.kubelet.BindingSimulator", "operator.kubelet.BindingSimulatorTest",
            "operator.kubelet.NodeHeartbeat", "operator.kubelet.NodeHeartbeatIT",
            "operator.publish.ClockSteps", "operator.publish.ClockStepsTest",
            "operator.publish.FakeGpuReconciler", "operator.publish.pool.ForeignSlicesTest",
            "operator.schedule.PreFilter", "util.StoredTimesTest", // its deadlines are stored times
            "runtime.LeaderLease", "runtime.LeaderLeaseTest",
            "util.StoredTimes", "util.StoredTimesTest");

    private static final Set<String> WAIT_FOR_NOTHING =
            Set.of("operator.schedule.report.DecisionLog", "runtime.DcgmRoute");

    @ArchTest
    static void whoReadsAClockAndATickerIsTestedWithAClockThatJumps(JavaClasses classes) {
        Set<String> readers =
                namesOfCallers(classes, call -> isOf(call, Ticker.class) && TICKS.contains(call.getName()));
        readers.retainAll(SHOW_OR_STORE_TIMES);
        readers.removeAll(WAIT_FOR_NOTHING);
        assertThat(readers).containsExactlyInAnyOrderElementsOf(TESTED_WITH_JUMPS.keySet());
        TESTED_WITH_JUMPS
                .values()
                .forEach(test -> assertThat(ProjectFiles.read(
                                ProjectFiles.resolve("src/test/java/dev/fakegpu/" + test.replace('.', '/') + ".java")))
                        .as(test)
                        .containsAnyOf(".jump(", "ClockJumpTests"));
    }

    @ArchTest
    static void noMomentIsMadeOfATimeOfAClock(JavaClasses classes) {
        assertThat(namesOfCallers(
                        classes,
                        call -> isOf(call, Moment.class) && call.getName().equals("<init>")))
                .containsExactlyInAnyOrder("simulate.memory.VirtualTime", "util.Moment", "util.Ticker");
    }

    @ArchTest
    static void onlyTheTickerOfTheSystemReadsNanoseconds(JavaClasses classes) {
        assertThat(namesOfCallers(
                        classes,
                        call -> isOf(call, System.class) && call.getName().equals("nanoTime")))
                .containsExactly("util.Ticker");
    }

    /** These cannot be injected, and a {@link Timer} waits for times of the wall clock. */
    @ArchTest
    static void nobodyReadsTheTimeOfTheProcess(JavaClasses classes) {
        assertThat(namesOfCallers(
                        classes,
                        call -> isOf(call, System.class) && call.getName().equals("currentTimeMillis")
                                || isOf(call, Timer.class)
                                || isOf(call, java.util.Date.class)
                                        && call.getName().equals("<init>")
                                || call.getOwner().getPackageName().equals("java.time")
                                        && call.getName().equals("now")))
                .isEmpty();
    }

    private static final Set<String> TICKS = Set.of("now", "since", "until", "nanos");

    interface Called {
        boolean test(AccessTarget call);
    }

    private static boolean isOf(AccessTarget call, Class<?> owner) {
        return call.getOwner().isEquivalentTo(owner);
    }

    private static boolean readsTime(String method) {
        return method.equals("instant") || method.equals("millis");
    }

    /** The names of the callers, including those with method references. */
    static Set<String> namesOfCallers(JavaClasses classes, Called called) {
        return classes.stream()
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .filter(access -> called.test(access.getTarget()))
                .map(JavaAccess::getOriginOwner)
                .map(TimeRules::outermost)
                .map(type -> type.getFullName().substring("dev.fakegpu.".length()))
                .collect(Collectors.toSet());
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(TimeRules::outermost).orElse(type);
    }
}
