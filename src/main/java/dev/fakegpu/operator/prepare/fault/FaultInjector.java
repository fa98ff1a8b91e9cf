package dev.fakegpu.operator.prepare.fault;

import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Decides which fault applies to each call, counts the calls that match a fault, and tracks the calls in progress. Never blocks. Counts are
 * only in memory: a restarted process counts from 1. Not thread-safe.
 */
public final class FaultInjector {

    private record CallKey(Operation operation, String claimUid) {
        static CallKey of(DriverCall call) {
            return new CallKey(call.operation(), call.claim().uid());
        }
    }

    private record PendingFault(InjectedFault fault, Moment respondAt) {}

    private static final class CallCounts {
        private final Map<String, Long> byClaim = new HashMap<>();
        private long total;
    }

    private final Ticker ticker;
    private final BiConsumer<Operation, FaultSpec> whenInjected;
    private final Map<InjectedFault, CallCounts> counts = new HashMap<>();
    private final Map<CallKey, PendingFault> inProgress = new HashMap<>();

    public FaultInjector(Ticker ticker) {
        this(ticker, (operation, fault) -> {});
    }

    /** @param whenInjected called once for each call that a fault changes */
    public FaultInjector(Ticker ticker, BiConsumer<Operation, FaultSpec> whenInjected) {
        this.ticker = ticker;
        this.whenInjected = whenInjected;
    }

    /**
     * Handles a new call, or polls one in progress. If several faults apply, the first one wins.
     *
     * @param faults the faults that match the call now; if the fault of a call in progress is no longer among them, the call is treated as
     *     new
     */
    public FaultOutcome call(DriverCall call, List<InjectedFault> faults) {
        var key = CallKey.of(call);
        var applied = Optional.ofNullable(inProgress.remove(key))
                .filter(pending -> faults.contains(pending.fault()))
                .or(() -> apply(call, faults));
        if (applied.isEmpty()) {
            return new FaultOutcome.NoFault();
        }
        var remaining = ticker.until(applied.get().respondAt());
        if (remaining.isNegative() || remaining.isZero()) {
            return applied.get().fault().outcome();
        }
        inProgress.put(key, applied.get());
        return new FaultOutcome.Pending(remaining, applied.get().fault().description());
    }

    private Optional<PendingFault> apply(DriverCall call, List<InjectedFault> faults) {
        // Every matching fault counts the call, even after the first one that applies; hence the list before findFirst.
        var first = faults.stream().filter(fault -> countAndTest(fault, call.claim())).toList().stream()
                .findFirst();
        first.ifPresent(fault -> whenInjected.accept(call.operation(), fault.spec()));
        return first.map(fault -> new PendingFault(fault, ticker.now().plus(fault.delay())));
    }

    private boolean countAndTest(InjectedFault fault, ClaimRef claim) {
        var counted = counts.computeIfAbsent(fault, key -> new CallCounts());
        counted.total++;
        return fault.appliesTo(claim, counted.byClaim.merge(claim.uid(), 1L, Long::sum), counted.total);
    }

    /** Handles that the kubelet stopped waiting for the response: the next call for the claim is a new one. */
    void giveUp(DriverCall call) {
        inProgress.remove(CallKey.of(call));
    }

    void forget(String claimUid) {
        counts.values().forEach(counted -> counted.byClaim.remove(claimUid));
        inProgress.keySet().removeIf(key -> key.claimUid().equals(claimUid));
    }

    /** Whether there is nothing to forget. */
    public boolean isEmpty() {
        return counts.isEmpty() && inProgress.isEmpty();
    }

    /** Forgets all other faults and claims. */
    public void retain(Set<InjectedFault> faults, Set<String> claimUids) {
        counts.keySet().retainAll(faults);
        counts.values().forEach(counted -> counted.byClaim.keySet().retainAll(claimUids));
        inProgress.keySet().removeIf(key -> !claimUids.contains(key.claimUid()));
    }
}
