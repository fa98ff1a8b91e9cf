package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.DRIVER;
import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_0;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.operator.prepare.fault.FaultInjectingCalls;
import dev.fakegpu.operator.prepare.plugin.ClaimPreparer.Answer;
import dev.fakegpu.testing.MutableClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests faults that are injected into calls of a kubelet. */
class FaultyPreparationTest {

    private static final FaultInjectingCalls.Caller PATIENT = time -> true;

    @TempDir
    Path root;

    private final MutableClock clock = new MutableClock("2026-01-31T12:00:00Z");
    private FakeNode node = new FakeNode();
    private PluginPaths paths;
    private NodeFiles files;

    @BeforeEach
    void start() throws IOException {
        paths = FakeNode.paths(root, DRIVER);
        files = new NodeFiles(paths);
    }

    @Test
    void faultsFailCallsButDoNotApplyToAPreparedClaim() throws IOException {
        // Given
        var faulty = faulty("{name: flaky, when: {first: 1}, message: no link}");
        node.put(allocated("a", MIG_0));

        // Then
        assertThat(prepare(faulty, "a", PATIENT)).isEqualTo(new Answer.Failed("injected fault \"flaky\": no link"));
        assertThat(node.told).containsExactly("failed a");
        assertThat(prepare(faulty, "a", PATIENT)).isInstanceOf(Answer.Prepared.class);
        assertThat(prepare(faulty, "a", PATIENT)).isInstanceOf(Answer.Prepared.class);

        // When
        faulty.unprepare(List.of(ref("a")), PATIENT);

        // Then
        assertThat(prepare(faulty, "a", PATIENT)).isInstanceOf(Answer.Failed.class);
    }

    @Test
    void aHangingCallDoesNotDelayOthersAndCountsOnce() throws IOException {
        // Given
        var faulty = faulty("{name: stuck, effect: Hang, devices: {names: [" + MIG_0 + "]}, when: {first: 1}}");
        node.put(allocated("a", MIG_0));
        node.put(allocated("b", MIG_1));
        var waited = new ArrayList<Duration>();

        // When
        var answer = prepare(faulty, "a", time -> {
            waited.add(time);
            clock.advance(time);
            assertThat(prepareUnchecked(faulty, "b")).isInstanceOf(Answer.Prepared.class);
            return waited.size() < 44;
        });

        // Then
        assertThat(answer).isEqualTo(new Answer.Failed("the kubelet has given up (injected fault \"stuck\")"));
        assertThat(waited).hasSize(44).containsOnly(Duration.ofSeconds(1));
        assertThat(prepare(faulty, "a", PATIENT)).isInstanceOf(Answer.Prepared.class);
    }

    @Test
    void aWrongDeviceIsReturnedAndStoredWhileTheAllocatedOneOccupiesTheHardware() throws IOException {
        // Given
        var faulty = faulty("{name: swap, effect: WrongDevice}");
        node.put(allocated("a", MIG_0));

        // When
        var answer = (Answer.Prepared) prepare(faulty, "a", PATIENT);

        // Then
        var result = answer.claim().results().get(0);
        assertThat(result.id().device()).isEqualTo(MIG_0);
        assertThat(result.container().id().device()).isEqualTo(MIG_1);
        try (var state = NodeState.open(paths)) {
            assertThat(state.checkpoint().claims()).containsExactly(answer.claim());
            assertThat(state.isComplete(answer.claim())).isTrue();
        }
        assertThat(prepare(faulty, "a", PATIENT)).isEqualTo(answer);
    }

    @Test
    void aClaimWhoseUnpreparationFailsStaysPreparedAndBlocksOthers() throws IOException {
        // Given
        var faulty = faulty("{name: sticky, operation: Unprepare, message: busy}");
        node.put(allocated("a", MIG_0));
        node.put(allocated("next", MIG_0));
        prepare(faulty, "a", PATIENT);
        var before = files.checkpoint();

        // When
        var problems = faulty.unprepare(List.of(ref("a"), ref("never-seen")), PATIENT);

        // Then
        assertThat(problems).containsExactly(Map.entry(uid("a"), "injected fault \"sticky\": busy"));
        assertThat(files.checkpoint()).isEqualTo(before);
        assertThat(files.cdiFiles()).containsExactly("k8s.gpu.example.com-claim_" + uid("a") + ".json");
        assertThat(node.told).containsExactly("prepared a", "not unprepared a: injected fault \"sticky\": busy");
        assertThat(prepare(faulty, "next", PATIENT))
                .isEqualTo(new Answer.Failed("device " + MIG_0 + " is already prepared for a"));

        // When
        node.edit(withFaults(""));

        // Then
        assertThat(faulty.unprepare(List.of(ref("a")), PATIENT)).isEmpty();
        assertThat(files.checkpoint().claims()).isEmpty();
        assertThat(node.told).endsWith("failed next", "unprepared a");
        assertThat(prepare(faulty, "next", PATIENT)).isInstanceOf(Answer.Prepared.class);
    }

    @Test
    void faultsOfUnpreparationApplyToMatchingClaimsOnly() throws IOException {
        // Given
        var faulty =
                faulty("{name: sticky, operation: Unprepare, claims: {matchLabels: {fate: stuck}}, when: {first: 1}}");
        node.put(allocated("a", MIG_0)
                .edit()
                .editMetadata()
                .addToLabels("fate", "stuck")
                .endMetadata()
                .build());
        node.put(allocated("b", MIG_1));
        prepare(faulty, "a", PATIENT);
        prepare(faulty, "b", PATIENT);

        // Then
        assertThat(faulty.unprepare(List.of(ref("a"), ref("b")), PATIENT)).containsOnlyKeys(uid("a"));
        assertThat(files.checkpoint().claims()).extracting(PreparedClaim::claim).containsExactly(ref("a"));
        assertThat(faulty.unprepare(List.of(ref("a")), PATIENT)).isEmpty();
    }

    @Test
    void aHangingUnpreparationDoesNotDelayOthersAndDoesNothingOnceTheKubeletGaveUp() throws IOException {
        // Given
        var faulty = faulty("{name: stuck, operation: Unprepare, effect: Hang, devices: {names: [" + MIG_0 + "]}}");
        node.put(allocated("a", MIG_0));
        node.put(allocated("b", MIG_1));
        prepare(faulty, "a", PATIENT);
        prepare(faulty, "b", PATIENT);
        var waited = new ArrayList<Duration>();

        // When
        var problems = faulty.unprepare(List.of(ref("a")), time -> {
            waited.add(time);
            clock.advance(time);
            assertThat(unprepareUnchecked(faulty, "b")).isEmpty();
            return waited.size() < 44;
        });

        // Then
        assertThat(problems)
                .containsExactly(Map.entry(uid("a"), "the kubelet has given up (injected fault \"stuck\")"));
        assertThat(waited).hasSize(44).containsOnly(Duration.ofSeconds(1));
        assertThat(files.checkpoint().claims()).extracting(PreparedClaim::claim).containsExactly(ref("a"));
    }

    @Test
    void aDelayedUnpreparationHappensAfterTheDelay() throws IOException {
        // Given
        var faulty = faulty("{name: late, operation: Unprepare, effect: Delay, delay: 2s}");
        node.put(allocated("a", MIG_0));
        prepare(faulty, "a", PATIENT);
        var waited = new ArrayList<Duration>();

        // When
        var problems = faulty.unprepare(List.of(ref("a")), time -> {
            waited.add(time);
            clock.advance(time);
            return true;
        });

        // Then
        assertThat(problems).isEmpty();
        assertThat(waited).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(1));
        assertThat(files.checkpoint().claims()).isEmpty();
    }

    @Test
    void faultsThatCannotBeReadDoNotPreventUnpreparation() throws IOException {
        // Given
        var faulty = faulty("{name: sticky, operation: Unprepare}");
        node.put(allocated("a", MIG_0));
        node.put(allocated("vanished", MIG_1));
        prepare(faulty, "a", PATIENT);
        prepare(faulty, "vanished", PATIENT);
        node.claims.remove("vanished");

        // Then
        assertThat(faulty.unprepare(List.of(ref("vanished")), PATIENT)).containsOnlyKeys(uid("vanished"));

        // When
        node.reachable = false;

        // Then
        assertThat(faulty.unprepare(List.of(ref("a"), ref("vanished")), PATIENT))
                .isEmpty();
        assertThat(files.checkpoint().claims()).isEmpty();
    }

    private ClaimPreparer faulty(String fault) {
        node = new FakeNode(withFaults(fault));
        return node.preparer(paths, clock);
    }

    private static String withFaults(String faults) {
        return "{nodes: {names: [node-1]}, model: A100-SXM4-40GB, count: 1, partitions: {whole: true, mig: {profiles: [1g.5gb]}}, faults: ["
                + faults + "]}";
    }

    private static Map<String, String> unprepareUnchecked(ClaimPreparer preparer, String claim) {
        try {
            return preparer.unprepare(List.of(ref(claim)), PATIENT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer prepare(ClaimPreparer preparer, String claim, FaultInjectingCalls.Caller caller)
            throws IOException {
        return Objects.requireNonNull(
                preparer.prepare(List.of(ref(claim)), caller).get(uid(claim)));
    }

    private static Answer prepareUnchecked(ClaimPreparer preparer, String claim) {
        try {
            return prepare(preparer, claim, PATIENT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
