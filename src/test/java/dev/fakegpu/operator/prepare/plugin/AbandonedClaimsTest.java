package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.DRIVER;
import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_0;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.operator.prepare.plugin.ClaimPreparer.Answer;
import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests claims that were prepared for a kubelet that no longer knows them, because it gave up a call or lost its record of prepared claims.
 */
class AbandonedClaimsTest implements ClockJumpTests {

    @TempDir
    Path root;

    private final FakeNode node = new FakeNode();
    private final MutableClock clock = new MutableClock("2026-01-31T12:00:00Z");
    private NodeFiles files;
    private ClaimPreparer preparer;

    @BeforeEach
    void start() throws IOException {
        var paths = FakeNode.paths(root, DRIVER);
        files = new NodeFiles(paths);
        preparer = node.preparer(paths, clock);
    }

    // --- calls that the kubelet has given up ---

    @Test
    void aCallThatTheKubeletGaveUpPreparesNothing() throws IOException {
        // Given a slow API server; meanwhile, the kubelet gives up and unprepares the claim
        node.put(allocated("first", MIG_0));
        var isWaiting = new boolean[] {true};
        node.whileItIsRead(() -> {
            node.whileItIsRead(() -> {});
            isWaiting[0] = false;
            unprepare("first");
        });

        // When
        var answer =
                preparer.prepare(List.of(ref("first")), time -> isWaiting[0]).get(uid("first"));

        // Then
        assertThat(answer).isEqualTo(new Answer.Failed("the kubelet has given up"));
        assertThat(files.cdiFiles()).isEmpty();
        assertThat(preparer.awaitsUnpreparation()).isFalse();

        // When the device is allocated to another claim
        node.put(allocated("second", MIG_0));

        // Then
        assertThat(prepare("second")).isInstanceOf(Answer.Prepared.class);
    }

    // --- claims that the kubelet does not unprepare ---

    @Test
    void aClaimThatIsGoneIsUnpreparedAfterAWhile() throws IOException {
        // Given
        node.put(allocated("gone", MIG_0));
        node.put(allocated("next", MIG_0));
        prepare("gone");
        node.claims.remove("gone");

        // When
        preparer.removeAbandoned();
        clock.advance(AbandonedClaims.GRACE.minusSeconds(1));
        preparer.removeAbandoned();

        // Then the kubelet still has time
        assertThat(prepare("next")).isInstanceOf(Answer.Failed.class);

        // When
        clock.advance(Duration.ofSeconds(1));
        preparer.removeAbandoned();

        // Then
        assertThat(node.told).endsWith("abandoned gone");
        assertThat(files.cdiFiles()).isEmpty();
        assertThat(prepare("next")).isInstanceOf(Answer.Prepared.class);
    }

    @Test
    void theDriverIsNotAwaitedAnyMore() throws IOException {
        // Given
        node.put(allocated("gone", MIG_0));
        prepare("gone");
        node.claims.clear();

        // When
        removeAfterGrace();

        // Then
        assertThat(preparer.awaitsUnpreparation()).isFalse();
    }

    @Test
    void claimsThatWereReplacedOrDeallocatedOrGotOtherDevicesCount() throws IOException {
        // Given
        node.put(allocated("replaced", MIG_0));
        node.put(allocated("deallocated", MIG_1));
        node.put(allocated("elsewhere", "gpu-0-mig-1g5gb-19-2"));
        node.put(allocated("kept", "gpu-0-mig-1g5gb-19-3"));
        List.of("replaced", "deallocated", "elsewhere", "kept").forEach(this::prepare);

        // When
        node.put(new ResourceClaimBuilder(allocated("replaced", MIG_0))
                .editMetadata()
                .withUid(uid("another"))
                .endMetadata()
                .build());
        node.put(Claims.unallocated("deallocated").build());
        node.put(allocated("elsewhere", "gpu-0-mig-1g5gb-19-4"));
        removeAfterGrace();

        // Then
        assertThat(files.checkpoint().claims())
                .extracting(claim -> claim.claim().name())
                .containsExactly("kept");
    }

    @Test
    void nothingIsRemovedWhileTheApiServerIsAway() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        prepare("a");
        node.reachable = false;

        // When
        removeAfterGrace();

        // Then
        assertThat(files.checkpoint().claims()).hasSize(1);
    }

    @Test
    void aClaimThatComesBackBeginsAnew() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        prepare("a");
        var stored = allocated("a", MIG_0);
        node.claims.clear();
        preparer.removeAbandoned();

        // When
        node.put(stored);
        prepare("a");
        node.claims.clear();
        clock.advance(AbandonedClaims.GRACE);
        preparer.removeAbandoned();

        // Then
        assertThat(files.checkpoint().claims()).hasSize(1);
    }

    private void removeAfterGrace() throws IOException {
        preparer.removeAbandoned();
        clock.advance(AbandonedClaims.GRACE);
        preparer.removeAbandoned();
    }

    private Answer prepare(String name) {
        try {
            return preparer.prepare(List.of(ref(name)), time -> true).get(uid(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void unprepare(String name) {
        try {
            assertThat(preparer.unprepare(List.of(ref(name)), time -> true)).isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // --- clocks ---

    @Override
    public Duration begin() {
        node.put(allocated("gone", MIG_0));
        prepare("gone");
        node.claims.clear();
        isOver();
        return AbandonedClaims.GRACE;
    }

    @Override
    public boolean isOver() {
        try {
            preparer.removeAbandoned();
            return files.cdiFiles().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public MutableClock clock() {
        return clock;
    }
}
