package dev.fakegpu.cel;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.Program;
import dev.fakegpu.dra.Device;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One compiled expression. An expression that does not compile is a selector too, which answers every device with the compile
 * error: upstream reports it only if a device is reached. Safe for use by several threads.
 */
public abstract sealed class Selector {

    private static final SelectorResult MATCH = new SelectorResult.Match();
    private static final SelectorResult NO_MATCH = new SelectorResult.NoMatch();
    private static final int SHOWN_LENGTH = 200;
    private static final Pattern POSITION = Pattern.compile("^evaluation error at <input>:\\d+: ");
    private static final String MISSING_KEY = "is not present in map";

    /** The mistake behind most of these, also in KEP-5963's examples, is to leave out the domain. */
    private static final String HINT =
            " Attributes are looked up by domain, then by name; test for optional ones with has()";

    private final String expression;

    private Selector(String expression) {
        this.expression = expression;
    }

    static Selector of(String expression, Program program) {
        return new Compiled(expression, program);
    }

    static Selector broken(String expression, String reason) {
        return new Broken(expression, reason);
    }

    public String expression() {
        return expression;
    }

    /** Evaluates the expression for one device of a driver. */
    public final SelectorResult evaluate(String driver, Device device) {
        try {
            return evaluate(DeviceVariable.of(driver, device));
        } catch (IllegalArgumentException e) {
            return runtimeError(e.getMessage());
        }
    }

    abstract SelectorResult evaluate(DeviceVariable device);

    final SelectorResult compileError(String reason) {
        return error("CEL compile error", reason);
    }

    final SelectorResult runtimeError(@Nullable String reason) {
        String what = POSITION.matcher(String.valueOf(reason)).replaceFirst("");
        return error("CEL runtime error", what.contains(MISSING_KEY) ? what + HINT : what);
    }

    private SelectorResult error(String kind, String reason) {
        String shown = expression.length() <= SHOWN_LENGTH ? expression : expression.substring(0, SHOWN_LENGTH) + "...";
        return new SelectorResult.Error(kind + " in selector \"" + shown + "\": " + reason);
    }

    private static final class Compiled extends Selector {
        private final Program program;

        Compiled(String expression, Program program) {
            super(expression);
            this.program = program;
        }

        @Override
        SelectorResult evaluate(DeviceVariable device) {
            try {
                Object value = program.eval(device.activation());
                if (value instanceof Boolean matches) {
                    return matches ? MATCH : NO_MATCH;
                }
                return runtimeError("the result is a " + value.getClass().getSimpleName() + ", not a bool");
            } catch (CelEvaluationException e) {
                return runtimeError(e.getMessage());
            }
        }
    }

    private static final class Broken extends Selector {
        private final String reason;

        Broken(String expression, String reason) {
            super(expression);
            this.reason = reason;
        }

        @Override
        SelectorResult evaluate(DeviceVariable device) {
            return compileError(reason);
        }
    }
}
