package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.DevicesSelector;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultSpec.Effect;
import dev.fakegpu.api.FaultSpec.Since;
import dev.fakegpu.api.FaultTiming;
import dev.fakegpu.api.HealthSpec;
import dev.fakegpu.api.NodeFaultSpec;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.api.TaintSpec;
import dev.fakegpu.hardware.inventory.field.AfterReader;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Faults that take effect at some point in time: faults of devices with the effect {@code Health} or {@code Taint}, and faults of simulated
 * nodes. Once a fault of devices has taken effect, its health or taint applies as if it were in the spec. For nodes, the spec then has only
 * the faults that are active.
 */
public final class TimedFaults {

    /**
     * A device that is prepared for a claim.
     *
     * @param node empty for network-attached devices
     * @param claimLabels the labels of the claim
     * @param at the time of preparation
     */
    public record PreparedOn(String node, String device, Map<String, String> claimLabels, Instant at) {}

    /**
     * The state of all timed faults at some point in time.
     *
     * @param spec the spec with the effects of all active faults
     * @param states the states of the timed faults, in the order of the spec
     * @param next when the next fault takes effect or ends if nothing else changes
     */
    public record Result(FakeGpuSpec spec, List<State> states, Optional<Instant> next) {}

    /**
     * The state of one fault.
     *
     * @param devices for faults that count from preparation, the affected devices, as {@code node/device}
     * @param takesEffectAt when the fault takes or took effect; empty for faults that count from preparation
     * @param endsAt when the fault ends or ended; empty for faults that do not end or count from preparation
     */
    public record State(
            FaultTiming fault,
            boolean hasTakenEffect,
            List<String> devices,
            Optional<Instant> takesEffectAt,
            Optional<Instant> endsAt) {

        /** Whether the fault is over at this time. */
        public boolean isOver(Instant now) {
            return endsAt.filter(end -> !now.isBefore(end)).isPresent();
        }
    }

    private final FakeGpuSpec spec;
    private final Instant now;
    private final List<HealthSpec> health = new ArrayList<>();
    private final List<TaintSpec> taints = new ArrayList<>();
    private final List<NodeFaultSpec> nodeFaults = new ArrayList<>();
    private final List<State> states = new ArrayList<>();
    private final List<Instant> upcoming = new ArrayList<>();

    private TimedFaults(FakeGpuSpec spec, Instant now) {
        this.spec = spec;
        this.now = now;
    }

    public static boolean isTimed(FaultSpec fault) {
        return fault.effect() == Effect.Health || fault.effect() == Effect.Taint;
    }

    /** Whether the time counts from the preparation of a device. */
    public static boolean isSincePreparation(FaultSpec fault) {
        return isTimed(fault) && fault.since() == Since.Prepared;
    }

    /**
     * The state at some point in time.
     *
     * @param applied when the current version of each fault was applied, by name; faults without an entry are applied now
     * @param prepared the FakeGpu's devices that are prepared
     * @param selects whether a fault selects the device and its claim
     */
    static Result at(
            Instant now,
            FakeGpuSpec spec,
            Map<String, Instant> applied,
            List<PreparedOn> prepared,
            BiPredicate<FaultSpec, PreparedOn> selects) {
        var faults = new TimedFaults(spec, now);
        for (FaultSpec fault : spec.faults()) {
            if (isSincePreparation(fault)) {
                faults.sincePreparation(fault, prepared, selects);
            } else if (isTimed(fault)) {
                faults.sinceApplied(
                        fault,
                        applied.getOrDefault(fault.name(), now),
                        () -> faults.takeEffect(fault, fault.selected()));
            }
        }
        spec.nodes()
                .nodeFaults()
                .forEach(fault -> faults.sinceApplied(
                        fault, applied.getOrDefault(fault.name(), now), () -> faults.nodeFaults.add(fault)));
        return faults.result(spec.nodes().withNodeFaults(List.copyOf(faults.nodeFaults)));
    }

    /** The spec as if all faults had taken effect, for validation. */
    static FakeGpuSpec allStruck(FakeGpuSpec spec) {
        var faults = new TimedFaults(spec, Instant.MAX);
        spec.faults().stream()
                .filter(TimedFaults::isTimed)
                .forEach(fault -> faults.takeEffect(fault, fault.selected()));
        return faults.result(spec.nodes()).spec();
    }

    private Result result(NodesSpec nodes) {
        return new Result(
                spec.with(nodes, joined(spec.health(), health), joined(spec.taints(), taints)),
                List.copyOf(states),
                upcoming.stream().min(Comparator.naturalOrder()));
    }

    private void sinceApplied(FaultTiming fault, Instant applied, Runnable takeEffect) {
        Instant moment = fault.at() == null
                ? applied.plus(after(fault))
                : OffsetDateTime.parse(fault.at()).toInstant();
        if (isActive(fault, moment)) {
            takeEffect.run();
        }
        states.add(new State(fault, !now.isBefore(moment), List.of(), Optional.of(moment), end(fault, moment)));
    }

    private void sincePreparation(
            FaultSpec fault, List<PreparedOn> prepared, BiPredicate<FaultSpec, PreparedOn> selects) {
        var affected = new ArrayList<String>();
        for (PreparedOn device : prepared) {
            if (selects.test(fault, device) && isActive(fault, device.at().plus(after(fault)))) {
                takeEffect(
                        fault,
                        new DevicesSelector(List.of(device.node()), List.of(), List.of(device.device()), List.of()));
                affected.add(device.node().isEmpty() ? device.device() : device.node() + "/" + device.device());
            }
        }
        states.add(new State(fault, !affected.isEmpty(), List.copyOf(affected), Optional.empty(), Optional.empty()));
    }

    /** Also records when the result changes. */
    private boolean isActive(FaultTiming fault, Instant moment) {
        boolean hasBegun = isPast(moment);
        return hasBegun && end(fault, moment).filter(this::isPast).isEmpty();
    }

    private boolean isPast(Instant moment) {
        if (now.isBefore(moment)) {
            upcoming.add(moment);
            return false;
        }
        return true;
    }

    private static Optional<Instant> end(FaultTiming fault, Instant moment) {
        return Optional.ofNullable(fault.lasts()).map(AfterReader::read).map(moment::plus);
    }

    private void takeEffect(FaultSpec fault, DevicesSelector devices) {
        if (fault.health() != null) {
            health.add(new HealthSpec(
                    devices, fault.health().state(), fault.health().xid()));
        }
        if (fault.taint() != null) {
            taints.add(new TaintSpec(
                    devices,
                    fault.taint().key(),
                    fault.taint().value(),
                    fault.taint().effect(),
                    null));
        }
    }

    private static Duration after(FaultTiming fault) {
        return AfterReader.read(fault.after());
    }

    private static <T> List<T> joined(List<T> some, List<T> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }
}
