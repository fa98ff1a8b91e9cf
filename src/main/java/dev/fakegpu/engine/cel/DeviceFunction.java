package dev.fakegpu.engine.cel;

import dev.fakegpu.dra.Device;
import dev.fakegpu.engine.cel.value.Failure;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A device expression with its cached results. It returns a result for every device. If the expression does not compile or fails, the
 * result is an error that contains the expression. Thread-safe.
 */
abstract sealed class DeviceFunction<R> {

    private static final int SHOWN_LENGTH = 200;

    private static final String TOO_DEEP = "the expression, or a text that it reads, nests too deeply";

    private final String expression;

    private DeviceFunction(String expression) {
        this.expression = expression;
    }

    /** Compiles an expression. If it does not compile, the function returns the compile error for every device. */
    static <R> DeviceFunction<R> compile(String text, Environment environment, ResultKind<R> kind) {
        try {
            Expression expression = environment.compile(text);
            kind.requireType(expression.type());
            return new Compiled<>(text, expression, kind);
        } catch (Failure e) {
            return broken(text, kind, e);
        } catch (StackOverflowError e) {
            return broken(text, kind, new Failure(TOO_DEEP));
        } catch (RuntimeException e) {
            return broken(text, kind, new Failure("internal error: " + e));
        }
    }

    private static <R> DeviceFunction<R> broken(String text, ResultKind<R> kind, Failure reason) {
        return new Broken<>(text, error(kind, "compile", text, reason), String.valueOf(reason.getMessage()));
    }

    final String expression() {
        return expression;
    }

    abstract R evaluate(String driver, Device device, InterruptCheck check);

    /** The values that the expression compares with literals; empty if it does not compile. */
    List<ComparedValue> compared() {
        return List.of();
    }

    /** @see Selector#requiredDrivers() */
    Set<String> requiredDrivers() {
        return Set.of();
    }

    /** The compile error without the expression; null if it compiles. */
    @Nullable String compileProblem() {
        return null;
    }

    private static <R> R error(ResultKind<R> kind, String phase, String expression, Failure reason) {
        String shown = expression.length() <= SHOWN_LENGTH ? expression : expression.substring(0, SHOWN_LENGTH) + "...";
        return kind.error(
                "CEL " + phase + " error in " + kind.expressionName() + " \"" + shown + "\": " + reason.getMessage());
    }

    private static final class Compiled<R> extends DeviceFunction<R> {
        private final Expression compiled;
        private final ResultKind<R> kind;
        private final Memo<Answer<R>> memo = new Memo<>();

        /**
         * A cached result or error. An error may list other names of the device, which the expression does not read, so these are added
         * later.
         */
        private record Answer<R>(
                @Nullable R result, @Nullable Failure failure) {}

        Compiled(String text, Expression compiled, ResultKind<R> kind) {
            super(text);
            this.compiled = compiled;
            this.kind = kind;
        }

        @Override
        List<ComparedValue> compared() {
            return compiled.references().compared();
        }

        @Override
        Set<String> requiredDrivers() {
            return compiled.references().requiredDrivers();
        }

        @Override
        R evaluate(String driver, Device device, InterruptCheck check) {
            @Nullable Failure problem = AttributeValues.problemOf(device);
            if (problem != null) {
                return runtimeError(problem);
            }
            Answer<R> answer =
                    memo.get(compiled.references().keyOf(driver, device), () -> uncached(driver, device, check));
            Failure failure = answer.failure();
            return failure == null
                    ? Objects.requireNonNull(answer.result())
                    : runtimeError(MissingNameText.withNamesOf(driver, device, failure));
        }

        /**
         * Evaluates the expression. Users write expressions, so an exception counts as an error of the expression and must not stop the
         * caller.
         */
        private Answer<R> uncached(String driver, Device device, InterruptCheck check) {
            try {
                return result(compiled.evaluate(driver, device, check).value());
            } catch (EvaluationInterrupted e) {
                throw e;
            } catch (Failure e) {
                return new Answer<>(null, e);
            } catch (StackOverflowError e) {
                return new Answer<>(null, new Failure(TOO_DEEP)); // an aborted evaluation leaves no state behind
            } catch (RuntimeException e) {
                return new Answer<>(null, new Failure("internal error: " + e));
            }
        }

        private Answer<R> result(Object value) {
            return value instanceof Failure failure
                    ? new Answer<>(null, failure)
                    : new Answer<>(kind.result(value), null);
        }

        private R runtimeError(Failure reason) {
            return error(kind, "runtime", expression(), reason);
        }
    }

    private static final class Broken<R> extends DeviceFunction<R> {
        private final R error;
        private final String problem;

        Broken(String expression, R error, String problem) {
            super(expression);
            this.error = error;
            this.problem = problem;
        }

        @Override
        R evaluate(String driver, Device device, InterruptCheck check) {
            return error;
        }

        @Override
        String compileProblem() {
            return problem;
        }
    }
}
