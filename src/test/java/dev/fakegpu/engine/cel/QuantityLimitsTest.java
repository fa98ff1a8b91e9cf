package dev.fakegpu.engine.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.CelType;
import dev.fakegpu.dra.Device;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Selectors that do calculations with extreme quantities. */
@Timeout(30)
class QuantityLimitsTest {

    private static final Device DEVICE =
            new Device("device-0", Map.of(), Map.of(), List.of(), List.of(), false, null, Device.Binding.NONE);

    private final Selectors selectors = new Selectors();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "!quantity('1e9000000').isInteger()",
                "!quantity('1e999999999').isInteger()",
                "!quantity('-1e2147483647').isInteger()",
                "!quantity('1e-9000000').isInteger()",
                "quantity('1e18').isInteger() && !quantity('1e19').isInteger()",
                "quantity('9223372036854775807').asInteger() == 9223372036854775807",
                "quantity('1e4294967296').asInteger() == 1",
                "quantity('1e999999999').asApproximateFloat() > 1e300",
                "quantity('-1e999999999').asApproximateFloat() < -1e300",
                "sign(quantity('1e999999999')) == 1",
                "sign(quantity('-1e-999999999')) == -1",
                "isQuantity('1e999999999') && !isQuantity('1e99999999999999999999')",
                "quantity('1e9000000').add(quantity('1')).isGreaterThan(quantity('1e9000000'))",
                "quantity('1e9000000').sub(quantity('1')).isLessThan(quantity('1e9000000'))",
                "quantity('1').sub(quantity('1e999999999')).isLessThan(quantity('0'))",
                "quantity('1e999999999').add(1).isGreaterThan(quantity('1e999999998'))",
                "quantity('1e999999999').sub(1).compareTo(quantity('1')) == 1",
                "quantity('1e999999999').compareTo(quantity('2e999999999')) == -1",
                "quantity('1e999999999') == quantity('10e999999998')",
                "quantity('1e-999999999') == quantity('1n')"
            })
    void extremeQuantitiesAreComparedByTheirScale(String expression) {
        assertThat(selectors.compile(expression).evaluate("gpu.example.com", DEVICE))
                .isEqualTo(new SelectorResult.Match());
    }

    @Test
    void asIntegerOfAHugeNumberIsARuntimeError() {
        assertThat(selectors.compile("quantity('1e999999999').asInteger() == 0").evaluate("gpu.example.com", DEVICE))
                .isInstanceOfSatisfying(
                        SelectorResult.Error.class,
                        error -> assertThat(error.message()).contains("cannot convert value to integer"));
    }

    @Test
    void anUnexpectedExceptionIsTheExpressionsRuntimeError() {
        var function = DeviceFunction.compile("true", new Environment(SelectorFeatures.ALL), new Throwing());

        assertThat(function.evaluate("gpu.example.com", DEVICE, InterruptCheck.NEVER))
                .isEqualTo("CEL runtime error in selector \"true\": internal error: "
                        + "java.lang.ArithmeticException: Overflow");
    }

    private static final class Throwing implements ResultKind<String> {

        @Override
        public String expressionName() {
            return "selector";
        }

        @Override
        public void requireType(CelType type) {}

        @Override
        public String result(Object value) {
            throw new ArithmeticException("Overflow");
        }

        @Override
        public String error(String message) {
            return message;
        }
    }
}
