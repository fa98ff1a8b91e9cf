package dev.fakegpu.explainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cel.EvaluationInterrupted;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExplanationTurnsTest {

    private long nanos;
    private final ExplanationTurns turns = new ExplanationTurns(() -> nanos);
    private final List<String> explained = new ArrayList<>();

    @BeforeEach
    void begin() {
        turns.clusterChanged();
        turns.nextPass();
    }

    @Test
    void onePodHasHalfASecond() {
        // When
        Optional<String> result = turns.of(pod("hostile", "a"), limit -> {
            takes(ExplanationTurns.OF_ONE.plusMillis(1));
            limit.interruptCheck().check();
            return "never";
        });

        // Then
        assertThat(result).isEmpty();
    }

    @Test
    void onlyTheNamespaceThatIsSlowIsHeldUp() {
        // When
        List<Pod> slow = pods("hostile", 100);
        slow.forEach(pod -> explain(pod, Duration.ofMillis(500)));
        explain(pod("other", "a"), Duration.ofMillis(1));

        // Then
        assertThat(explained).containsExactly("hostile-0", "hostile-1", "a");
        assertThat(turns.isIncomplete()).isTrue();
    }

    @Test
    void allOfASlowNamespaceHaveATurnInTheEnd() {
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
        assertThat(passes).isEqualTo(4);
    }

    @Test
    void anotherPassIsNotForThoseThatHadATurnSinceTheLastChange() {
        // Given
        List<Pod> slow = pods("hostile", 3);
        slow.forEach(pod -> explain(pod, Duration.ofMillis(500)));
        turns.nextPass();
        turns.inOrder(slow).forEach(pod -> explain(pod, Duration.ofMillis(500)));
        assertThat(turns.isIncomplete()).isFalse();

        // When
        turns.clusterChanged();
        turns.nextPass();
        slow.forEach(pod -> explain(pod, Duration.ofMillis(500)));

        // Then
        assertThat(turns.isIncomplete()).isTrue();
    }

    @Test
    void aTurnCountsForPodsWithTheSameExplanation() {
        // When
        List<Pod> same = pods("hostile", 3);
        explain(same.get(0), Duration.ofSeconds(2));
        same.forEach(pod -> turns.shareTurn(pod, same.get(0)));
        explain(same.get(1), Duration.ofSeconds(2));

        // Then
        assertThat(turns.isIncomplete()).isFalse();
    }

    private void explain(Pod pod, Duration time) {
        turns.of(pod, limit -> {
                    takes(time);
                    try {
                        limit.interruptCheck().check();
                    } catch (EvaluationInterrupted e) {
                        // it had its turn all the same
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
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withUid("uid-" + name)
                .endMetadata()
                .build();
    }
}
