package dev.fakegpu.cel;

import dev.fakegpu.dra.Device;
import org.jspecify.annotations.Nullable;

/**
 * The expression of a derived attribute (KEP-6080): instead of selecting devices it computes a value that constraints compare.
 * The result is a text, an integer, a bool, a version, or a list of one of them. Upstream: {@code EvaluateDerivedAttribute} of
 * {@code dynamic-resource-allocation/cel/compile.go}. Safe for use by several threads.
 */
public abstract sealed class DerivedAttribute {

    private final String expression;

    private DerivedAttribute(String expression) {
        this.expression = expression;
    }

    static DerivedAttribute of(String text, Expression expression) {
        return new Compiled(text, expression);
    }

    static DerivedAttribute broken(String expression, String reason) {
        return new Broken(expression, reason);
    }

    public String expression() {
        return expression;
    }

    /** Computes the attribute for one device of a driver. */
    public abstract DerivedAttributeResult evaluate(String driver, Device device);

    final DerivedAttributeResult runtimeError(@Nullable String reason) {
        return new DerivedAttributeResult.Error(
                ErrorText.of("CEL runtime error in derived attribute", expression, reason));
    }

    private static final class Compiled extends DerivedAttribute {
        private final Expression compiled;
        private final Memo<DerivedAttributeResult> memo = new Memo<>();

        Compiled(String text, Expression compiled) {
            super(text);
            this.compiled = compiled;
        }

        @Override
        public DerivedAttributeResult evaluate(String driver, Device device) {
            Failure problem = AttributeValues.problemOf(device);
            if (problem != null) {
                return runtimeError(problem.getMessage());
            }
            return memo.get(
                    compiled.references().keyOf(driver, device),
                    () -> result(compiled.evaluate(driver, device).value()));
        }

        private DerivedAttributeResult result(Object value) {
            if (value instanceof Failure failure) {
                return runtimeError(failure.getMessage());
            }
            try {
                return new DerivedAttributeResult.Value(AttributeValues.ofResult(value));
            } catch (Failure e) {
                return runtimeError(e.getMessage());
            }
        }
    }

    private static final class Broken extends DerivedAttribute {
        private final DerivedAttributeResult error;

        Broken(String expression, String reason) {
            super(expression);
            error = new DerivedAttributeResult.Error(
                    ErrorText.of("CEL compile error in derived attribute", expression, reason));
        }

        @Override
        public DerivedAttributeResult evaluate(String driver, Device device) {
            return error;
        }
    }
}
