package dev.fakegpu.operator.prepare.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultSpec.Effect;
import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.api.FaultSpec.When;
import dev.fakegpu.dra.ClaimRef;
import io.fabric8.kubernetes.client.utils.Serialization;
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
    void appliesToEveryCallWithoutWhen() {
        assertThat(selected(fault(null), CLAIM)).hasSize(12);
    }

    @Test
    void appliesToTheFirstCallsOfEachClaim() {
        var first = fault(when("first: 2"));

        assertThat(selected(first, CLAIM)).containsExactly(1L, 2L);
        assertThat(first.appliesTo(CLAIM, 1, 100)).isTrue();
    }

    @Test
    void appliesToEveryNthCallOfAllClaimsTogether() {
        var everyThird = fault(when("everyNth: 3"));

        assertThat(selected(everyThird, CLAIM)).containsExactly(3L, 6L, 9L, 12L);
        assertThat(everyThird.appliesTo(CLAIM, 1, 3)).isTrue();
    }

    @Test
    void appliesToTheNthCallOfAllClaimsAndToNoOther() {
        var second = fault(when("nth: 2"));

        assertThat(selected(second, CLAIM)).containsExactly(2L);
        assertThat(second.appliesTo(CLAIM, 1, 2)).isTrue();
        assertThat(second.appliesTo(CLAIM, 2, 3)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"'from: 3, to: 5', 3, 5", "'from: 4, to: 4', 4, 4", "from: 9, 9, 12", "to: 3, 1, 3"})
    void appliesToTheCallsInARangeWithBothEnds(String when, long first, long last) {
        var range = fault(when(when));

        assertThat(selected(range, CLAIM))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(first, last).boxed().toList());
        assertThat(range.appliesTo(CLAIM, 1, last)).isTrue();
    }

    /** The expected numbers are literals, since an update of the operator must not select different calls. */
    @Test
    void selectsTheSameCallsForTheSameSeed() {
        assertThat(selected(fault(when("probability: 30, seed: 7")), CLAIM))
                .isEqualTo(
                        selected(fault(when("probability: 30, seed: 7")), new ClaimRef("default", "claim", "uid-2")));
        assertThat(selected(fault(when("probability: 30, seed: 7")), CLAIM)).containsExactly(2L, 5L);
    }

    @RepeatedTest(20)
    void appliesAsOftenAsTheProbabilitySaysAndAGreaterOneIncludesTheSameCalls() {
        long seed = new Random().nextLong();
        int percent = (int) Math.floorMod(seed, 101L);
        int calls = 5_000;
        var less = fault(new When(null, null, null, null, null, percent, seed));
        var more = fault(new When(null, null, null, null, null, Math.min(100, percent + 10), seed));

        long selected = LongStream.rangeClosed(1, calls)
                .filter(call -> less.appliesTo(CLAIM, call, call))
                .peek(call -> assertThat(more.appliesTo(CLAIM, call, call)).isTrue())
                .count();

        // Six standard deviations of a binomial distribution, which is exceeded once in 500 million runs.
        double deviation = Math.sqrt(calls * (percent / 100.0) * (1 - percent / 100.0));
        assertThat((double) selected)
                .as("of %s calls with probability %s and seed %s", calls, percent, seed)
                .isBetween(calls * percent / 100.0 - 6 * deviation, calls * percent / 100.0 + 6 * deviation);
    }

    @ParameterizedTest
    @CsvSource({"Fail, , 0", "Fail, 250ms, 250", "Delay, 5s, 5000", "Hang, , 45000"})
    void effectDeterminesTheDelay(Effect effect, String delay, long milliseconds) {
        assertThat(new InjectedFault("uid", spec(null, effect, delay, null)).delay())
                .isEqualTo(Duration.ofMillis(milliseconds));
    }

    @Test
    void messagesSayThatTheFaultIsInjected() {
        assertThat(outcome(Effect.Fail, null)).isEqualTo(new FaultOutcome.Failed("injected fault \"flaky\""));
        assertThat(outcome(Effect.Fail, "no link"))
                .isEqualTo(new FaultOutcome.Failed("injected fault \"flaky\": no link"));
        assertThat(outcome(Effect.Hang, null))
                .isEqualTo(new FaultOutcome.TimedOut("rpc error: code = DeadlineExceeded desc = context deadline"
                        + " exceeded (injected fault \"flaky\")"));
        assertThat(outcome(Effect.Delay, null)).isEqualTo(new FaultOutcome.NoFault());
    }

    private static FaultOutcome outcome(Effect effect, String message) {
        return new InjectedFault("uid", spec(null, effect, null, message)).outcome();
    }

    private static List<Long> selected(InjectedFault fault, ClaimRef claim) {
        return LongStream.rangeClosed(1, 12)
                .filter(call -> fault.appliesTo(claim, call, call))
                .boxed()
                .toList();
    }

    private static InjectedFault fault(When when) {
        return new InjectedFault("uid", spec(when, Effect.Fail, null, null));
    }

    /** @param fields the fields as YAML */
    static When when(String fields) {
        // Without the document marker, text that begins with a brace is parsed as JSON.
        return Serialization.unmarshal("--- {" + fields + "}", When.class);
    }

    static FaultSpec spec(When when, Effect effect, String delay, String message) {
        return new FaultSpec(
                "flaky",
                Operation.Prepare,
                null,
                null,
                when,
                effect,
                delay,
                message,
                null,
                null,
                null,
                null,
                null,
                null);
    }
}
