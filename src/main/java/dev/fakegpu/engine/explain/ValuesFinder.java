package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import dev.fakegpu.engine.cel.ComparedText;
import dev.fakegpu.engine.cel.ComparedValue;
import dev.fakegpu.engine.cel.InterruptCheck;
import dev.fakegpu.engine.cel.Selector;
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
        List<ComparedValue> compared = expressions.stream()
                .map(expression -> state.context().selectors().compile(expression))
                .flatMap(selector -> selector.compared().stream().filter(value -> isRequired(value, selector)))
                .distinct()
                .toList();
        return compared.stream()
                .flatMap(each -> ValuesThere.of(each, devices, textsBeside(each, compared)))
                .toList();
    }

    /** Whether devices without the value are not selected; this is only examined for the driver. */
    private static boolean isRequired(ComparedValue value, Selector selector) {
        return !(value instanceof ComparedText text && text.isDriver())
                || selector.requiredDrivers().contains(text.text());
    }

    /** The texts that a selector compares beside a value; for a text, those before it. */
    private static List<ComparedText> textsBeside(ComparedValue value, List<ComparedValue> compared) {
        return compared.stream()
                .limit(value instanceof ComparedText ? compared.indexOf(value) : compared.size())
                .flatMap(each ->
                        each instanceof ComparedText text && !text.isDriver() ? Stream.of(text) : Stream.empty())
                .filter(text -> compared.stream()
                        .noneMatch(other -> !other.equals(text) && other.name().equals(text.name())))
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
