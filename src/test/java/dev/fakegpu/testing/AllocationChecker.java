package dev.fakegpu.testing;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCounterConsumption;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks whether the allocations of all claims are possible at the same time: no device is allocated twice, no counter or capacity is
 * exceeded, and on every counter set the devices have a group in common. Works with API objects only, and does not use the allocator.
 */
public final class AllocationChecker {

    private final Map<String, Device> devices = new HashMap<>();
    private final Map<String, BigDecimal> counters = new TreeMap<>();
    private final Map<String, Set<String>> groups = new HashMap<>();
    private final Map<String, String> holders = new HashMap<>();
    private final Set<String> consuming = new HashSet<>();
    private final Map<String, BigDecimal> shared = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    private AllocationChecker() {}

    /** Returns a sentence for each violation. */
    public static List<String> problems(List<ResourceSlice> slices, List<ResourceClaim> claims) {
        var checker = new AllocationChecker();
        slices.forEach(checker::read);
        claims.forEach(checker::hold);
        checker.counters.forEach((counter, left) -> {
            if (left.signum() < 0) {
                checker.problems.add("counter " + counter + " is exceeded by " + left.negate());
            }
        });
        checker.shared.forEach((capacity, left) -> {
            if (left.signum() < 0) {
                checker.problems.add("capacity " + capacity + " is exceeded by " + left.negate());
            }
        });
        return checker.problems;
    }

    private void read(ResourceSlice slice) {
        String pool =
                slice.getSpec().getDriver() + "/" + slice.getSpec().getPool().getName() + "/";
        slice.getSpec().getDevices().forEach(device -> devices.put(pool + device.getName(), device));
        slice.getSpec()
                .getSharedCounters()
                .forEach(set -> set.getCounters()
                        .forEach((name, counter) -> counters.put(
                                pool + set.getName() + "/" + name,
                                counter.getValue().getNumericalAmount())));
    }

    private void hold(ResourceClaim claim) {
        if (claim.getStatus() == null || claim.getStatus().getAllocation() == null) {
            return;
        }
        for (DeviceRequestAllocationResult result :
                claim.getStatus().getAllocation().getDevices().getResults()) {
            if (!Boolean.TRUE.equals(result.getAdminAccess())) {
                hold(claim.getMetadata().getName(), result.getDriver() + "/" + result.getPool() + "/", result);
            }
        }
    }

    private void hold(String claim, String pool, DeviceRequestAllocationResult result) {
        String name = result.getDevice();
        Device device = devices.get(pool + name);
        if (device == null) {
            problems.add(claim + " holds " + pool + name + ", which is not published");
            return;
        }
        String other;
        if (Boolean.TRUE.equals(device.getAllowMultipleAllocations())) {
            share(claim, pool + name, device, result);
            other = holders.put(pool + name + "/" + result.getShareID(), claim);
        } else {
            other = holders.put(pool + name, claim);
        }
        if (other != null) {
            problems.add(pool + name + " is held by " + other + " and by " + claim);
        }
        if (consuming.add(pool + name)) {
            device.getConsumesCounters().forEach(consumption -> consume(claim, pool, consumption));
        }
    }

    /** Each share of a device consumes from the device's capacities, but the device consumes counters only once. */
    private void share(String claim, String id, Device device, DeviceRequestAllocationResult result) {
        if (result.getShareID() == null) {
            problems.add(claim + " holds a share of " + id + " that has no shareID");
        }
        Map<String, Quantity> consumed = Objects.requireNonNullElse(result.getConsumedCapacity(), Map.of());
        Objects.requireNonNullElse(device.getCapacity(), Map.<String, DeviceCapacity>of())
                .forEach((name, capacity) -> {
                    if (!consumed.containsKey(name)) {
                        problems.add(claim + " does not say how much " + name + " it takes of " + id);
                    } else {
                        shared.merge(
                                id + "/" + name,
                                capacity.getValue()
                                        .getNumericalAmount()
                                        .subtract(consumed.get(name).getNumericalAmount()),
                                (left, ignored) ->
                                        left.subtract(consumed.get(name).getNumericalAmount()));
                    }
                });
    }

    private void consume(String claim, String pool, DeviceCounterConsumption consumption) {
        String set = pool + consumption.getCounterSet();
        consumption
                .getCounters()
                .forEach((name, counter) -> counters.merge(
                        set + "/" + name,
                        counter.getValue().getNumericalAmount().negate(),
                        BigDecimal::add));
        Set<String> own = new HashSet<>(consumption.getCompatibilityGroups());
        Set<String> common = groups.get(set);
        if (common == null) {
            groups.put(set, own);
        } else if (common.isEmpty() != own.isEmpty()) {
            problems.add(claim + " brings devices with and without groups together on " + set);
        } else if (!own.isEmpty()) {
            common.retainAll(own);
            if (common.isEmpty()) {
                problems.add(claim + " has no group in common with the others on " + set);
            }
        }
    }
}
