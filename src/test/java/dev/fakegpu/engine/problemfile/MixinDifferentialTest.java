package dev.fakegpu.engine.problemfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.engine.cel.Selectors;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Random problems have the same answers when their slices are written with mixins (KEP-5234). */
class MixinDifferentialTest {

    private static final int PROBLEMS = Integer.getInteger("mixed.problems", 400);
    private static final long SEED = Long.getLong("mixed.seed", 5234);

    /** Its clock does not advance, so that no search reaches the time limit on a busy machine. */
    private final Solver solver = new Solver(new Selectors(), Solver.Settings.ONCE, () -> 0);

    private long plainNanos;
    private long mixedNanos;

    /**
     * {@code -Dmixed.problems=50000} tries more problems and prints how long both searches take; {@code -Dmixed.seed} sets the first seed.
     */
    @Test
    void problemsWithMixinsHaveTheAnswerOfThoseWithout() throws UnreadableProblemException {
        int withMixins = 0;
        int allocated = 0;
        for (long seed = SEED; seed < SEED + PROBLEMS; seed++) {
            ObjectNode plain = ProblemGenerator.generate(seed);
            var mixins = new RandomMixins(seed);
            ObjectNode mixed = mixins.in(plain);

            long start = System.nanoTime();
            Decision expected = Decision.of(solver.solve(ProblemReader.read(plain)));
            long between = System.nanoTime();
            Decision actual = Decision.of(solver.solve(ProblemReader.read(mixed)));
            mixedNanos += System.nanoTime() - between;
            plainNanos += between - start;

            assertThat(actual)
                    .as("-Dmixed.problems=1 -Dmixed.seed=%s: %s", seed, mixed)
                    .isEqualTo(expected);
            withMixins += mixins.moved() > 0 ? 1 : 0;
            allocated += expected.outcome().equals("allocated") ? 1 : 0;
        }
        assertThat(withMixins).as("problems with mixins").isGreaterThan(PROBLEMS * 3 / 4);
        assertThat(allocated).as("allocated").isGreaterThan(PROBLEMS / 4);
        if (PROBLEMS > 400) {
            System.out.printf(
                    "%d problems, %d with mixins, %d allocated: %d ms without, %d ms with mixins%n",
                    PROBLEMS,
                    withMixins,
                    allocated,
                    Duration.ofNanos(plainNanos).toMillis(),
                    Duration.ofNanos(mixedNanos).toMillis());
        }
    }
}
