package dev.fakegpu.cel;

import dev.fakegpu.dra.Device;
import org.jspecify.annotations.Nullable;

/**
 * One compiled expression. An expression that does not compile is a selector too, which answers every device with the compile
 * error: upstream reports it only if a device is reached. Safe for use by several threads.
 */
public abstract sealed class Selector {

    private static final SelectorResult MATCH = new SelectorResult.Match();
    private static final SelectorResult NO_MATCH = new SelectorResult.NoMatch();

    private final String expression;

    private Selector(String expression) {
        this.expression = expression;
    }

    static Selector of(String text, Expression expression) {
        return new Compiled(text, expression);
    }

    static Selector broken(String expression, String reason) {
        return new Broken(expression, reason);
    }

    public String expression() {
        return expression;
    }

    /** Evaluates the expression for one device of a driver. */
    public abstract SelectorResult evaluate(String driver, Device device);

    final SelectorResult.Error runtimeError(@Nullable String reason) {
        return new SelectorResult.Error(ErrorText.of("CEL runtime error in selector", expression, reason));
    }

    private static final class Compiled extends Selector {
        private final Expression compiled;
        private final Memo<SelectorResult> memo = new Memo<>();

        Compiled(String text, Expression compiled) {
            super(text);
            this.compiled = compiled;
        }

        @Override
        public SelectorResult evaluate(String driver, Device device) {
            Failure problem = AttributeValues.problemOf(device);
            if (problem != null) {
                return runtimeError(problem.getMessage());
            }
            return memo.get(
                    compiled.references().keyOf(driver, device),
                    () -> result(compiled.evaluate(driver, device).value()));
        }

        private SelectorResult result(Object value) {
            if (value instanceof Boolean matches) {
                return matches ? MATCH : NO_MATCH;
            }
            return runtimeError(
                    value instanceof Failure failure
                            ? failure.getMessage()
                            : "the result is a " + TypeName.of(value) + ", not a bool");
        }
    }

    private static final class Broken extends Selector {
        private final SelectorResult error;

        Broken(String expression, String reason) {
            super(expression);
            error = new SelectorResult.Error(ErrorText.of("CEL compile error in selector", expression, reason));
        }

        @Override
        public SelectorResult evaluate(String driver, Device device) {
            return error;
        }
    }
}
