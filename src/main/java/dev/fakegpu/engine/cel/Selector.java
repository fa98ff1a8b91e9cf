package dev.fakegpu.engine.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.fakegpu.dra.Device;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.TypeName;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The CEL expression of a device class or request that selects devices. If the expression does not compile, the selector returns the
 * compile error for every device, since upstream reports it only when it tries a device. Thread-safe.
 */
public final class Selector {

    static final ResultKind<SelectorResult> KIND = kind(AttributeKinds.LISTS_TOO);

    private final DeviceFunction<SelectorResult> function;

    Selector(DeviceFunction<SelectorResult> function) {
        this.function = function;
    }

    static ResultKind<SelectorResult> kind(AttributeKinds attributes) {
        return new Kind(attributes);
    }

    /** The compile error without the expression itself; empty if the expression compiles. */
    public Optional<String> compileProblem() {
        return Optional.ofNullable(function.compileProblem());
    }

    /** The literals with which it compares attributes, capacities and the driver's name. */
    public List<ComparedValue> compared() {
        return function.compared();
    }

    /** The texts that must all be the name of a device's driver for the device to be selected, as far as {@code ==} and {@code &&} say so. */
    public Set<String> requiredDrivers() {
        return function.requiredDrivers();
    }

    /** Evaluates the expression for one device of the driver. */
    public SelectorResult evaluate(String driver, Device device) {
        return evaluate(driver, device, InterruptCheck.NEVER);
    }

    /** @throws EvaluationInterrupted if the check ends the evaluation; the check is not called for cached results */
    public SelectorResult evaluate(String driver, Device device, InterruptCheck check) {
        return function.evaluate(driver, device, check);
    }

    /** @param attributes what attributes can be; the result may be one */
    private record Kind(AttributeKinds attributes) implements ResultKind<SelectorResult> {

        private static final SelectorResult MATCH = new SelectorResult.Match();
        private static final SelectorResult NO_MATCH = new SelectorResult.NoMatch();

        @Override
        public String expressionName() {
            return "selector";
        }

        @Override
        public void requireType(CelType type) {
            if (!type.equals(SimpleType.BOOL) && !type.equals(attributes.type())) {
                throw new Failure("must evaluate to bool or the unknown type, not " + type.name());
            }
        }

        @Override
        public SelectorResult result(Object value) {
            if (value instanceof Boolean matches) {
                return matches ? MATCH : NO_MATCH;
            }
            throw new Failure("the result is a " + TypeName.of(value) + ", not a bool");
        }

        @Override
        public SelectorResult error(String message) {
            return new SelectorResult.Error(message);
        }
    }
}
