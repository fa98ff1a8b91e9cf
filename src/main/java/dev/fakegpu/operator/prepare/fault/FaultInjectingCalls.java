package dev.fakegpu.operator.prepare.fault;

import dev.fakegpu.util.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Applies injected faults to the calls of a real kubelet, blocking the call's thread until the response is due. Thread-safe: a call that a
 * fault delays does not hold up other calls.
 */
public final class FaultInjectingCalls {

    /** How soon a delayed call notices that its fault was removed from the FakeGpu. */
    private static final Duration RECHECK_INTERVAL = Duration.ofSeconds(1);

    /** The kubelet that made a call. */
    @FunctionalInterface
    public interface Caller {

        /** Blocks for the given time, or until the kubelet gives up; returns whether the kubelet is still waiting. */
        boolean keepsWaiting(Duration time);

        /** Whether it is waiting now. */
        default boolean isWaiting() {
            return keepsWaiting(Duration.ZERO);
        }
    }

    /**
     * How faults change a call.
     *
     * @param problem the error to return
     * @param wrongDevices the description of the fault that substitutes other devices for the allocated ones
     */
    public record Outcome(Optional<String> problem, Optional<String> wrongDevices) {
        public static final Outcome NO_FAULT = new Outcome(Optional.empty(), Optional.empty());

        static Outcome failed(String problem) {
            return new Outcome(Optional.of(problem), Optional.empty());
        }
    }

    private final FaultInjector injector;

    public FaultInjectingCalls(Ticker ticker) {
        this.injector = new FaultInjector(ticker);
    }

    /**
     * Blocks until the response is due.
     *
     * @param faults reads the faults that match the call as they are now
     */
    public Outcome await(DriverCall call, Supplier<List<InjectedFault>> faults, Caller caller) {
        while (true) {
            FaultOutcome outcome = inject(call, faults.get());
            if (!(outcome instanceof FaultOutcome.Pending pending)) {
                return settled(outcome);
            }
            var wait = pending.remaining().compareTo(RECHECK_INTERVAL) < 0 ? pending.remaining() : RECHECK_INTERVAL;
            if (!caller.keepsWaiting(wait)) {
                giveUp(call);
                return Outcome.failed("the kubelet has given up (%s)".formatted(pending.fault()));
            }
        }
    }

    private static Outcome settled(FaultOutcome outcome) {
        if (outcome instanceof FaultOutcome.Failed failed) {
            return Outcome.failed(failed.problem());
        }
        if (outcome instanceof FaultOutcome.TimedOut timedOut) {
            return Outcome.failed(timedOut.problem());
        }
        return outcome instanceof FaultOutcome.WrongDevices wrong
                ? new Outcome(Optional.empty(), Optional.of(wrong.fault()))
                : Outcome.NO_FAULT;
    }

    private synchronized FaultOutcome inject(DriverCall call, List<InjectedFault> faults) {
        return injector.call(call, faults);
    }

    private synchronized void giveUp(DriverCall call) {
        injector.giveUp(call);
    }

    /** Called when the claim is unprepared: if it is prepared again, its calls are counted from 1. */
    public synchronized void forget(String claimUid) {
        injector.forget(claimUid);
    }
}
