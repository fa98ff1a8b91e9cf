package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuStatus.TimedFault;
import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.inventory.TimedFaults;
import dev.fakegpu.inventory.TimedFaults.PreparedOn;
import dev.fakegpu.inventory.TimedFaults.State;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The faults of a FakeGpu whose spec was accepted, at a moment. Since when those are there that strike at some time is kept in its status,
 * so that a restart of the operator begins none of them anew.
 */
final class FaultTimeline {

    private final FakeGpu fakeGpu;
    private final Instant now;
    private final Map<String, TimedFault> known;
    private final TimedFaults.Result result;

    /**
     * @param slices those of the FakeGpu, by pool
     * @param claims all claims
     */
    FaultTimeline(
            FakeGpu fakeGpu,
            InventoryPlanner planner,
            Map<PoolId, List<ResourceSlice>> slices,
            Collection<ResourceClaim> claims,
            Instant now) {
        this.fakeGpu = fakeGpu;
        this.now = now.truncatedTo(ChronoUnit.MILLIS);
        this.known = known(fakeGpu);
        Map<String, Instant> applied = new HashMap<>();
        known.forEach((name, fault) -> applied.put(name, Instant.parse(fault.appliedAt())));
        var spec = fakeGpu.getSpec();
        boolean needsClaims = spec.faults().stream().anyMatch(TimedFaults::isSincePreparation);
        this.result = planner.struck(
                spec,
                fakeGpu.getMetadata().getName(),
                this.now,
                applied,
                needsClaims ? prepared(slices, claims) : List.of());
    }

    /** Of faults that are still as they were. */
    private static Map<String, TimedFault> known(FakeGpu fakeGpu) {
        Map<String, String> revisions =
                fakeGpu.getSpec().faults().stream().collect(Collectors.toMap(FaultSpec::name, FaultTimeline::revision));
        return fakeGpu.getStatus() == null
                ? Map.of()
                : fakeGpu.getStatus().faults().stream()
                        .filter(fault -> fault.revision().equals(revisions.get(fault.name())))
                        .collect(Collectors.toMap(TimedFault::name, Function.identity()));
    }

    private static String revision(FaultSpec fault) {
        return Integer.toHexString(fault.toString().hashCode());
    }

    private static List<PreparedOn> prepared(
            Map<PoolId, List<ResourceSlice>> slices, Collection<ResourceClaim> claims) {
        Map<PoolId, String> nodes = new HashMap<>();
        slices.forEach((pool, ofPool) -> ofPool.stream()
                .findFirst()
                .ifPresent(slice -> nodes.put(
                        pool, Objects.requireNonNullElse(slice.getSpec().getNodeName(), ""))));
        return claims.stream().flatMap(claim -> prepared(claim, nodes)).toList();
    }

    private static Stream<PreparedOn> prepared(ResourceClaim claim, Map<PoolId, String> nodes) {
        return Allocations.devices(claim).stream()
                .distinct()
                .filter(device -> nodes.containsKey(device.poolId()) && DeviceStatuses.isPrepared(claim, device))
                .map(device -> new PreparedOn(
                        Objects.requireNonNull(nodes.get(device.poolId())),
                        device.device(),
                        Objects.requireNonNullElse(claim.getMetadata().getLabels(), Map.of()),
                        preparedAt(claim, device)));
    }

    private static Instant preparedAt(ResourceClaim claim, DeviceId device) {
        return DeviceStatuses.readyCondition(claim, device)
                .map(Condition::getLastTransitionTime)
                .map(Instant::parse)
                .orElse(Instant.MAX);
    }

    /** The FakeGpu with what has struck in its spec. */
    FakeGpu struck() {
        if (result.states().isEmpty()) {
            return fakeGpu;
        }
        var struck = new FakeGpu();
        struck.setMetadata(fakeGpu.getMetadata());
        struck.setSpec(result.spec());
        struck.setStatus(fakeGpu.getStatus());
        return struck;
    }

    /** How long until another one strikes. */
    Optional<Duration> next() {
        return result.next().map(moment -> Duration.between(now, moment));
    }

    List<TimedFault> status() {
        return result.states().stream().map(this::status).toList();
    }

    private TimedFault status(State state) {
        String name = state.fault().name();
        TimedFault before = known.get(name);
        String struckBefore = before == null ? null : before.struckAt();
        return new TimedFault(
                name,
                revision(state.fault()),
                before == null ? now.toString() : before.appliedAt(),
                state.hasStruck() ? Objects.requireNonNullElse(struckBefore, now.toString()) : null);
    }

    /** Says in a condition what is injected, and by an event when something has struck. */
    void say(Conditions conditions, EventRecorder events) {
        var faults = fakeGpu.getSpec().faults();
        if (faults.isEmpty()) {
            conditions.remove(Conditions.Type.FaultsInjected);
            return;
        }
        Map<String, State> states = result.states().stream()
                .collect(Collectors.toMap(state -> state.fault().name(), Function.identity()));
        var ofCalls = new ArrayList<String>();
        var timed = new ArrayList<String>();
        for (FaultSpec fault : faults) {
            State state = states.get(fault.name());
            if (state == null) {
                ofCalls.add("\"%s\" (%s: %s)".formatted(fault.name(), fault.operation(), fault.effect()));
            } else {
                timed.add("\"%s\" (%s)".formatted(fault.name(), description(state)));
            }
        }
        var message = Stream.of(part("in the kubelet's calls", ofCalls), part("in the slices", timed))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        conditions.setTrue(Conditions.Type.FaultsInjected, "FaultsSet", message);
        result.states().stream()
                .filter(state -> state.hasStruck() && struckAt(state) == null)
                .forEach(state -> events.warning(
                        fakeGpu,
                        EventReason.InjectedFault,
                        "injected fault \"%s\": %s".formatted(state.fault().name(), description(state))));
    }

    private @Nullable String struckAt(State state) {
        TimedFault before = known.get(state.fault().name());
        return before == null ? null : before.struckAt();
    }

    private static String part(String where, List<String> faults) {
        return faults.isEmpty() ? "" : where + ": " + String.join(", ", faults);
    }

    private static String description(State state) {
        FaultSpec fault = state.fault();
        String change = change(fault);
        if (TimedFaults.isSincePreparation(fault)) {
            String when = fault.after() == null ? "once prepared" : fault.after() + " after preparation";
            return state.hasStruck()
                    ? "%s %s, now %s".formatted(change, when, PublishReport.some(state.devices()))
                    : "%s %s, now no device".formatted(change, when);
        }
        return state.strikesAt()
                .map(moment -> state.hasStruck() ? change + " since " + moment : change + " from " + moment + " on")
                .orElse(change);
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
