package dev.fakegpu.engine.allocate.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that eight numbers in one word behave like eight numbers. */
class KindCountsTest {

    private static final int ROUNDS = 2_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void countsEachKindByItself(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            int[] a = counts(random);
            int[] b = counts(random);
            int[] most = counts(random);
            int[] sum = both(a, b, Integer::sum);

            assertThat(counts(packed(a))).isEqualTo(a);
            assertThat(counts(KindCounts.min(packed(a), packed(b)))).isEqualTo(both(a, b, Math::min));
            assertThat(counts(KindCounts.max(packed(a), packed(b)))).isEqualTo(both(a, b, Math::max));
            assertThat(counts(KindCounts.plus(packed(a), packed(b), packed(most))))
                    .isEqualTo(both(sum, most, Math::min));
            assertThat(KindCounts.covers(packed(a), packed(b)))
                    .isEqualTo(IntStream.range(0, KindCounts.KINDS).allMatch(kind -> a[kind] >= b[kind]));
            assertThat(KindCounts.covers(KindCounts.max(packed(a), packed(b)), packed(b)))
                    .isTrue();
        }
    }

    @Test
    void countsAreLimitedToTheMaximum() {
        for (int kind = 0; kind < KindCounts.KINDS; kind++) {
            long others = KindCounts.with(KindCounts.NOTHING, (kind + 1) % KindCounts.KINDS, 5);
            long full = KindCounts.with(others, kind, 1_000);

            assertThat(KindCounts.get(full, kind)).isEqualTo(KindCounts.MAX);
            assertThat(KindCounts.with(full, kind, 0)).isEqualTo(others);
            assertThat(KindCounts.one(kind)).isEqualTo(KindCounts.with(KindCounts.NOTHING, kind, 1));
        }
    }

    /** Random numbers, many of which are equal or at the limits. */
    private static int[] counts(Random random) {
        return IntStream.generate(() -> random.nextBoolean() ? random.nextInt(3) : KindCounts.MAX - random.nextInt(3))
                .limit(KindCounts.KINDS)
                .toArray();
    }

    private static int[] counts(long packed) {
        return IntStream.range(0, KindCounts.KINDS)
                .map(kind -> KindCounts.get(packed, kind))
                .toArray();
    }

    private static long packed(int[] counts) {
        long packed = KindCounts.NOTHING;
        for (int kind = 0; kind < counts.length; kind++) {
            packed = KindCounts.with(packed, kind, counts[kind]);
        }
        return packed;
    }

    private static int[] both(int[] a, int[] b, IntBinaryOperator operator) {
        var result = Arrays.copyOf(a, a.length);
        Arrays.setAll(result, kind -> operator.applyAsInt(a[kind], b[kind]));
        return result;
    }
}
