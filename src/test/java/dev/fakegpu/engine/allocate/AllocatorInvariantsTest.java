package dev.fakegpu.engine.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Invariants of all answers, checked with random problems: {@code -Dinvariants.problems=N} sets their number, and {@code
 * -Dinvariants.seed=S} the first seed. {@link Rules} checks allocations, and {@link BruteForce} checks that there are none if the allocator
 * finds none. Neither of them uses the allocator.
 */
class AllocatorInvariantsTest {

    private static final int PROBLEMS = Integer.getInteger("invariants.problems", 200);
    private static final long SEED = Long.getLong("invariants.seed", 1);
    private static final int THREADS = 4;
    private static final int MOST_STEPS = 20_000;

    private final Map<String, Integer> counts = new TreeMap<>();

    @Test
    void allocationsObeyTheRules() {
        forEachProblem(problem -> {
            if (problem.solve() instanceof Outcome.Allocated allocated) {
                count("allocated");
                assertThat(new Rules(problem).broken(allocated.allocations()))
                        .as(name(problem))
                        .isEmpty();
            }
        });
        assertThat(counts.getOrDefault("allocated", 0)).isGreaterThanOrEqualTo(PROBLEMS / 10);
    }

    @Test
    void bruteForceFindsNoAllocationEither() {
        forEachProblem(problem -> {
            if (problem.solve() instanceof Outcome.None && BruteForce.isUpTo(problem)) {
                count("none");
                assertThat(BruteForce.solution(problem)).as(name(problem)).isEmpty();
            }
        });
        assertThat(counts.getOrDefault("none", 0)).isGreaterThanOrEqualTo(PROBLEMS / 10);
    }

    /** Looking ahead prunes only branches without solutions, so it only affects the speed when a search starts to do so. */
    @Test
    void lookingAheadDoesNotChangeTheAnswer() {
        forEachProblem(problem -> {
            Outcome never = patient(problem, Integer.MAX_VALUE);
            if (!(never instanceof Outcome.Aborted)) {
                assertThat(patient(problem, 0)).as(name(problem)).isEqualTo(never);
                assertThat(patient(problem, 1)).as(name(problem)).isEqualTo(never);
                assertThat(problem.solve()).as(name(problem)).isEqualTo(never);
                count("compared");
            }
        });
        assertThat(counts.getOrDefault("compared", 0)).isGreaterThanOrEqualTo(PROBLEMS * 9 / 10);
    }

    private static Outcome patient(RandomProblem problem, int maxUndone) {
        return problem.allocator().allocate(problem.node(), problem.claims(), steps(), maxUndone);
    }

    private static SearchLimit steps() {
        int[] asked = {0};
        return () -> asked[0]++ > MOST_STEPS ? "too many steps" : null;
    }

    @Test
    void theSameQuestionHasTheSameAnswer() {
        forEachProblem(problem -> {
            Allocator allocator = problem.allocator();
            Outcome first = allocator.allocate(problem.node(), problem.claims());
            assertThat(allocator.allocate(problem.node(), problem.claims()))
                    .as(name(problem))
                    .isEqualTo(first);
        });
    }

    @Test
    void severalThreadsGetTheSameAnswer() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (long seed = SEED; seed < SEED + PROBLEMS / 4; seed++) {
                RandomProblem problem = RandomProblem.of(seed);
                Allocator shared = problem.allocator();
                Callable<Outcome> question = () -> shared.allocate(problem.node(), problem.claims());
                Outcome alone = problem.solve();
                for (Future<Outcome> answer : threads.invokeAll(Collections.nCopies(THREADS, question))) {
                    assertThat(answer.get()).as(name(problem)).isEqualTo(alone);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Informers list slices in any order, and maps in JSON have the order in which they were written. */
    @Test
    void theOrderOfSlicesAndMapsDoesNotMatter() {
        forEachProblem(problem -> {
            if (hasUniqueNames(problem)) {
                Outcome other = shuffled(problem).solve();
                assertThat(decision(other)).as(name(problem)).isEqualTo(decision(problem.solve()));
                count("shuffled");
            }
        });
        assertThat(counts.getOrDefault("shuffled", 0)).isGreaterThanOrEqualTo(PROBLEMS / 2);
    }

    /** If there are several errors, the order may decide which one is reported. */
    private static Object decision(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed ? failed.scope() : outcome;
    }

    /** If two slices have the same name, their order decides which one comes first, here and upstream. */
    private static boolean hasUniqueNames(RandomProblem problem) {
        Set<String> names = new HashSet<>();
        return problem.state().slices().stream().map(Slice::name).allMatch(names::add);
    }

    private static RandomProblem shuffled(RandomProblem problem) {
        var random = new Random(problem.seed());
        List<Slice> slices = new ArrayList<>(problem.state().slices().stream()
                .map(slice -> shuffled(slice, random))
                .toList());
        Collections.shuffle(slices, random);
        return problem.withSlices(slices);
    }

    private static Slice shuffled(Slice slice, Random random) {
        return new Slice(
                slice.name(),
                slice.pool(),
                slice.generation(),
                slice.sliceCount(),
                slice.nodes(),
                slice.perDeviceNodeSelection(),
                slice.counterSets().stream()
                        .map(set -> new CounterSet(set.name(), shuffled(set.counters(), random)))
                        .toList(),
                slice.devices().stream().map(device -> shuffled(device, random)).toList(),
                slice.skipNodeOperations(),
                slice.partitionTypeAttribute());
    }

    private static Device shuffled(Device device, Random random) {
        return new Device(
                device.name(),
                shuffled(device.attributes(), random),
                shuffled(device.capacity(), random),
                device.consumesCounters().stream()
                        .map(entry -> new CounterConsumption(
                                entry.counterSet(), shuffled(entry.counters(), random), entry.compatibilityGroups()))
                        .toList(),
                device.taints(),
                device.allowMultipleAllocations(),
                device.nodes(),
                device.binding());
    }

    private static <V> Map<String, V> shuffled(Map<String, V> map, Random random) {
        List<String> keys = new ArrayList<>(map.keySet());
        Collections.shuffle(keys, random);
        var shuffled = new LinkedHashMap<String, V>();
        keys.forEach(key -> shuffled.put(key, map.get(key)));
        return shuffled;
    }

    private void forEachProblem(Consumer<RandomProblem> check) {
        System.out.println("Invariants: " + PROBLEMS + " problems, -Dinvariants.seed=" + SEED);
        LongStream.range(SEED, SEED + PROBLEMS).mapToObj(RandomProblem::of).forEach(check);
        System.out.println("Invariants: " + counts);
    }

    private static String name(RandomProblem problem) {
        return "-Dinvariants.problems=1 -Dinvariants.seed=" + problem.seed();
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }
}
