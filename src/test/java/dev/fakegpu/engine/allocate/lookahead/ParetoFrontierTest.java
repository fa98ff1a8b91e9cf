package dev.fakegpu.engine.allocate.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParetoFrontierTest {

    private static final long MOST = counts(3, 3);

    private static long counts(int a, int b) {
        return KindCounts.with(KindCounts.with(KindCounts.NOTHING, 0, a), 1, b);
    }

    private static ParetoFrontier of(long... counts) {
        ParetoFrontier frontier = ParetoFrontier.empty();
        LongStream.of(counts).forEach(frontier::add);
        return frontier;
    }

    @Test
    void keepsOnlyWhatNothingElseCovers() {
        ParetoFrontier frontier = of(counts(1, 0), counts(0, 2), counts(1, 1), counts(0, 1), counts(2, 0));

        assertThat(frontier.size()).isEqualTo(3);
        assertThat(frontier.covers(counts(1, 1))).isTrue();
        assertThat(frontier.covers(counts(2, 0))).isTrue();
        assertThat(frontier.covers(counts(0, 2))).isTrue();
        assertThat(frontier.covers(counts(2, 1))).isFalse();
        assertThat(frontier.most()).isEqualTo(counts(2, 2));
    }

    @Test
    void frontierIsLimitedToAMaximum() {
        ParetoFrontier within = of(counts(1, 2), counts(2, 1));

        assertThat(within.upTo(MOST)).isSameAs(within);
        ParetoFrontier bounded = within.upTo(counts(1, 1));
        assertThat(bounded.size()).isEqualTo(1);
        assertThat(bounded.most()).isEqualTo(counts(1, 1));
        assertThat(of(counts(1, 2)).upTo(counts(0, 3)).most()).isEqualTo(counts(0, 2));
    }

    @Test
    void frontierCoversAnotherIfItCoversAllOfIt() {
        ParetoFrontier two = of(counts(1, 2), counts(2, 1));

        assertThat(two.coversAll(of(counts(1, 1)))).isTrue();
        assertThat(two.coversAll(of(counts(1, 2), counts(2, 0)))).isTrue();
        assertThat(two.coversAll(of(counts(0, 2), counts(3, 0)))).isFalse();
        assertThat(two.coversAll(of(counts(2, 2)))).isFalse();
    }

    @Test
    void onlyZeroCountsAreNothing() {
        assertThat(ParetoFrontier.ofNothing().isNothing()).isTrue();
        assertThat(ParetoFrontier.empty().isNothing()).isFalse();
        assertThat(of(counts(0, 1)).isNothing()).isFalse();
        assertThat(of(counts(1, 0), counts(0, 1)).isNothing()).isFalse();
        assertThat(ParetoFrontier.empty().covers(KindCounts.NOTHING)).isFalse();
    }

    /** If one frontier covers a and the other covers b, the sum covers a + b, and nothing more. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aSumIsWhatBothFrontiersCanServe(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<Long> left = some(random);
            List<Long> right = some(random);

            ParetoFrontier sum = of(longs(left)).plus(of(longs(right)), MOST);

            for (int a = 0; a <= 3; a++) {
                for (int b = 0; b <= 3; b++) {
                    long wanted = counts(a, b);
                    boolean possible = left.stream()
                            .anyMatch(l -> right.stream()
                                    .anyMatch(r -> KindCounts.covers(KindCounts.plus(l, r, MOST), wanted)));
                    assertThat(sum.covers(wanted))
                            .as("%s + %s, %d/%d", left, right, a, b)
                            .isEqualTo(possible);
                }
            }
        }
    }

    private static List<Long> some(Random random) {
        return random.ints(1 + random.nextInt(6), 0, 9)
                .mapToObj(i -> counts(i / 3, i % 3))
                .toList();
    }

    private static long[] longs(List<Long> counts) {
        return counts.stream().mapToLong(count -> count).toArray();
    }
}
