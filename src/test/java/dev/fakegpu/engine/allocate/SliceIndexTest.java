package dev.fakegpu.engine.allocate;

import static dev.fakegpu.engine.allocate.Hardware.NODE;
import static dev.fakegpu.engine.allocate.Hardware.POOL;
import static dev.fakegpu.engine.allocate.Hardware.counters;
import static dev.fakegpu.engine.allocate.Hardware.device;
import static dev.fakegpu.engine.allocate.Hardware.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import dev.fakegpu.engine.allocate.pool.SelectorMatches;
import dev.fakegpu.engine.allocate.pool.SelectorMatchesCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SliceIndexTest {

    private static final NodeSelection HERE = new NodeSelection.NodeName(NODE.name());
    private static final NodeSelection ELSEWHERE = new NodeSelection.NodeName("node-2");

    private static List<Pool> gather(Slice... slices) {
        return index(GroupsGate.ON, slices).pools(NODE);
    }

    private static SliceIndex index(GroupsGate gate, Slice... slices) {
        return new SliceIndex(List.of(slices), new AllocatorOptions(gate, GroupPolicy.LIVE, List.of()));
    }

    private static Slice slice(String name, long generation, long count, NodeSelection nodes, Device... devices) {
        return new Slice(name, POOL, generation, count, nodes, List.of(), List.of(devices));
    }

    private static List<String> names(List<PoolDevice> devices) {
        return devices.stream().map(device -> device.device().name()).toList();
    }

    @Test
    void slicesAreOrderedByNameAndDevicesAsListed() {
        List<Pool> pools =
                gather(slice("10", 1, 2, HERE, device("c"), device("a")), slice("1", 1, 2, HERE, device("b")));

        assertThat(pools)
                .singleElement()
                .isInstanceOfSatisfying(
                        Pool.Usable.class,
                        pool -> assertThat(names(pool.devices())).containsExactly("b", "c", "a"));
    }

    @Test
    void poolsAreOrderedByDriverAndNameBytewise() {
        Slice template = slice("s", 1, 1, HERE);
        List<PoolId> ids = List.of(
                new PoolId("b", "p"),
                new PoolId("a", "p"),
                new PoolId("a", "P"),
                new PoolId("a", "9"),
                new PoolId("a", "10"));

        List<Pool> pools = gather(ids.stream()
                .map(id -> new Slice("s", id, 1, 1, HERE, template.counterSets(), template.devices()))
                .toArray(Slice[]::new));

        assertThat(pools)
                .extracting(Pool::id)
                .map(PoolId::toString)
                .containsExactly("a/10", "a/9", "a/P", "a/p", "b/p");
    }

    @Test
    void aNewerGenerationReplacesTheOlder() {
        List<Pool> pools = gather(slice("a", 1, 1, HERE, device("old")), slice("b", 2, 1, HERE, device("new")));

        assertThat(pools)
                .singleElement()
                .isInstanceOfSatisfying(
                        Pool.Usable.class,
                        pool -> assertThat(names(pool.devices())).containsExactly("new"));
    }

    @Test
    void tooFewAndTooManySlicesAreBothIncomplete() {
        assertThat(gather(slice("a", 1, 2, HERE))).containsExactly(new Pool.Incomplete(POOL, 2, 1, 0));
        assertThat(gather(slice("a", 1, 1, HERE), slice("b", 1, 1, HERE)))
                .containsExactly(new Pool.Incomplete(POOL, 1, 2, 0));
    }

    @Test
    void slicesOfOtherNodesCompleteThePool() {
        List<Pool> pools = gather(
                slice("a", 1, 3, HERE, device("a")),
                slice("b", 1, 3, ELSEWHERE, device("b", on("s", 1)), device("consumes-nothing")),
                new Slice("c", POOL, 1, 3, ELSEWHERE, List.of(counters("s", 1)), List.of()));

        assertThat(pools).singleElement().isInstanceOfSatisfying(Pool.Usable.class, pool -> {
            assertThat(names(pool.devices())).containsExactly("a");
            assertThat(names(pool.elsewhere().toList())).containsExactly("b");
        });
    }

    @Test
    void aPoolThatIsReplacedElsewhereIsNotThereWhileItsOwnSlicesAreFewer() {
        assertThat(gather(slice("a", 1, 2, HERE), slice("b", 2, 2, ELSEWHERE))).isEmpty();
    }

    @Test
    void aNewerGenerationElsewhereGoesUnnoticedWhileTheOldOneIsCompleteHere() {
        assertThat(gather(slice("a", 1, 1, HERE), slice("b", 2, 1, ELSEWHERE)))
                .singleElement()
                .isInstanceOf(Pool.Usable.class);
    }

    @Test
    void aPoolWithoutASliceForTheNodeIsNotThere() {
        assertThat(gather(slice("a", 1, 1, ELSEWHERE))).isEmpty();
        assertThat(gather(slice("a", 1, 1, new NodeSelection.None()))).isEmpty();
    }

    @Test
    void contradictionsMakeAPoolInvalid() {
        List<CounterSet> sets = List.of(counters("s", 1));
        Slice counterSlice = new Slice("c", POOL, 1, 2, HERE, sets, List.of());

        assertThat(gather(slice("a", 1, 1, HERE, device("x"), device("x"))))
                .containsExactly(new Pool.Invalid(POOL, "duplicate device name x"));
        assertThat(gather(counterSlice, new Slice("d", POOL, 1, 2, HERE, sets, List.of())))
                .containsExactly(new Pool.Invalid(POOL, "duplicate counter set name s"));
        assertThat(gather(slice("a", 1, 1, HERE, device("x", on("s", 1)))))
                .containsExactly(new Pool.Invalid(POOL, "counter set s not found"));
        assertThat(gather(
                        new Slice("c", POOL, 1, 2, HERE, List.of(new CounterSet("s", Map.of())), List.of()),
                        slice("d", 1, 2, ELSEWHERE, device("x", on("s", 1)))))
                .containsExactly(new Pool.Invalid(POOL, "counter units not found in counter set s"));
    }

    @Test
    void aDuplicateOnAnotherNodeGoesUnnoticed() {
        assertThat(gather(slice("a", 1, 2, HERE, device("x")), slice("b", 1, 2, ELSEWHERE, device("x"))))
                .singleElement()
                .isInstanceOf(Pool.Usable.class);
    }

    @Test
    void disabledGateOmitsSlicesWithGroups() {
        Slice plain = slice("a", 1, 2, HERE, device("plain"));
        Slice grouped = slice("b", 1, 2, HERE, device("grouped", on("s", 1, "mig")));
        SliceIndex index = index(GroupsGate.OFF, plain, grouped);

        assertThat(index.pools(NODE)).containsExactly(new Pool.Incomplete(POOL, 2, 1, 1));
        assertThat(index(GroupsGate.OFF, grouped).pools(NODE)).isEmpty();
    }

    @Test
    void nodesThatSeeTheSameSlicesShareThePool() {
        SliceIndex index = index(GroupsGate.ON, slice("a", 1, 1, new NodeSelection.AllNodes()));

        assertThat(index.pools(NODE).get(0))
                .isSameAs(index.pools(new NodeInfo("node-2", Map.of())).get(0));
    }

    @Test
    void poolsWhoseSlicesStayTheSameAreKept() {
        // Given
        Slice same = slice("a", 1, 1, HERE, device("a"));
        var other = new PoolId("gpu.example.com", "other");
        Slice before = new Slice("b", other, 1, 1, HERE, List.of(), List.of(device("b")));
        Slice after = new Slice("b", other, 1, 1, HERE, List.of(), List.of(device("b")));
        SliceIndex index = index(GroupsGate.ON, same, before);
        List<Pool> first = index.pools(NODE);

        // When
        List<Pool> second = index.update(List.of(same, after)).pools(NODE);

        // Then
        assertThat(pool(second, POOL)).isSameAs(pool(first, POOL));
        assertThat(pool(second, other)).isNotSameAs(pool(first, other));
    }

    @Test
    void selectorsAreEvaluatedAgainOnlyOnDevicesThatHaveChanged() {
        // Given
        Slice same = slice("a", 1, 3, HERE, device("a0"), device("a1"));
        Slice before = slice("b", 1, 3, HERE, device("b0"), device("b1"), device("b2"));
        Slice after = slice("b", 1, 3, HERE, device("b0"), device("b1", on("s", 1)), device("b2"));
        Slice counters = new Slice("c", POOL, 1, 3, HERE, List.of(counters("s", 1)), List.of());
        SliceIndex index = index(GroupsGate.ON, same, before, counters);
        assertThat(evaluated(index)).containsExactly("a0", "a1", "b0", "b1", "b2");

        // When
        index.replace(before, after);

        // Then
        assertThat(evaluated(index)).containsExactly("b1");
        assertThat(evaluated(index)).isEmpty();
    }

    /** Before the change, the second device of the second slice was where its first one is now. */
    @Test
    void aSliceThatGrowsMovesTheOtherDevicesOfItsPool() {
        Slice before = slice("a", 1, 3, HERE, device("a0"));
        Slice after = slice("a", 1, 3, HERE, device("a0"), device("a1"));
        Slice second = slice("b", 1, 3, HERE, device("b0"), device("b1"));
        Slice third = slice("c", 1, 3, HERE, device("c0"));
        SliceIndex index = index(GroupsGate.ON, before, second, third);
        index.pools(NODE);

        index.replace(before, after);

        assertThat(index.pools(NODE))
                .singleElement()
                .isInstanceOfSatisfying(
                        Pool.Usable.class,
                        pool -> assertThat(names(pool.devices())).containsExactly("a0", "a1", "b0", "b1", "c0"));
    }

    /** If all pools change at once, what they were would take as much memory as what they are. */
    @Test
    void onlySomeChangedPoolsAreRemembered() {
        List<Slice> slices = IntStream.range(0, 300)
                .mapToObj(pool -> new Slice(
                        "slice-" + pool,
                        new PoolId("gpu.example.com", "pool-" + pool),
                        1,
                        1,
                        HERE,
                        List.of(),
                        List.of(device("gpu-" + pool))))
                .toList();
        SliceIndex index = index(GroupsGate.ON, slices.toArray(Slice[]::new));
        assertThat(evaluated(index)).hasSize(300);

        slices.forEach(slice -> index.replace(slice, slice.withPool(1, 1)));

        assertThat(evaluated(index)).hasSizeBetween(1, 299);
    }

    /** The devices on which a selector had to be evaluated. */
    private static List<String> evaluated(SliceIndex index) {
        var evaluated = new ArrayList<String>();
        for (Pool each : index.pools(NODE)) {
            var pool = (Pool.Usable) each;
            SelectorMatches matches = pool.caches()
                    .selectorMatches()
                    .of(
                            new SelectorMatchesCache.Expressions(List.of("device.driver != ''"), List.of()),
                            Hardware.SELECTORS);
            for (int i = 0; i < pool.devices().size(); i++) {
                String name = pool.devices().get(i).device().name();
                matches.failure(i, () -> evaluated.add(name));
            }
        }
        return evaluated.stream().distinct().toList();
    }

    private static Pool pool(List<Pool> pools, PoolId id) {
        return pools.stream().filter(pool -> pool.id().equals(id)).findFirst().orElseThrow();
    }

    @Test
    void slicesThatAreLeftOutAreKnownOnTheirNodesOnly() {
        Slice here = slice("here", 1, 4, HERE, device("a", on("s", 1, "mig")));
        Slice elsewhere = slice("elsewhere", 1, 4, ELSEWHERE, device("b", on("s", 1, "mig")));
        Slice perDevice = perDevice("per-device", HERE);
        Slice perDeviceElsewhere = perDevice("per-device-elsewhere", ELSEWHERE);

        SliceIndex index = index(GroupsGate.OFF, here, elsewhere, perDevice, perDeviceElsewhere);

        assertThat(index.leftOut(NODE)).extracting(Slice::name).containsExactly("here", "per-device");
    }

    private static Slice perDevice(String name, NodeSelection ofItsDevice) {
        return new Slice(
                name,
                POOL,
                1,
                4,
                new NodeSelection.None(),
                true,
                List.of(),
                List.of(device(name, on("s", 1, "mig")).withNodes(ofItsDevice)),
                List.of(),
                null);
    }
}
