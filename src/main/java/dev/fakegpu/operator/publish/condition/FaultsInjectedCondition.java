package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultTiming;
import dev.fakegpu.api.NodeFaultSpec;
import dev.fakegpu.hardware.inventory.TimedFaults;
import dev.fakegpu.hardware.inventory.TimedFaults.State;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.operator.publish.pool.FaultTimeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Condition {@code FaultsInjected}: which faults of devices and simulated nodes are configured. An event reports each timed fault once,
 * when it takes effect. Faults in the kubelet's calls are reported on the pod during preparation.
 */
public final class FaultsInjectedCondition {

    private static final Conditions.Type TYPE = Conditions.Type.FaultsInjected;

    private FaultsInjectedCondition() {}

    public static void report(StatusReport report, FaultTimeline timeline) {
        var spec = report.fakeGpu().getSpec();
        var faults = Stream.<FaultTiming>concat(spec.faults().stream(), spec.nodes().nodeFaults().stream())
                .toList();
        if (faults.isEmpty()) {
            none(report);
            return;
        }
        report.conditions().setTrue(TYPE, "FaultsSet", message(faults, timeline));
        timeline.newlyActive()
                .forEach(state -> report.warning(
                        EventReason.InjectedFault,
                        "injected fault \"%s\": %s"
                                .formatted(state.fault().name(), description(state, timeline.now()))));
    }

    public static void none(StatusReport report) {
        report.conditions().remove(TYPE);
    }

    private static String message(List<FaultTiming> faults, FaultTimeline timeline) {
        Map<String, State> states = timeline.states().stream()
                .collect(Collectors.toMap(state -> state.fault().name(), Function.identity()));
        var ofCalls = new ArrayList<String>();
        var timed = new ArrayList<String>();
        var ofNodes = new ArrayList<String>();
        for (FaultTiming fault : faults) {
            State state = states.get(fault.name());
            if (state != null) {
                (fault instanceof NodeFaultSpec ? ofNodes : timed)
                        .add("\"%s\" (%s)".formatted(fault.name(), description(state, timeline.now())));
            } else if (fault instanceof FaultSpec ofCall) {
                ofCalls.add("\"%s\" (%s: %s)".formatted(fault.name(), ofCall.operation(), ofCall.effect()));
            }
        }
        return Stream.of(
                        part("in the kubelet's calls", ofCalls),
                        part("in the slices", timed),
                        part("of the nodes", ofNodes))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private static String part(String where, List<String> faults) {
        return faults.isEmpty() ? "" : where + ": " + String.join(", ", faults);
    }

    private static String description(State state, Instant now) {
        var fault = state.fault();
        String change = fault instanceof FaultSpec ofDevices ? change(ofDevices) : change((NodeFaultSpec) fault);
        if (fault instanceof FaultSpec ofDevices && TimedFaults.isSincePreparation(ofDevices)) {
            String when = (fault.after() == null ? "once prepared" : fault.after() + " after preparation")
                    + (fault.lasts() == null ? "" : " for " + fault.lasts());
            return state.hasTakenEffect()
                    ? "%s %s, now %s".formatted(change, when, StatusReport.firstOf(state.devices()))
                    : "%s %s, now no device".formatted(change, when);
        }
        return state.takesEffectAt()
                .map(moment -> "%s %s".formatted(change, period(state, moment, now)))
                .orElse(change);
    }

    private static String period(State state, Instant from, Instant now) {
        return state.endsAt()
                .map(end -> "from %s to %s%s".formatted(from, end, state.isOver(now) ? ", over" : ""))
                .orElse(state.hasTakenEffect() ? "since " + from : "from " + from + " on");
    }

    private static String change(NodeFaultSpec fault) {
        String effect = fault.delay() == null ? fault.effect().name() : fault.effect() + " by " + fault.delay();
        return fault.nodes().isEmpty() ? effect : effect + ": " + StatusReport.firstOf(fault.nodes());
    }

    private static String change(FaultSpec fault) {
        if (fault.health() != null) {
            return fault.health().xid() == null
                    ? "Health: " + fault.health().state()
                    : "Health: %s %s"
                            .formatted(fault.health().state(), fault.health().xid());
        }
        return fault.taint() == null
                ? fault.effect().name()
                : "Taint: %s:%s".formatted(fault.taint().key(), fault.taint().effect());
    }
}
