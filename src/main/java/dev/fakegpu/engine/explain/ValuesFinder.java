package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import dev.fakegpu.engine.cel.InterruptCheck;
import dev.fakegpu.engine.cel.SelectorResult;
import dev.fakegpu.engine.explain.finding.ValuesThere;
import java.util.List;
import java.util.stream.Stream;

/** Finds the values that devices have of the attributes and capacities that selectors read. */
final class ValuesFinder {

    private final HypotheticalState state;

    ValuesFinder(HypotheticalState state) {
        this.state = state;
    }

    /**
     * The values for a request that selects no device of the node. They are those of the devices of its class or, if there are none, of all
     * devices.
     */
    List<ValuesThere> values(NodeInfo node, ExactRequest request) {
        DeviceClass deviceClass = state.context().classes().get(request.deviceClassName());
        if (deviceClass == null) {
            return List.of();
        }
        List<PoolDevice> devices = state.context().slices().pools(node).stream()
                .flatMap(pool ->
                        pool instanceof Pool.Usable usable ? usable.devices().stream() : Stream.<PoolDevice>empty())
                .toList();
        List<PoolDevice> ofClass =
                devices.stream().filter(device -> isOf(deviceClass, device)).toList();
        return ofClass.isEmpty() ? values(deviceClass.selectors(), devices) : values(request.selectors(), ofClass);
    }

    private List<ValuesThere> values(List<String> expressions, List<PoolDevice> devices) {
        return expressions.stream()
                .flatMap(expression -> state.context().selectors().compile(expression).compared().stream())
                .distinct()
                .map(compared -> ValuesThere.of(compared, devices))
                .toList();
    }

    private boolean isOf(DeviceClass deviceClass, PoolDevice device) {
        InterruptCheck check = state.deadline().interruptCheck();
        return deviceClass.selectors().stream()
                .allMatch(expression -> state.context()
                                .selectors()
                                .compile(expression)
                                .evaluate(device.id().driver(), device.device(), check)
                        instanceof SelectorResult.Match);
    }
}
