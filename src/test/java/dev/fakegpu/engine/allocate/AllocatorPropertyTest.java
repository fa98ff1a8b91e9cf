package dev.fakegpu.engine.allocate;

import static dev.fakegpu.engine.allocate.Hardware.claim;
import static dev.fakegpu.engine.allocate.Hardware.counters;
import static dev.fakegpu.engine.allocate.Hardware.device;
import static dev.fakegpu.engine.allocate.Hardware.devices;
import static dev.fakegpu.engine.allocate.Hardware.named;
import static dev.fakegpu.engine.allocate.Hardware.on;
import static dev.fakegpu.engine.allocate.Hardware.pool;
import static dev.fakegpu.engine.allocate.Hardware.request;
import static dev.fakegpu.engine.allocate.Hardware.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Solves small random problems a second time by trying all assignments in order, and checking only complete ones. {@code
 * -Dallocator.seed=N} repeats a problem.
 */
class AllocatorPropertyTest {

    private static final int INSTANCES_PER_SEED = 200;
    private static final List<String> GROUPS = List.of("a", "b", "c");

    static LongStream seeds() {
        Long only = Long.getLong("allocator.seed");
        return only == null ? LongStream.rangeClosed(1, 20) : LongStream.of(only);
    }

    @ParameterizedTest(name = "-Dallocator.seed={0}")
    @MethodSource("seeds")
    void findsTheFirstSolutionIfThereIsOne(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < INSTANCES_PER_SEED; i++) {
            Problem problem = Problem.random(random);

            List<String> found = devices(
                    Hardware.allocate(problem.clusterState(), GroupsGate.ON, GroupPolicy.LIVE, problem.claims()));

            assertThat(found).as("seed %d, instance %d: %s", seed, i, problem).isEqualTo(problem.firstSolution());
        }
    }

    /** Devices on two counter sets of 10 units, some of which are held, and claims that request devices by name. */
    record Problem(List<Device> devices, List<String> held, List<Claim> claims, List<List<String>> wanted) {

        static Problem random(Random random) {
            List<Device> devices = IntStream.range(0, 4 + random.nextInt(4))
                    .mapToObj(i -> randomDevice("d" + i, random))
                    .toList();
            List<String> names = devices.stream().map(Device::name).toList();
            // The held devices must be compatible with each other. Impossible combinations are for other tests.
            List<String> held = new ArrayList<>();
            for (String name : names) {
                if (random.nextInt(4) == 0) {
                    held.add(name);
                    if (!isPossible(devices, held)) {
                        held.remove(name);
                    }
                }
            }
            List<Claim> claims = new ArrayList<>();
            List<List<String>> wanted = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(2); i++) {
                var requests = new ArrayList<DeviceRequest>();
                for (int r = 0; r <= random.nextInt(3); r++) {
                    List<String> choice = random.nextInt(3) == 0
                            ? names
                            : names.stream()
                                    .filter(name -> random.nextBoolean())
                                    .toList();
                    long count = 1 + random.nextInt(2);
                    requests.add(
                            request("r" + r, choice.isEmpty() ? "false" : named(choice.toArray(String[]::new)), count));
                    LongStream.range(0, count).forEach(ignored -> wanted.add(choice));
                }
                claims.add(claim("c" + i, requests.toArray(DeviceRequest[]::new)));
            }
            return new Problem(devices, held, claims, wanted);
        }

        private static Device randomDevice(String name, Random random) {
            var consumption = new ArrayList<CounterConsumption>();
            for (String set : List.of("s0", "s1")) {
                if (random.nextInt(3) > 0) {
                    String[] groups = GROUPS.stream()
                            .filter(group -> random.nextInt(5) < 2)
                            .limit(2)
                            .toArray(String[]::new);
                    consumption.add(on(set, random.nextInt(6), groups));
                }
            }
            return device(name, consumption.toArray(CounterConsumption[]::new));
        }

        ClusterState clusterState() {
            return state(
                    pool(List.of(counters("s0", 10), counters("s1", 10)), devices.toArray(Device[]::new)),
                    held.stream().map(Hardware::held).toArray(AllocatedDevice[]::new));
        }

        List<String> firstSolution() {
            List<String> solution = extend(List.of());
            return solution == null ? List.of("none") : solution;
        }

        /** All assignments of different devices in lexicographical order. */
        @Nullable private List<String> extend(List<String> chosen) {
            if (chosen.size() == wanted.size()) {
                var together = new ArrayList<>(held);
                together.addAll(chosen);
                return isPossible(devices, together) ? chosen : null;
            }
            for (Device device : devices) {
                if (wanted.get(chosen.size()).contains(device.name()) && !chosen.contains(device.name())) {
                    var longer = new ArrayList<>(chosen);
                    longer.add(device.name());
                    List<String> solution = extend(longer);
                    if (solution != null) {
                        return solution;
                    }
                }
            }
            return null;
        }

        /**
         * Whether the devices can be held at the same time: each once, with enough counters, and on each set either all without groups or
         * all with a common group.
         */
        private static boolean isPossible(List<Device> devices, List<String> together) {
            if (new HashSet<>(together).size() < together.size()) {
                return false;
            }
            Map<String, Long> used = new HashMap<>();
            Map<String, List<Set<String>>> groups = new HashMap<>();
            devices.stream()
                    .filter(device -> together.contains(device.name()))
                    .flatMap(device -> device.consumesCounters().stream())
                    .forEach(entry -> {
                        long units = entry.counters()
                                .getOrDefault("units", Quantity.ZERO)
                                .value()
                                .longValue();
                        used.merge(entry.counterSet(), units, Long::sum);
                        groups.computeIfAbsent(entry.counterSet(), ignored -> new ArrayList<>())
                                .add(Set.copyOf(entry.compatibilityGroups()));
                    });
            return used.values().stream().allMatch(units -> units <= 10)
                    && groups.values().stream().allMatch(Problem::isCompatible);
        }

        private static boolean isCompatible(List<Set<String>> members) {
            return members.stream().allMatch(Set::isEmpty)
                    || GROUPS.stream().anyMatch(group -> members.stream().allMatch(member -> member.contains(group)));
        }
    }
}
