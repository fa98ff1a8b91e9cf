package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The answer of kube-controller-manager 1.37 to a ResourcePoolStatusRequest (KEP-5677) about one partition type: how many devices that no
 * claim holds still fit the counters of their pool. It ignores compatibility groups, taints, selectors and nodes. Upstream:
 * {@code computePartitionSummary} in {@code pkg/controller/resourcepoolstatusrequest/views.go}, v1.37.1.
 *
 * @param allocatable the sum over the pools that have an answer
 * @param costsDiffer the pools without an answer, because devices of the type consume different counters ({@code PartitionCostMismatch})
 */
public record PoolStatusEstimate(long allocatable, Set<PoolId> costsDiffer) {

    public PoolStatusEstimate {
        costsDiffer = Set.copyOf(costsDiffer);
    }

    /**
     * Computes the answer.
     *
     * @param slices the slices of the newest generation of each pool
     * @param type the value of the attribute that the slices name as partition type
     * @param isHeld whether a claim holds a device, by pool and name
     * @return empty if no device has this type
     */
    public static Optional<PoolStatusEstimate> of(List<Slice> slices, String type, Predicate<DeviceId> isHeld) {
        long allocatable = 0;
        var costsDiffer = new HashSet<PoolId>();
        boolean any = false;
        Map<PoolId, List<Slice>> byPool = slices.stream().collect(Collectors.groupingBy(Slice::pool));
        for (Map.Entry<PoolId, List<Slice>> pool : byPool.entrySet()) {
            List<Device> ofType = pool.getValue().stream()
                    .flatMap(slice -> slice.devices().stream().filter(device -> isOfType(slice, device, type)))
                    .toList();
            any |= !ofType.isEmpty();
            if (ofType.stream().map(PoolStatusEstimate::cost).distinct().count() > 1) {
                costsDiffer.add(pool.getKey());
            } else {
                allocatable += allocatable(pool.getKey(), pool.getValue(), ofType, isHeld);
            }
        }
        return any ? Optional.of(new PoolStatusEstimate(allocatable, costsDiffer)) : Optional.empty();
    }

    private static boolean isOfType(Slice slice, Device device, String type) {
        return slice.partitionTypeAttribute() != null
                && PartitionTypeAttribute.value(slice, device)
                        .filter(type::equals)
                        .isPresent();
    }

    /** What the device consumes, regardless of its groups. */
    private static Object cost(Device device) {
        return device.consumesCounters().stream()
                .flatMap(entry -> entry.counters().entrySet().stream()
                        .map(amount -> List.of(
                                entry.counterSet(),
                                amount.getKey(),
                                amount.getValue().value().stripTrailingZeros())))
                .collect(Collectors.toSet());
    }

    private static long allocatable(PoolId pool, List<Slice> slices, List<Device> ofType, Predicate<DeviceId> isHeld) {
        Map<String, Map<String, Quantity>> left = new HashMap<>();
        slices.stream()
                .flatMap(slice -> slice.counterSets().stream())
                .forEach((CounterSet set) -> left.put(set.name(), new HashMap<>(set.counters())));
        slices.stream()
                .flatMap(slice -> slice.devices().stream())
                .filter(device -> isHeld.test(pool.device(device.name())))
                .forEach(device -> subtract(device, left));
        long count = 0;
        for (Device device : ofType) {
            if (!isHeld.test(pool.device(device.name())) && fits(device, left)) {
                subtract(device, left);
                count++;
            }
        }
        return count;
    }

    private static boolean fits(Device device, Map<String, Map<String, Quantity>> left) {
        return device.consumesCounters().stream()
                .allMatch(entry -> entry.counters().entrySet().stream()
                        .allMatch(amount -> amount.getValue().compareTo(left(entry, amount.getKey(), left)) <= 0));
    }

    private static Quantity left(CounterConsumption entry, String counter, Map<String, Map<String, Quantity>> left) {
        return left.getOrDefault(entry.counterSet(), Map.of()).getOrDefault(counter, Quantity.ZERO);
    }

    private static void subtract(Device device, Map<String, Map<String, Quantity>> left) {
        device.consumesCounters()
                .forEach(entry -> entry.counters()
                        .forEach((counter, amount) -> left.getOrDefault(entry.counterSet(), new HashMap<>())
                                .computeIfPresent(counter, (name, before) -> before.minus(amount))));
    }
}
