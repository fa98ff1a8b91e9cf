package dev.fakegpu.operator.prepare.fault;

import static dev.fakegpu.operator.prepare.fault.InjectedFaultTest.when;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FaultSpec.Effect;
import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.api.FaultSpec.When;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FaultInjectorTest implements ClockJumpTests {

    private static final ClaimRef A = new ClaimRef("default", "a", "uid-a");
    private static final ClaimRef B = new ClaimRef("default", "b", "uid-b");
    private static final FaultOutcome NO_FAULT = new FaultOutcome.NoFault();
    private static final FaultOutcome ERROR = new FaultOutcome.Failed("injected fault \"flaky\"");

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final FaultInjector injector = new FaultInjector(clock);
    private final InjectedFault slow = fault(when("first: 1"), Effect.Fail, "10s");

    @Test
    void callWithoutMatchingFaultsGoesToTheDriver() {
        assertThat(prepare(A)).isEqualTo(NO_FAULT);
    }

    @Test
    void countsTheCallsOfEachClaimSeparately() {
        // Given
        var once = fault(when("first: 1"), Effect.Fail, null);

        // Then
        assertThat(prepare(A, once)).isEqualTo(ERROR);
        assertThat(prepare(A, once)).isEqualTo(NO_FAULT);
        assertThat(prepare(B, once)).isEqualTo(ERROR);
    }

    @Test
    void countsEveryNthAcrossClaims() {
        // Given
        var everySecond = fault(when("everyNth: 2"), Effect.Fail, null);

        // Then
        assertThat(prepare(A, everySecond)).isEqualTo(NO_FAULT);
        assertThat(prepare(B, everySecond)).isEqualTo(ERROR);
    }

    @Test
    void retryIsTheNextCallOfARange() {
        // Given
        var secondAndThird = fault(when("from: 2, to: 3"), Effect.Fail, null);

        // Then
        assertThat(prepare(A, secondAndThird)).isEqualTo(NO_FAULT);
        assertThat(prepare(B, secondAndThird)).isEqualTo(ERROR);
        assertThat(prepare(B, secondAndThird)).isEqualTo(ERROR);
        assertThat(prepare(B, secondAndThird)).isEqualTo(NO_FAULT);
    }

    @Test
    void faultBehindTheOneThatAppliesCountsTheCallToo() {
        // Given
        var always = fault(null, Effect.Fail, null);
        var once = fault(when("first: 1"), Effect.Fail, null);

        // When
        prepare(A, always, once);

        // Then
        assertThat(prepare(A, once)).isEqualTo(NO_FAULT);
    }

    @Test
    void answersAfterTheDelayAndAskingAgainIsNotAnotherCall() {
        // Given
        var late = fault(when("first: 1"), Effect.Fail, "5s");
        assertThat(prepare(A, late)).isEqualTo(pending(5));

        // When
        clock.advance(Duration.ofSeconds(3));

        // Then
        assertThat(prepare(A, late)).isEqualTo(pending(2));
        assertThat(prepare(B)).isEqualTo(NO_FAULT);

        // When
        clock.advance(Duration.ofSeconds(2));

        // Then
        assertThat(prepare(A, late)).isEqualTo(ERROR);
        assertThat(prepare(A, late)).isEqualTo(NO_FAULT);
    }

    @Test
    void hangsUntilTheKubeletGivesUpAndAgainAtTheNextCall() {
        // Given
        var stuck = fault(null, Effect.Hang, null);
        prepare(A, stuck);

        // When
        clock.advance(Duration.ofSeconds(45));

        // Then
        assertThat(prepare(A, stuck)).isInstanceOf(FaultOutcome.TimedOut.class);
        assertThat(prepare(A, stuck)).isEqualTo(pending(45));
    }

    @Test
    void removedFaultEndsTheDelay() {
        // Given
        prepare(A, fault(null, Effect.Hang, null));

        // Then
        assertThat(prepare(A)).isEqualTo(NO_FAULT);
    }

    @Test
    void countsFromOneWhenTheFaultOrTheClaimComesBack() {
        // Given
        var once = fault(when("first: 1"), Effect.Fail, null);
        prepare(A, once);
        prepare(B, once);

        // When
        injector.retain(Set.of(once), Set.of(B.uid()));

        // Then
        assertThat(prepare(A, once)).isEqualTo(ERROR);
        assertThat(prepare(B, once)).isEqualTo(NO_FAULT);

        // When
        injector.retain(Set.of(), Set.of(B.uid()));

        // Then
        assertThat(prepare(B, once)).isEqualTo(ERROR);
    }

    private FaultOutcome prepare(ClaimRef claim, InjectedFault... faults) {
        return injector.call(new DriverCall(Operation.Prepare, claim, Map.of(), List.of()), List.of(faults));
    }

    private static FaultOutcome pending(long seconds) {
        return new FaultOutcome.Pending(Duration.ofSeconds(seconds), "injected fault \"flaky\"");
    }

    private static InjectedFault fault(When when, Effect effect, String delay) {
        return new InjectedFault("fakegpu-uid", InjectedFaultTest.spec(when, effect, delay, null));
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        return ((FaultOutcome.Pending) prepare(A, slow)).remaining();
    }

    @Override
    public boolean isOver() {
        return prepare(A, slow).equals(ERROR);
    }
}
