package dev.fakegpu.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultSpec.Effect;
import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.api.FaultSpec.When;
import dev.fakegpu.dra.ClaimRef;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InjectedFaultTest {

    private static final ClaimRef CLAIM = new ClaimRef("default", "claim", "uid-1");

    @Test
    void strikesAlwaysUnlessItIsToldWhen() {
        assertThat(struck(fault(null), CLAIM)).hasSize(12);
    }

    @Test
    void strikesTheFirstCallsForEachClaim() {
        var first = fault(new When(2, null, null, null));

        assertThat(struck(first, CLAIM)).containsExactly(1L, 2L);
        assertThat(first.strikes(CLAIM, 1, 100)).isTrue();
    }

    @Test
    void strikesEveryNthCallOverAllClaims() {
        var everyThird = fault(new When(null, 3, null, null));

        assertThat(struck(everyThird, CLAIM)).containsExactly(3L, 6L, 9L, 12L);
        assertThat(everyThird.strikes(CLAIM, 1, 3)).isTrue();
    }

    /** The numbers are those of the first run: an update of the operator must not draw others. */
    @Test
    void drawsTheSameCallsForTheSameSeed() {
        assertThat(struck(fault(new When(null, null, 30, 7L)), CLAIM))
                .isEqualTo(struck(fault(new When(null, null, 30, 7L)), new ClaimRef("default", "claim", "uid-2")));
        assertThat(struck(fault(new When(null, null, 30, 7L)), CLAIM)).containsExactly(2L, 5L);
    }

    @RepeatedTest(20)
    void strikesAsOftenAsTheProbabilitySaysAndNoCallLessIfItIsGreater() {
        long seed = new Random().nextLong();
        int percent = (int) Math.floorMod(seed, 101L);
        int calls = 5_000;
        var less = fault(new When(null, null, percent, seed));
        var more = fault(new When(null, null, Math.min(100, percent + 10), seed));

        long struck = LongStream.rangeClosed(1, calls)
                .filter(call -> less.strikes(CLAIM, call, call))
                .peek(call -> assertThat(more.strikes(CLAIM, call, call)).isTrue())
                .count();

        // Six standard deviations of a binomial distribution: wrong once in 500 million runs.
        double deviation = Math.sqrt(calls * (percent / 100.0) * (1 - percent / 100.0));
        assertThat((double) struck)
                .as("of %s calls with probability %s and seed %s", calls, percent, seed)
                .isBetween(calls * percent / 100.0 - 6 * deviation, calls * percent / 100.0 + 6 * deviation);
    }

    @ParameterizedTest
    @CsvSource({"Fail, , 0", "Fail, 250ms, 250", "Delay, 5s, 5000", "Hang, , 45000"})
    void isSilentFor(Effect effect, String delay, long milliseconds) {
        assertThat(new InjectedFault("uid", spec(null, effect, delay, null)).silence())
                .isEqualTo(Duration.ofMillis(milliseconds));
    }

    @Test
    void saysThatItIsInjected() {
        assertThat(answer(Effect.Fail, null)).isEqualTo(new FaultOutcome.Refused("injected fault \"flaky\""));
        assertThat(answer(Effect.Fail, "no link"))
                .isEqualTo(new FaultOutcome.Refused("injected fault \"flaky\": no link"));
        assertThat(answer(Effect.Hang, null))
                .isEqualTo(new FaultOutcome.TimedOut("rpc error: code = DeadlineExceeded desc = context deadline"
                        + " exceeded (injected fault \"flaky\")"));
        assertThat(answer(Effect.Delay, null)).isEqualTo(new FaultOutcome.Unharmed());
    }

    private static FaultOutcome answer(Effect effect, String message) {
        return new InjectedFault("uid", spec(null, effect, null, message)).answer();
    }

    private static List<Long> struck(InjectedFault fault, ClaimRef claim) {
        return LongStream.rangeClosed(1, 12)
                .filter(call -> fault.strikes(claim, call, call))
                .boxed()
                .toList();
    }

    private static InjectedFault fault(When when) {
        return new InjectedFault("uid", spec(when, Effect.Fail, null, null));
    }

    static FaultSpec spec(When when, Effect effect, String delay, String message) {
        return new FaultSpec("flaky", Operation.Prepare, null, null, when, effect, delay, message);
    }
}
