package dev.fakegpu.prepare;

import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.dra.ClaimRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Counts the calls that faults can strike, and remembers those that wait for an answer: nobody else is kept waiting for them.
 * What it counted is lost with the process. For one thread.
 */
final class FaultInjector {

    private record Call(Operation operation, String claimUid) {}

    private record Struck(InjectedFault fault, Instant answerAt) {}

    private static final class Calls {
        private final Map<String, Long> byClaim = new HashMap<>();
        private long all;
    }

    private final Clock clock;
    private final Map<InjectedFault, Calls> calls = new HashMap<>();
    private final Map<Call, Struck> unanswered = new HashMap<>();

    FaultInjector(Clock clock) {
        this.clock = clock;
    }

    /**
     * A call, or another look at one that is not answered yet. Where several faults strike, the first one does.
     *
     * @param faults those that can strike it; one that is gone meanwhile was healed and keeps nobody waiting
     */
    FaultOutcome call(Operation operation, ClaimRef claim, List<InjectedFault> faults) {
        var call = new Call(operation, claim.uid());
        var struck = Optional.ofNullable(unanswered.remove(call))
                .filter(earlier -> faults.contains(earlier.fault()))
                .or(() -> strike(claim, faults));
        if (struck.isEmpty()) {
            return new FaultOutcome.Unharmed();
        }
        var remaining = Duration.between(clock.instant(), struck.get().answerAt());
        if (remaining.isNegative() || remaining.isZero()) {
            return struck.get().fault().answer();
        }
        unanswered.put(call, struck.get());
        return new FaultOutcome.Silence(remaining, struck.get().fault().description());
    }

    private Optional<Struck> strike(ClaimRef claim, List<InjectedFault> faults) {
        // Every fault counts every call, whoever strikes.
        return faults.stream().filter(fault -> countAndAsk(fault, claim)).toList().stream()
                .findFirst()
                .map(fault -> new Struck(fault, clock.instant().plus(fault.silence())));
    }

    private boolean countAndAsk(InjectedFault fault, ClaimRef claim) {
        var counted = calls.computeIfAbsent(fault, key -> new Calls());
        counted.all++;
        return fault.strikes(claim, counted.byClaim.merge(claim.uid(), 1L, Long::sum), counted.all);
    }

    /** Nobody waits for the answer any more: the next call is another one. */
    void givenUp(Operation operation, ClaimRef claim) {
        unanswered.remove(new Call(operation, claim.uid()));
    }

    void forget(String claimUid) {
        calls.values().forEach(counted -> counted.byClaim.remove(claimUid));
        unanswered.keySet().removeIf(call -> call.claimUid().equals(claimUid));
    }

    /** Forgets faults that are healed and claims that are gone. */
    void retain(Set<InjectedFault> faults, Set<String> claimUids) {
        calls.keySet().retainAll(faults);
        calls.values().forEach(counted -> counted.byClaim.keySet().retainAll(claimUids));
        unanswered.keySet().removeIf(call -> !claimUids.contains(call.claimUid()));
    }
}
