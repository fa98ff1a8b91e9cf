package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Tries all possible allocations, and checks each as a whole by the rules of the API. Shares no code with the implementation that it is
 * compared with.
 */
final class BruteForceRoom {

    private static final int NOT_ON_THE_SET = -1;

    private final RandomPools pools;
    private final int count;
    private final long[] totals;
    private final long[][] amounts;
    private final int[][] groups;
    private final long[] holders;
    private final long[] memory;

    BruteForceRoom(RandomPools pools) {
        this.pools = pools;
        count = pools.devices().size();
        List<String[]> counters = pools.counterSets().stream()
                .flatMap(set -> set.counters().keySet().stream().map(counter -> new String[] {set.name(), counter}))
                .toList();
        totals = pools.counterSets().stream()
                .flatMap(set -> set.counters().values().stream())
                .mapToLong(total -> total.value().longValueExact())
                .toArray();
        amounts = pools.devices().stream()
                .map(device -> counters.stream()
                        .mapToLong(counter -> amount(device, counter[0], counter[1]))
                        .toArray())
                .toArray(long[][]::new);
        groups = pools.devices().stream()
                .map(device -> pools.counterSets().stream()
                        .mapToInt(set -> groups(device, set.name()))
                        .toArray())
                .toArray(int[][]::new);
        holders = pools.devices().stream().mapToLong(this::holders).toArray();
        memory = pools.devices().stream()
                .mapToLong(device -> device.capacity().isEmpty()
                        ? 0
                        : device.capacity()
                                .get(RandomPools.MEMORY)
                                .value()
                                .value()
                                .longValueExact())
                .toArray();
    }

    private static Stream<CounterConsumption> on(Device device, String set) {
        return device.consumesCounters().stream()
                .filter(entry -> entry.counterSet().equals(set));
    }

    private static long amount(Device device, String set, String counter) {
        return on(device, set)
                .mapToLong(entry -> entry.counters().get(counter).value().longValueExact())
                .sum();
    }

    /** One bit for each of the groups a, b and c. */
    private static int groups(Device device, String set) {
        return on(device, set)
                .mapToInt(entry -> entry.compatibilityGroups().stream()
                        .mapToInt(group -> 1 << (group.charAt(0) - 'a'))
                        .sum())
                .findFirst()
                .orElse(NOT_ON_THE_SET);
    }

    private long holders(Device device) {
        return pools.held().stream()
                .map(AllocatedDevice::id)
                .filter(id -> id.device().equals(device.name()))
                .count();
    }

    /** The maximum number of copies of the claim on these nodes; {@link Count#UNLIMITED} if a device has unlimited room. */
    long most(Set<String> nodes) {
        List<int[]> hands = nodes.stream().flatMap(this::hands).toList();
        boolean isUnlimited = hands.stream()
                .anyMatch(hand -> IntStream.of(hand).allMatch(this::isUnlimited) && goTogether(List.of(hand)));
        return isUnlimited ? Count.UNLIMITED : most(hands, 0, List.of());
    }

    /** The sets of devices that satisfy one claim on a node. */
    private Stream<int[]> hands(String node) {
        int[] wanted = IntStream.range(0, count)
                .filter(device -> isReached(device, node) && isWanted(device))
                .toArray();
        if (pools.request().count() == 1) {
            return IntStream.of(wanted).mapToObj(device -> new int[] {device});
        }
        return IntStream.of(wanted)
                .boxed()
                .flatMap(one -> IntStream.of(wanted)
                        .filter(other -> other > one)
                        .filter(other -> pools.claim().constraints().isEmpty()
                                || root(one).equals(root(other)))
                        .mapToObj(other -> new int[] {one, other}));
    }

    private Object root(int device) {
        return pools.devices().get(device).attributes().get("root");
    }

    private long most(List<int[]> hands, int next, List<int[]> chosen) {
        long most = chosen.size();
        for (int i = next; i < hands.size(); i++) {
            var more = new ArrayList<>(chosen);
            more.add(hands.get(i));
            if (goTogether(more)) {
                most = Math.max(most, most(hands, i, more));
            }
        }
        return most;
    }

    private boolean isReached(int device, String node) {
        return !(pools.devices().get(device).nodes() instanceof NodeSelection.NodeName only)
                || only.name().equals(node);
    }

    private boolean isWanted(int number) {
        Device device = pools.devices().get(number);
        var request = pools.request();
        return (request.selectors().isEmpty()
                        || "x".equals(String.valueOf(device.attributes().get("kind"))))
                && (device.taints().isEmpty() || !request.tolerations().isEmpty())
                && (request.capacity() == null || !device.capacity().isEmpty());
    }

    /** The amount of memory that a claim consumes of a shared device, or needs of another device: the requested amount, or all. */
    private long needed(int device) {
        var requested = pools.request().capacity();
        return requested == null
                ? memory[device]
                : requested.get(RandomPools.MEMORY).value().longValueExact();
    }

    private boolean isShared(int device) {
        return pools.devices().get(device).allowMultipleAllocations();
    }

    private boolean isUnlimited(int device) {
        return isShared(device) && pools.devices().get(device).capacity().isEmpty();
    }

    /** Whether the devices can be allocated at the same time, together with those that are held. */
    boolean goTogether(List<int[]> hands) {
        long[] uses = new long[count];
        hands.forEach(hand -> IntStream.of(hand).forEach(device -> uses[device]++));
        for (int device = 0; device < count; device++) {
            if (isOverused(device, uses[device])) {
                return false;
            }
        }
        return isEnough(uses) && areCompatible(uses);
    }

    private boolean isOverused(int device, long uses) {
        if (isUnlimited(device)) {
            return false;
        }
        if (isShared(device)) {
            return holders[device] + uses * needed(device) > memory[device];
        }
        return uses + holders[device] > 1 || uses > 0 && needed(device) > memory[device];
    }

    private boolean isEnough(long[] uses) {
        for (int counter = 0; counter < totals.length; counter++) {
            long sum = 0;
            for (int device = 0; device < count; device++) {
                sum += uses[device] + holders[device] > 0 ? amounts[device][counter] : 0;
            }
            if (sum > totals[counter]) {
                return false;
            }
        }
        return true;
    }

    private boolean areCompatible(long[] uses) {
        for (int set = 0; set < pools.counterSets().size() && pools.gate() != GroupsGate.UNAWARE; set++) {
            int common = -1;
            boolean anyWithout = false;
            boolean anyWith = false;
            for (int device = 0; device < count; device++) {
                if (uses[device] + holders[device] > 0 && groups[device][set] != NOT_ON_THE_SET) {
                    common &= groups[device][set];
                    anyWithout |= groups[device][set] == 0;
                    anyWith |= groups[device][set] != 0;
                }
            }
            if (anyWith && (anyWithout || common == 0)) {
                return false;
            }
        }
        return true;
    }
}
