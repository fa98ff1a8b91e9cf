package dev.fakegpu.engine.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.headroom.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random hardware. Every subset of its devices is checked by the literal rules of KEP-5963 and KEP-4815. */
class MatrixPropertyTest {

    private static final long SEED = Long.getLong("seed", 20260721L);
    private static final int RUNS = 400;
    private static final List<String> GROUPS = List.of("a", "b", "c");

    @Test
    void theNumberAtOnceIsThatOfTheLargestAllowedSubset() {
        forRandomHardware((hardware, what) -> {
            int largest = allowed(hardware).stream().mapToInt(List::size).max().orElse(0);

            assertThat(hardware.atOnce(hardware.devices())).as(what).isEqualTo(Count.exactly(largest));
        });
    }

    @Test
    void twoDevicesFitTogetherIfAnAllowedSubsetHasBoth() {
        forRandomHardware((hardware, what) -> {
            var pairs = new Pairs(hardware.counterSets());
            List<List<Device>> allowed = allowed(hardware);
            for (Device one : hardware.devices()) {
                for (Device other : hardware.devices()) {
                    if (one != other) {
                        assertThat(pairs.of(one, other).fits())
                                .as("%s: %s and %s", what, one.name(), other.name())
                                .isEqualTo(
                                        allowed.stream().anyMatch(subset -> subset.containsAll(List.of(one, other))));
                    }
                }
            }
        });
    }

    @Test
    void aRedundantGroupCanBeLeftOutAndTheSameSubsetsAreAllowed() {
        var checked = new ArrayList<String>();
        forRandomHardware((hardware, what) -> lints(hardware, Lint.Rule.REDUNDANT_GROUP)
                .forEach(lint -> {
                    List<String> named = quoted(lint);
                    String set = hardware.counterSets().stream()
                            .map(CounterSet::name)
                            .filter(name -> lint.sentence().contains("counter set " + name))
                            .findFirst()
                            .orElseThrow();
                    checked.add(lint.sentence());
                    assertThat(names(allowed(without(hardware, set, named.get(0)))))
                            .as("%s: %s", what, lint)
                            .isEqualTo(names(allowed(hardware)));
                }));
        assertThat(checked).isNotEmpty();
    }

    @Test
    void aDeviceReportedAsNeverAllocatedIsInNoAllowedSubset() {
        var checked = new ArrayList<String>();
        forRandomHardware((hardware, what) -> lints(hardware, Lint.Rule.NEVER_ALLOCATED)
                .forEach(lint -> hardware.devices().stream()
                        .filter(device -> lint.sentence().startsWith(device.name() + " "))
                        .forEach(device -> {
                            checked.add(device.name());
                            assertThat(allowed(hardware))
                                    .as("%s: %s", what, lint)
                                    .noneMatch(subset -> subset.contains(device));
                        })));
        assertThat(checked).isNotEmpty();
    }

    private interface Check {
        void on(PoolHardware hardware, String what);
    }

    private static void forRandomHardware(Check check) {
        for (int run = 0; run < RUNS; run++) {
            long seed = SEED + run;
            PoolHardware hardware = hardware(new Random(seed));
            check.on(hardware, "-Dseed=" + seed + " " + hardware);
        }
    }

    private static PoolHardware hardware(Random random) {
        List<CounterSet> sets = IntStream.range(0, 1 + random.nextInt(2))
                .mapToObj(i -> new CounterSet(
                        "set-" + i,
                        Map.of("x", Quantity.of(1 + random.nextInt(6)), "y", Quantity.of(1 + random.nextInt(4)))))
                .toList();
        List<Device> devices = IntStream.range(0, 2 + random.nextInt(6))
                .mapToObj(i -> new Device(
                        "device-" + (char) ('a' + i), Map.of(), Map.of(), consumption(random, sets), List.of()))
                .toList();
        return new PoolHardware(new PoolId("driver", "pool"), sets, devices, 0);
    }

    private static List<CounterConsumption> consumption(Random random, List<CounterSet> sets) {
        return sets.stream()
                .filter(set -> random.nextInt(10) < 8)
                .map(set -> new CounterConsumption(
                        set.name(),
                        Map.of("x", Quantity.of(random.nextInt(4)), "y", Quantity.of(random.nextInt(3))),
                        GROUPS.stream()
                                .filter(group -> random.nextInt(10) < 4)
                                .limit(2)
                                .toList()))
                .toList();
    }

    private static List<List<Device>> allowed(PoolHardware hardware) {
        var allowed = new ArrayList<List<Device>>();
        for (int bits = 0; bits < 1 << hardware.devices().size(); bits++) {
            int chosen = bits;
            List<Device> subset = IntStream.range(0, hardware.devices().size())
                    .filter(i -> (chosen >> i & 1) == 1)
                    .mapToObj(hardware.devices()::get)
                    .toList();
            if (hardware.counterSets().stream().allMatch(set -> isAllowed(subset, set))) {
                allowed.add(subset);
            }
        }
        return allowed;
    }

    private static boolean isAllowed(List<Device> subset, CounterSet set) {
        List<CounterConsumption> entries = subset.stream()
                .flatMap(device -> device.consumesCounters().stream())
                .filter(entry -> entry.counterSet().equals(set.name()))
                .toList();
        boolean enough = set.counters().entrySet().stream()
                .allMatch(counter -> entries.stream()
                                .map(entry -> entry.counters().getOrDefault(counter.getKey(), Quantity.ZERO))
                                .reduce(Quantity.ZERO, Quantity::plus)
                                .compareTo(counter.getValue())
                        <= 0);
        boolean noneHasGroups =
                entries.stream().allMatch(entry -> entry.compatibilityGroups().isEmpty());
        return enough
                && (noneHasGroups
                        || GROUPS.stream()
                                .anyMatch(group -> entries.stream()
                                        .allMatch(entry ->
                                                entry.compatibilityGroups().contains(group))));
    }

    private static List<Lint> lints(PoolHardware hardware, Lint.Rule rule) {
        return hardware.counterSets().stream()
                .map(set -> SharedSet.of(hardware, set))
                .flatMap(shared -> SetLints.of(shared, new Pairs(hardware.counterSets()), 0).stream())
                .filter(lint -> lint.rule() == rule)
                .toList();
    }

    private static List<String> quoted(Lint lint) {
        return Pattern.compile("\"([^\"]+)\"")
                .matcher(lint.sentence())
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static PoolHardware without(PoolHardware hardware, String set, String group) {
        return new PoolHardware(
                hardware.pool(),
                hardware.counterSets(),
                hardware.devices().stream()
                        .map(device -> device.withConsumption(entry ->
                                entry.counterSet().equals(set)
                                        ? new CounterConsumption(
                                                entry.counterSet(),
                                                entry.counters(),
                                                entry.compatibilityGroups().stream()
                                                        .filter(other -> !other.equals(group))
                                                        .toList())
                                        : entry))
                        .toList(),
                0);
    }

    private static Set<String> names(List<List<Device>> subsets) {
        var names = new TreeSet<String>();
        subsets.forEach(subset ->
                names.add(String.join("+", subset.stream().map(Device::name).toList())));
        return names;
    }
}
