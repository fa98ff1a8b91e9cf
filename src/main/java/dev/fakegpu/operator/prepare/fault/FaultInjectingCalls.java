package dev.fakegpu.operator.prepare.fault;

import dev.fakegpu.util.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Applies injected faults to the calls of a real kubelet, and blocks the thread of the call until the response is due. Thread-safe: a
 * delayed call does not delay other calls.
 */
public final class FaultInjectingCalls {

    /** How soon a delayed call notices that its fault was removed from the FakeGpu. */
    private static final Duration RECHECK_INTERVAL = Duration.ofSeconds(1);

    /** The kubelet that made a call. */
    @FunctionalInterface
    public interface Caller {

        /** Blocks for the given time or until the kubelet gives up. Returns whether the kubelet is still waiting. */
        boolean keepsWaiting(Duration time);

        /** Whether the kubelet is still waiting. */
        default boolean isWaiting() {
            return keepsWaiting(Duration.ZERO);
        }
    }

    private final FaultInjector injector;

    public FaultInjectingCalls(Ticker ticker) {
        this.injector = new FaultInjector(ticker);
    }

    /**
     * Blocks until the response is due, so that the outcome is never pending.
     *
     * @param faults reads the current faults that match the call
     */
    public FaultOutcome await(DriverCall call, Supplier<List<InjectedFault>> faults, Caller caller) {
        while (true) {
            FaultOutcome outcome = inject(call, faults.get());
            if (!(outcome instanceof FaultOutcome.Pending pending)) {
                return outcome;
            }
            var wait = pending.remaining().compareTo(RECHECK_INTERVAL) < 0 ? pending.remaining() : RECHECK_INTERVAL;
            if (!caller.keepsWaiting(wait)) {
                giveUp(call);
                return new FaultOutcome.Failed("the kubelet has given up (%s)".formatted(pending.fault()));
            }
        }
    }

    private synchronized FaultOutcome inject(DriverCall call, List<InjectedFault> faults) {
        return injector.call(call, faults);
    }

    private synchronized void giveUp(DriverCall call) {
        injector.giveUp(call);
    }

    /** Called when the claim is unprepared, so that its calls are counted from 1 if it is prepared again. */
    public synchronized void forget(String claimUid) {
        injector.forget(claimUid);
    }
}
