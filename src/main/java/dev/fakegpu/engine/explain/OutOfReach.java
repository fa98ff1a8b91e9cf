package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.Diagnosis;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import dev.fakegpu.engine.cel.InterruptCheck;
import dev.fakegpu.engine.cel.SelectorResult;
import dev.fakegpu.engine.cel.Selectors;
import java.util.List;
import java.util.stream.Stream;

/** Finds devices that a request selects, but whose pools are for several nodes and not accessible from this node. */
final class OutOfReach {

    private static final int MAX_EXAMINED = 2_000;

    private final HypotheticalState state;

    OutOfReach(HypotheticalState state) {
        this.state = state;
    }

    /** The devices in the order of the slices. Only the first {@value #MAX_EXAMINED} devices are examined. */
    List<Diagnosis.Judged> devices(NodeInfo node, ExactRequest request) {
        DeviceClass deviceClass = state.context().classes().get(request.deviceClassName());
        if (deviceClass == null) {
            return List.of();
        }
        List<String> expressions = Stream.concat(deviceClass.selectors().stream(), request.selectors().stream())
                .toList();
        return state.context()
                .slices()
                .outOfReach(node)
                .flatMap(slice -> slice.devices().stream().map(device -> new Candidate(slice, device)))
                .limit(MAX_EXAMINED)
                .filter(candidate -> candidate.isSelected(expressions, state))
                .map(Candidate::judged)
                .toList();
    }

    private record Candidate(Slice slice, Device device) {

        boolean isSelected(List<String> expressions, HypotheticalState state) {
            Selectors selectors = state.context().selectors();
            InterruptCheck check = state.deadline().interruptCheck();
            return expressions.stream()
                    .allMatch(expression ->
                            selectors.compile(expression).evaluate(slice.pool().driver(), device, check)
                                    instanceof SelectorResult.Match);
        }

        Diagnosis.Judged judged() {
            return new Diagnosis.Judged(
                    slice.pool().device(device.name()), new Refusal.NotReached(slice.nodesOf(device)));
        }
    }
}
