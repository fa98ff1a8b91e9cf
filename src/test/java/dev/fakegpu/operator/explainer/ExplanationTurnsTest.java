package dev.fakegpu.operator.explainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.cel.EvaluationInterrupted;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExplanationTurnsTest {

    private long nanos;
    private long elapsedNanos;
    private boolean othersWait;
    private final ExplanationTurns turns =
            new ExplanationTurns(new ExplanationTurns.Time(() -> nanos, () -> elapsedNanos, () -> othersWait));
    private final List<String> explained = new ArrayList<>();

    @BeforeEach
    void begin() {
        turns.clusterChanged();
        turns.nextPass();
    }

    /** In a process that has just started, half a second is too short for an explanation that takes a millisecond later. */
    @Test
    void timeForAPodStartsWithHalfASecondAndDoubles() {
        Pod pod = pod("slow", "a");

        explain(pod, Duration.ofMillis(600));
        assertThat(explained).isEmpty();
        assertThat(turns.isIncomplete()).isTrue();

        turns.nextPass();
        explain(pod, Duration.ofMillis(600));
        assertThat(explained).containsExactly("a");
        assertThat(turns.isIncomplete()).isFalse();
    }

    @Test
    void anExplanationThatRepeatedlyTakesTooLongIsReported() {
        // When
        Pod pod = pod("hostile", "a");
        explain(pod, Duration.ofSeconds(10));
        for (int doubling = 0; doubling < ExplanationTurns.DOUBLINGS; doubling++) {
            assertThat(explained).isEmpty();
            assertThat(turns.isIncomplete()).isTrue();
            turns.nextPass();
            explain(pod, Duration.ofSeconds(10));
        }

        // Then
        assertThat(explained).containsExactly("a");
        assertThat(turns.isIncomplete()).isFalse();
    }

    @Test
    void anExplanationThatIsRepeatedlyInterruptedIsNotRetriedForever() {
        // When
        Pod pod = pod("hostile", "a");
        int passes = 0;
        do {
            turns.nextPass();
            passes++;
            assertThat(turns.of(pod, limit -> {
                        takes(Duration.ofSeconds(10));
                        limit.interruptCheck().check();
                        return "never";
                    }))
                    .isEmpty();
        } while (turns.isIncomplete());

        // Then
        assertThat(passes).isEqualTo(1 + ExplanationTurns.DOUBLINGS);
    }

    @Test
    void onlyTheSlowNamespaceIsDelayed() {
        // When
        List<Pod> slow = pods("hostile", 100);
        slow.forEach(pod -> explain(pod, Duration.ofMillis(124)));
        explain(pod("other", "a"), Duration.ofMillis(1));

        // Then
        assertThat(explained).containsExactly("hostile-0", "hostile-1", "hostile-2", "a");
        assertThat(turns.isIncomplete()).isTrue();
    }

    @Test
    void everyPodOfASlowNamespaceGetsATurn() {
        // When
        List<Pod> slow = pods("hostile", 10);
        int passes = 1;
        turns.inOrder(slow).forEach(pod -> explain(pod, Duration.ofMillis(400)));
        while (turns.isIncomplete()) {
            turns.nextPass();
            passes++;
            turns.inOrder(slow).forEach(pod -> explain(pod, Duration.ofMillis(400)));
        }

        // Then
        assertThat(Set.copyOf(explained)).hasSize(10);
        assertThat(passes).isEqualTo(10);
    }

    @Test
    void nextPassSkipsPodsThatHadATurnSinceTheLastChange() {
        // Given
        List<Pod> slow = pods("hostile", 4);
        slow.forEach(pod -> explain(pod, Duration.ofMillis(124)));
        turns.nextPass();
        turns.inOrder(slow).forEach(pod -> explain(pod, Duration.ofMillis(124)));
        assertThat(turns.isIncomplete()).isFalse();

        // When
        turns.clusterChanged();
        turns.nextPass();
        slow.forEach(pod -> explain(pod, Duration.ofMillis(124)));

        // Then
        assertThat(turns.isIncomplete()).isTrue();
    }

    @Test
    void aTurnCountsForPodsWithTheSameExplanation() {
        // Given
        List<Pod> same = pods("hostile", 2);
        explain(same.get(0), Duration.ofMillis(124));
        turns.shareTurn(same.get(1), same.get(0));

        // When
        explain(pod("hostile", "a"), Duration.ofMillis(124));
        explain(pod("hostile", "b"), Duration.ofMillis(124));
        explain(same.get(1), Duration.ofMillis(124));

        // Then
        assertThat(explained).containsExactly("hostile-0", "a", "b");
        assertThat(turns.isIncomplete()).isFalse();
    }

    @Test
    void aPassEndsAfterASecond() {
        // When
        List<Pod> many = pods("many", 200);
        for (Pod pod : turns.inOrder(many)) {
            explain(pod, Duration.ofMillis(1));
            elapsedNanos += Duration.ofMillis(10).toNanos();
        }

        // Then
        assertThat(explained).hasSize(100);
        assertThat(turns.isIncomplete()).isTrue();
        assertThat(many).filteredOn(turns::isNew).hasSize(100);
    }

    @Test
    void namespacesTakeTurns() {
        // When
        List<Pod> all = new ArrayList<>(pods("many", 200));
        all.add(pod("other", "alone"));

        // Then
        assertThat(turns.inOrder(all).subList(0, 2))
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactly("many-0", "alone");
    }

    @Test
    void aDoubledTimeIsCutShortWhenOthersArrive() {
        // Given
        Pod slow = pod("slow", "a");
        explain(slow, Duration.ofMillis(600));

        // When
        turns.nextPass();
        othersWait = true;
        explain(slow, Duration.ofMillis(600));

        // Then
        assertThat(explained).isEmpty();
        assertThat(turns.isIncomplete()).isTrue();
    }

    private void explain(Pod pod, Duration time) {
        turns.of(pod, limit -> {
                    takes(time);
                    try {
                        limit.interruptCheck().check();
                    } catch (EvaluationInterrupted e) {
                        // the interrupted explanation counts as a turn too
                    }
                    return pod.getMetadata().getName();
                })
                .ifPresent(explained::add);
    }

    private void takes(Duration time) {
        nanos += time.toNanos();
    }

    private static List<Pod> pods(String namespace, int number) {
        return IntStream.range(0, number)
                .mapToObj(index -> pod(namespace, namespace + "-" + index))
                .toList();
    }

    private static Pod pod(String namespace, String name) {
        return TestObjects.pod("{namespace: %1$s, name: %2$s, uid: uid-%2$s}".formatted(namespace, name));
    }
}
