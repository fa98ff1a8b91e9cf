package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuStatus;
import dev.fakegpu.api.FakeGpuStatus.TimedFault;
import dev.fakegpu.api.NodeFaultSpec;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.inventory.TimedFaults.PreparedOn;
import dev.fakegpu.testing.TestObjects;
import dev.fakegpu.util.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultTimelineTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final String TAINT = "effect: Taint, taint: {key: worn, effect: NoExecute}";
    private static final String AFTER_A_MINUTE = "{name: wear, %s, after: 60s}".formatted(TAINT);

    @Test
    void faultIsPendingUntilItsTime() {
        // When
        var timeline = timeline(fakeGpu(AFTER_A_MINUTE, List.of()), NOON);

        // Then
        assertThat(timeline.withActiveFaults().getSpec().taints()).isEmpty();
        assertThat(timeline.newlyActive()).isEmpty();
        assertThat(timeline.untilNext()).contains(Duration.ofSeconds(60));
        assertThat(timeline.status()).singleElement().satisfies(fault -> {
            assertThat(fault.appliedAt()).isEqualTo(NOON.toString());
            assertThat(fault.struckAt()).isNull();
        });
    }

    @Test
    void restartKeepsTheStartOfAFault() {
        // Given
        var recorded = timeline(fakeGpu(AFTER_A_MINUTE, List.of()), NOON).status();

        // When
        var timeline = timeline(fakeGpu(AFTER_A_MINUTE, recorded), NOON.plusSeconds(60));

        // Then
        assertThat(timeline.withActiveFaults().getSpec().taints()).hasSize(1);
        assertThat(timeline.newlyActive()).hasSize(1);
        assertThat(timeline.untilNext()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT-1S", "PT-1H"})
    void clockThatIsSetBackStartsTheTimeOfAFaultAgain(Duration step) {
        // Given
        var recorded = timeline(fakeGpu(AFTER_A_MINUTE, List.of()), NOON).status();

        // When
        Instant setBack = NOON.plus(step);
        var timeline = timeline(fakeGpu(AFTER_A_MINUTE, recorded), setBack);

        // Then
        assertThat(timeline.untilNext()).contains(Duration.ofSeconds(60));
        var later = timeline(fakeGpu(AFTER_A_MINUTE, timeline.status()), setBack.plusSeconds(20));
        assertThat(later.untilNext()).contains(Duration.ofSeconds(40));
    }

    @Test
    void faultIsNewlyActiveOnlyOnce() {
        // Given
        var applied = timeline(fakeGpu(AFTER_A_MINUTE, List.of()), NOON).status();
        var active =
                timeline(fakeGpu(AFTER_A_MINUTE, applied), NOON.plusSeconds(60)).status();

        // When
        var timeline = timeline(fakeGpu(AFTER_A_MINUTE, active), NOON.plusSeconds(90));

        // Then
        assertThat(timeline.newlyActive()).isEmpty();
        assertThat(timeline.status()).isEqualTo(active);
    }

    @Test
    void changedFaultStartsAgain() {
        // Given
        var recorded = timeline(fakeGpu(AFTER_A_MINUTE, List.of()), NOON).status();

        // When
        var timeline = timeline(fakeGpu(AFTER_A_MINUTE.replace("60s", "30s"), recorded), NOON.plusSeconds(60));

        // Then
        assertThat(timeline.newlyActive()).isEmpty();
        assertThat(timeline.untilNext()).contains(Duration.ofSeconds(30));
    }

    /** Renaming a class or component must not restart the faults of users who upgrade. */
    @Test
    void revisionIsMadeOfTheFieldsThatTheApiStores() {
        var stored = """
                {"after":"60s","effect":"Taint","name":"wear","operation":"Prepare","taint":{"effect":"NoExecute","key":"worn"}}""";

        assertThat(timeline(fakeGpu(AFTER_A_MINUTE, List.of()), NOON).status())
                .extracting(TimedFault::revision)
                .containsExactly(Sha256.hex(stored).substring(0, 8));
    }

    @Test
    void preparedDevicesAreReadOnlyIfAFaultDependsOnThem() {
        Supplier<List<PreparedOn>> unexpected = () -> {
            throw new AssertionError("prepared devices were read");
        };
        var prepared = new PreparedOn("node-1", "gpu-0", Map.of(), NOON);

        var sinceApplied = new FaultTimeline(fakeGpu(AFTER_A_MINUTE, List.of()), Specs.PLANNER, unexpected, NOON);
        var sincePrepared = new FaultTimeline(
                fakeGpu("{name: wear, %s, since: Prepared}".formatted(TAINT), List.of()),
                Specs.PLANNER,
                () -> List.of(prepared),
                NOON);

        assertThat(sinceApplied.states()).hasSize(1);
        assertThat(sincePrepared.newlyActive())
                .singleElement()
                .satisfies(state -> assertThat(state.devices()).containsExactly("node-1/gpu-0"));
    }

    @Test
    void theSpecHasTheFaultsOfNodesThatAreActive() {
        // Given
        var fakeGpu = fakeGpu(AFTER_A_MINUTE, List.of());
        fakeGpu.setSpec(Specs.spec("""
                {model: L40S, nodes: {simulated: {count: 2, faults: [
                  {name: soon, effect: Gone, after: 30s}, {name: now, effect: NotReady, for: 20s}]}}}"""));
        var timeline = timeline(fakeGpu, NOON);
        assertThat(timeline.newlyActive())
                .extracting(state -> state.fault().name())
                .containsExactly("now");
        assertThat(timeline.untilNext()).contains(Duration.ofSeconds(20));
        assertThat(activeOnNodes(timeline)).containsExactly("now");
        fakeGpu.setStatus(new FakeGpuStatus(1L, List.of(), null, timeline.status()));

        // When
        var over = timeline(fakeGpu, NOON.plusSeconds(20));
        var later = timeline(fakeGpu, NOON.plusSeconds(30));

        // Then
        assertThat(activeOnNodes(over)).isEmpty();
        assertThat(over.untilNext()).contains(Duration.ofSeconds(10));
        assertThat(activeOnNodes(later)).containsExactly("soon");
    }

    private static List<String> activeOnNodes(FaultTimeline timeline) {
        return timeline.withActiveFaults().getSpec().nodes().nodeFaults().stream()
                .map(NodeFaultSpec::name)
                .toList();
    }

    private static FaultTimeline timeline(FakeGpu fakeGpu, Instant now) {
        return new FaultTimeline(fakeGpu, Specs.PLANNER, List::of, now);
    }

    private static FakeGpu fakeGpu(String fault, List<TimedFault> recorded) {
        var fakeGpu = TestObjects.fakeGpu(
                "{name: sample}", "spec: {model: L40S, nodes: {names: [node-1]}, faults: [%s]}".formatted(fault));
        fakeGpu.setStatus(new FakeGpuStatus(1L, List.of(), new FakeGpuStatus.Totals(0, 0, 0, 0), recorded));
        return fakeGpu;
    }
}
