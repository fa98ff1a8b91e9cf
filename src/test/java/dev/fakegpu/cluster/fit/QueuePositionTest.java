package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.QueuePosition.Waiting;
import dev.fakegpu.engine.explain.finding.NameScope;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueuePositionTest {

    private static final Waiting OLDEST = waiting("default", "oldest", 0, 1);
    private static final Waiting MIDDLE = waiting("default", "middle", 0, 2);
    private static final Waiting NEWEST = waiting("default", "newest", 0, 3);
    private static final Waiting URGENT = waiting("default", "urgent", 1000, 4);
    private static final NameScope READER = new NameScope("default");

    @Test
    void theFirstItemHasNoPosition() {
        assertThat(QueuePosition.of(OLDEST, List.of(OLDEST, MIDDLE, NEWEST).stream()))
                .isEmpty();
    }

    @Test
    void olderItemsComeFirst() {
        assertThat(clause(MIDDLE, OLDEST, MIDDLE, NEWEST)).isEqualTo("; pod \"oldest\" (older) is before it");
    }

    @Test
    void higherPrioritiesComeFirst() {
        assertThat(clause(NEWEST, OLDEST, MIDDLE, NEWEST, URGENT))
                .isEqualTo("; 3 pods are before it, first \"urgent\" (priority 1000)");
        assertThat(QueuePosition.of(URGENT, List.of(URGENT, OLDEST).stream())).isEmpty();
    }

    @Test
    void itemsThatShareAClaimAreNotBeforeEachOther() {
        Waiting first = new Waiting("pod", "default", "first", 0, "2026-01-01T00:00:00Z", List.of("shared"));
        Waiting second = new Waiting("pod", "default", "second", 0, "2026-01-01T00:00:01Z", List.of("shared"));
        Waiting foreign = new Waiting("pod", "other", "second", 0, "2026-01-01T00:00:01Z", List.of("shared"));

        assertThat(QueuePosition.of(second, List.of(first, second).stream())).isEmpty();
        assertThat(clause(foreign, first, foreign)).contains("\"first\" (older)");
    }

    @Test
    void withinASecondTheSmallerNumberComesFirst() {
        assertThat(clause(waiting("default", "job-10", 0, 1), waiting("default", "job-9", 0, 1)))
                .contains("\"job-9\"");
    }

    @Test
    void aPodOfAnotherNamespaceIsNotNamed() {
        Waiting foreign = waiting("other", "secret", 0, 0);
        assertThat(clause(OLDEST, foreign, OLDEST)).isEqualTo("; one of another namespace (older) is before it");
    }

    @Test
    void onlyTheFirstFewAreCounted() {
        Waiting[] many = IntStream.range(0, 50)
                .mapToObj(index -> waiting("default", "pod-" + index, 5, index))
                .toArray(Waiting[]::new);
        assertThat(clause(OLDEST, many)).startsWith("; more than 10 pods are before it, first \"pod-0\"");
    }

    private static String clause(Waiting item, Waiting... all) {
        return QueuePosition.of(item, Arrays.stream(all).sorted()).orElseThrow().clause(item, READER);
    }

    private static Waiting waiting(String namespace, String name, int priority, int second) {
        return new Waiting("pod", namespace, name, priority, "2026-01-01T00:00:%02dZ".formatted(second), List.of(name));
    }
}
