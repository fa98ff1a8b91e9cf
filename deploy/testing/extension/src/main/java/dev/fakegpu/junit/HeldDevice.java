package dev.fakegpu.junit;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A device that a claim holds, and its state on the node.
 *
 * @param ready the condition {@code Ready} of the device; empty until its driver has reported one
 */
record HeldDevice(String driver, String pool, String device, Optional<Condition> ready) {

    private static final String READY = "Ready";

    /** In the order of the results; none if the claim is not allocated. */
    static List<HeldDevice> of(ResourceClaim claim) {
        if (!isAllocated(claim) || claim.getStatus().getAllocation().getDevices() == null) {
            return List.of();
        }
        return claim.getStatus().getAllocation().getDevices().getResults().stream()
                .map(result -> new HeldDevice(
                        result.getDriver(),
                        result.getPool(),
                        result.getDevice(),
                        ready(claim, result.getDriver(), result.getPool(), result.getDevice())))
                .toList();
    }

    static boolean isAllocated(ResourceClaim claim) {
        return claim.getStatus() != null && claim.getStatus().getAllocation() != null;
    }

    /** Whether the claim holds devices, all of which are prepared. */
    static boolean arePrepared(ResourceClaim claim) {
        List<HeldDevice> devices = of(claim);
        return !devices.isEmpty() && devices.stream().allMatch(HeldDevice::isPrepared);
    }

    /**
     * Whether these are exactly the devices with these names.
     *
     * @param names the names of devices, optionally with their pools, in any order; each name stands for one device
     */
    static boolean areNamed(List<HeldDevice> devices, List<String> names) {
        var left = new ArrayList<>(devices);
        // Names with a pool come first, because each of them can match only one device.
        return devices.size() == names.size()
                && names.stream()
                        .sorted((one, other) -> Boolean.compare(other.contains("/"), one.contains("/")))
                        .allMatch(name -> removeFirst(left, name));
    }

    private static boolean removeFirst(List<HeldDevice> left, String name) {
        return left.stream()
                .filter(device -> name.equals(device.device()) || name.equals(device.full()))
                .findFirst()
                .map(left::remove)
                .orElse(false);
    }

    /** The name with the pool, which is unique within a driver. */
    String full() {
        return pool + "/" + device;
    }

    boolean isPrepared() {
        return ready.filter(condition -> "True".equals(condition.getStatus())).isPresent();
    }

    /** Returns the device, with the message of its driver if it is not prepared. */
    @Override
    public String toString() {
        return full()
                + ready.filter(condition -> !isPrepared())
                        .map(condition -> " (" + condition.getReason() + ": " + condition.getMessage() + ")")
                        .orElse("");
    }

    private static Optional<Condition> ready(ResourceClaim claim, String driver, String pool, String device) {
        return claim.getStatus().getDevices().stream()
                .filter(status -> driver.equals(status.getDriver())
                        && pool.equals(status.getPool())
                        && device.equals(status.getDevice()))
                .flatMap(status -> status.getConditions().stream())
                .filter(condition -> READY.equals(condition.getType()))
                .findFirst();
    }
}
