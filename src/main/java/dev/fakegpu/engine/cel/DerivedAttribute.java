package dev.fakegpu.engine.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.fakegpu.dra.Device;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.SemanticVersion;
import java.util.Optional;
import java.util.Set;

/**
 * The expression of a derived attribute (KEP-6080). It does not select devices, but computes a value that constraints compare. The result
 * is a string, an int, a bool, a version, or a list of one of these. Upstream: {@code EvaluateDerivedAttribute} of
 * {@code dynamic-resource-allocation/cel/compile.go}. Thread-safe.
 */
public final class DerivedAttribute {

    static final ResultKind<DerivedAttributeResult> KIND = kind(true);

    private final DeviceFunction<DerivedAttributeResult> function;

    DerivedAttribute(DeviceFunction<DerivedAttributeResult> function) {
        this.function = function;
    }

    static ResultKind<DerivedAttributeResult> kind(boolean areListsAllowed) {
        return new Kind(areListsAllowed);
    }

    /** The compile error without the expression itself; empty if the expression compiles. */
    public Optional<String> compileProblem() {
        return Optional.ofNullable(function.compileProblem());
    }

    /**
     * Computes the attribute for one device of a driver.
     *
     * @throws EvaluationInterrupted if the check ends the evaluation; the check is not called for cached results
     */
    public DerivedAttributeResult evaluate(String driver, Device device, InterruptCheck check) {
        return function.evaluate(driver, device, check);
    }

    private record Kind(boolean areListsAllowed) implements ResultKind<DerivedAttributeResult> {

        private static final Set<CelType> SCALARS = Set.of(
                SimpleType.BOOL,
                SimpleType.INT,
                SimpleType.STRING,
                SimpleType.ANY,
                SimpleType.DYN,
                SemanticVersion.TYPE);

        @Override
        public String expressionName() {
            return "derived attribute";
        }

        @Override
        public void requireType(CelType type) {
            if (!SCALARS.contains(type) && !(areListsAllowed && isListOfScalars(type))) {
                throw new Failure("must evaluate to a primitive scalar (string, integer, boolean, semver)"
                        + (areListsAllowed ? " or a list of these scalars" : "") + ", not " + type.name());
            }
        }

        private static boolean isListOfScalars(CelType type) {
            return type instanceof ListType list && SCALARS.contains(list.elemType());
        }

        @Override
        public DerivedAttributeResult result(Object value) {
            return new DerivedAttributeResult.Value(AttributeValues.ofResult(value));
        }

        @Override
        public DerivedAttributeResult error(String message) {
            return new DerivedAttributeResult.Error(message);
        }
    }
}
