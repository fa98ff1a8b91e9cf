package dev.fakegpu.dra;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A DeviceTaintRule with a device selector: a taint that an administrator adds to devices of any driver (KEP-5055). Upstream:
 * {@code applyPatches} in {@code k8s.io/dynamic-resource-allocation/resourceslice/tracker}.
 *
 * @param driver the driver of the devices; for this and the other selectors, null matches any value
 * @param taint the taint, with the name of the rule
 */
public record TaintRule(
        @Nullable String driver,
        @Nullable String pool,
        @Nullable String device,
        DeviceTaint taint) {

    /**
     * The slice with the taints of the rules added to its devices, after their own taints. Returns the same object if the rules add none.
     */
    public static Slice apply(List<TaintRule> rules, Slice slice) {
        List<TaintRule> ofPool =
                rules.stream().filter(rule -> rule.selects(slice.pool())).toList();
        boolean matters =
                slice.devices().stream().anyMatch(device -> ofPool.stream().anyMatch(rule -> rule.selects(device)));
        return matters ? slice.mapDevices(device -> withTaints(device, ofPool)) : slice;
    }

    private static Device withTaints(Device device, List<TaintRule> rules) {
        List<DeviceTaint> taints = Stream.concat(
                        device.taints().stream(),
                        rules.stream().filter(rule -> rule.selects(device)).map(TaintRule::taint))
                .toList();
        return taints.size() == device.taints().size() ? device : device.withTaints(taints);
    }

    /** Whether the rule adds its taint to the device. */
    public boolean selects(DeviceId id) {
        return selects(id.poolId()) && (device == null || device.equals(id.device()));
    }

    private boolean selects(PoolId id) {
        return (driver == null || driver.equals(id.driver())) && (pool == null || pool.equals(id.name()));
    }

    private boolean selects(Device candidate) {
        return device == null || device.equals(candidate.name());
    }
}
