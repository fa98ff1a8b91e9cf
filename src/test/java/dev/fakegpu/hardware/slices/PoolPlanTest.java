package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolPlanTest {

    private static final PoolId POOL = new PoolId("gpu.example.com", "node-1/fake");

    @Test
    void aFreshPoolStartsAtOne() {
        List<Slice> desired = pool(1, "a", "b");

        PoolPlan plan = PoolPlan.of(desired, List.of(), Set.of());

        assertThat(plan).isEqualTo(new PoolPlan(1, desired, List.of()));
        assertThat(plan.isEmpty()).isFalse();
    }

    @Test
    void nothingIsWrittenWithoutADifference() {
        PoolPlan plan = PoolPlan.of(pool(1, "a", "b"), pool(7, "a", "b"), Set.of());

        assertThat(plan).isEqualTo(new PoolPlan(7, List.of(), List.of()));
        assertThat(plan.isEmpty()).isTrue();
    }

    @Test
    void anotherSpellingOfAQuantityIsNoDifference() {
        Slice wanted = slice(
                0, 1, 1, new Device("a", Map.of(), Map.of("memory", Quantity.parse("1Gi")), List.of(), List.of()));
        Slice stored = slice(
                0, 1, 1, new Device("a", Map.of(), Map.of("memory", Quantity.parse("1024Mi")), List.of(), List.of()));

        assertThat(PoolPlan.of(List.of(wanted), List.of(stored), Set.of()).isEmpty())
                .isTrue();
    }

    /** Otherwise tolerationSeconds would start over with each write. */
    @Test
    void aTaintKeepsTheTimeAtWhichItWasFirstStored() {
        var time = Instant.parse("2026-01-31T12:00:00Z");
        var taint = new DeviceTaint("example.com/broken", "", "NoExecute");
        var other = new DeviceTaint("example.com/broken", "more", "NoExecute");
        Slice stored = slice(0, 3, 1, tainted(taint.addedAt(time)));

        assertThat(PoolPlan.of(List.of(slice(0, 1, 1, tainted(taint))), List.of(stored), Set.of())
                        .isEmpty())
                .isTrue();
        assertThat(PoolPlan.of(List.of(slice(0, 1, 1, tainted(taint, other))), List.of(stored), Set.of()))
                .isEqualTo(new PoolPlan(3, List.of(slice(0, 3, 1, tainted(taint.addedAt(time), other))), List.of()));
        assertThat(PoolPlan.of(
                                List.of(slice(0, 1, 1, tainted(taint.addedAt(time.plusSeconds(1))))),
                                List.of(stored),
                                Set.of())
                        .apply())
                .hasSize(1);
    }

    @Test
    void anotherNodeSelectionWithoutANodeNameIsAChangeInPlace() {
        Slice everywhere = networkAttached(new NodeSelection.AllNodes());
        Slice somewhere = networkAttached(new NodeSelection.Matching(NodeSelector.forNode("node-1")));

        assertThat(PoolPlan.of(List.of(somewhere), List.of(everywhere), Set.of()))
                .isEqualTo(new PoolPlan(1, List.of(somewhere), List.of()));
    }

    private static Slice networkAttached(NodeSelection nodes) {
        return new Slice("slice", POOL, 1, 1, nodes, List.of(), List.of());
    }

    private static Device tainted(DeviceTaint... taints) {
        return new Device("a", Map.of(), Map.of(), List.of(), List.of(taints));
    }

    @Test
    void aStaleSliceIsWrittenAlthoughItsContentIsTheSame() {
        PoolPlan plan = PoolPlan.of(
                pool(1, "a", "b"),
                pool(7, "a", "b"),
                Set.of(pool(7, "a", "b").get(1).name()));

        assertThat(plan).isEqualTo(new PoolPlan(7, List.of(pool(7, "a", "b").get(1)), List.of()));
    }

    @Test
    void oneChangedSliceKeepsTheGeneration() {
        PoolPlan plan = PoolPlan.of(pool(1, "a", "new", "c"), pool(7, "a", "b", "c"), Set.of());

        assertThat(plan)
                .isEqualTo(new PoolPlan(7, List.of(pool(7, "a", "new", "c").get(1)), List.of()));
    }

    @Test
    void twoChangedSlicesTakeTheWholePoolToTheNextGeneration() {
        PoolPlan plan = PoolPlan.of(pool(1, "a", "new", "newer"), pool(7, "a", "b", "c"), Set.of());

        assertThat(plan).isEqualTo(new PoolPlan(8, pool(8, "a", "new", "newer"), List.of()));
    }

    @Test
    void aNewSliceTakesTheWholePoolToTheNextGeneration() {
        PoolPlan plan = PoolPlan.of(pool(1, "a", "b"), pool(7, "a"), Set.of());

        assertThat(plan).isEqualTo(new PoolPlan(8, pool(8, "a", "b"), List.of()));
    }

    @Test
    void anObsoleteSliceIsDeletedAndTheOthersGoToTheNextGeneration() {
        PoolPlan plan = PoolPlan.of(pool(1, "a"), pool(7, "a", "b"), Set.of());

        assertThat(plan).isEqualTo(new PoolPlan(8, pool(8, "a"), List.of("slice-0001")));
    }

    @Test
    void aSliceThatStayedBehindIsHealed() {
        List<Slice> stored = List.of(pool(7, "a", "b").get(0), pool(6, "a", "b").get(1));

        assertThat(PoolPlan.of(pool(1, "a", "b"), stored, Set.of()))
                .isEqualTo(new PoolPlan(8, pool(8, "a", "b"), List.of()));
    }

    @Test
    void aWrongSliceCountIsHealed() {
        List<Slice> stored =
                pool(7, "a", "b").stream().map(slice -> slice.withPool(7, 3)).toList();

        assertThat(PoolPlan.of(pool(1, "a", "b"), stored, Set.of()))
                .isEqualTo(new PoolPlan(8, pool(8, "a", "b"), List.of()));
    }

    @Test
    void aSliceOfAnotherPoolUnderOurNameIsReplaced() {
        Slice wanted = pool(1, "a").get(0);
        Slice foreign = new Slice(
                wanted.name(), new PoolId("other", "pool"), 3, 1, wanted.nodes(), List.of(), wanted.devices());

        assertThat(PoolPlan.of(List.of(wanted), List.of(foreign), Set.of()))
                .isEqualTo(new PoolPlan(4, pool(4, "a"), List.of(wanted.name())));
    }

    @Test
    void aSliceOfAnotherNodeUnderOurNameIsReplaced() {
        Slice wanted = pool(1, "a").get(0);
        Slice elsewhere =
                new Slice(wanted.name(), POOL, 3, 1, new NodeSelection.NodeName("node-2"), List.of(), wanted.devices());

        assertThat(PoolPlan.of(List.of(wanted), List.of(elsewhere), Set.of()))
                .isEqualTo(new PoolPlan(4, pool(4, "a"), List.of(wanted.name())));
    }

    /**
     * Random changes by a writer that crashes at random: every state that a reader considers complete was the desired state at some time.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aReaderNeverSeesAMix(long seed) {
        var random = new Random(seed);
        var server = new TreeMap<String, Slice>();
        Set<List<String>> everWanted = new HashSet<>();
        for (int round = 0; round < 500; round++) {
            String[] contents = randomContents(random);
            everWanted.add(List.of(contents));
            List<Runnable> writes =
                    writes(PoolPlan.of(pool(1, contents), List.copyOf(server.values()), Set.of()), server);
            boolean dies = random.nextInt(3) == 0;
            int survived = dies ? random.nextInt(writes.size() + 1) : writes.size();
            for (Runnable write : writes.subList(0, survived)) {
                write.run();
                assertThat(everWanted).containsAll(completeViews(server));
            }
            if (!dies) {
                assertThat(completeViews(server)).containsExactly(List.of(contents));
                assertThat(PoolPlan.of(pool(1, contents), List.copyOf(server.values()), Set.of())
                                .isEmpty())
                        .isTrue();
            }
        }
    }

    private static String[] randomContents(Random random) {
        return IntStream.range(0, 1 + random.nextInt(4))
                .mapToObj(i -> "v" + random.nextInt(3))
                .toArray(String[]::new);
    }

    private static List<Runnable> writes(PoolPlan plan, Map<String, Slice> server) {
        var writes = new ArrayList<Runnable>();
        plan.delete().forEach(name -> writes.add(() -> server.remove(name)));
        plan.apply().forEach(slice -> writes.add(() -> server.put(slice.name(), slice)));
        return writes;
    }

    /**
     * The pool as allocators see it: the slices of the highest generation if there are as many as their slice count says, otherwise none.
     */
    private static List<List<String>> completeViews(Map<String, Slice> server) {
        long generation =
                server.values().stream().mapToLong(Slice::generation).max().orElse(0);
        List<Slice> newest = server.values().stream()
                .filter(slice -> slice.generation() == generation)
                .toList();
        if (newest.isEmpty() || newest.stream().anyMatch(slice -> slice.sliceCount() != newest.size())) {
            return List.of();
        }
        return List.of(newest.stream()
                .map(slice -> String.valueOf(slice.devices().get(0).attributes().get("content")))
                .toList());
    }

    private static List<Slice> pool(long generation, String... contents) {
        return IntStream.range(0, contents.length)
                .mapToObj(i -> slice(
                        i,
                        generation,
                        contents.length,
                        new Device(
                                "device-" + i,
                                Map.of("content", AttributeValue.of(contents[i])),
                                Map.of(),
                                List.of(),
                                List.of())))
                .toList();
    }

    private static Slice slice(int index, long generation, int count, Device device) {
        return new Slice(
                "slice-000" + index,
                POOL,
                generation,
                count,
                new NodeSelection.NodeName("node-1"),
                List.of(),
                List.of(device));
    }
}
