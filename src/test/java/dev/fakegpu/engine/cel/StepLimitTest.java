package dev.fakegpu.engine.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Device;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Selectors that cost almost nothing, but would use all memory or time. Each of them is an error of this selector only. */
@Timeout(30)
class StepLimitTest {

    private static final Device DEVICE =
            new Device("device-0", Map.of(), Map.of(), List.of(), List.of(), false, null, Device.Binding.NONE);

    static Stream<String> selectors() {
        return Stream.of(
                doubled("[1]", "%1$s + %1$s", 40) + ".size() > 0" + ")".repeat(41),
                doubled("[1]", "[%1$s, %1$s]", 40) + " == v40" + ")".repeat(41),
                doubled("[1]", "[%1$s, %1$s]", 40) + ".flatten(50).size() > 0" + ")".repeat(41),
                doubled("[1]", "[%1$s, %1$s]", 40) + ".flatten(50) == v40" + ")".repeat(41),
                "'%%s'.format([%s]) == ''".formatted(doubled("[1]", "[%1$s, %1$s]", 40) + ")".repeat(41)),
                doubled("'aaaaaaaaaa'", "%1$s.replace('a', %1$s)", 6) + " == ''" + ")".repeat(7),
                doubled(
                                "'aaaaaaaaaa'",
                                "'%%s%%s%%s%%s%%s%%s%%s%%s'.format([%1$s,%1$s,%1$s,%1$s,%1$s,%1$s,%1$s,%1$s])",
                                12)
                        + " == ''" + ")".repeat(13),
                doubled("'aaaaaaaaaa'", "lists.range(1000).map(i, %1$s).join(%1$s)", 4) + " == ''" + ")".repeat(5),
                doubled("[1]", "[%1$s, %1$s]", 40) + " in {1: 2}" + ")".repeat(41),
                "{dyn(" + doubled("[1]", "[%1$s, %1$s]", 40) + ")".repeat(41) + "): 1} == {}",
                doubled("[1]", "[%1$s, %1$s]", 40) + " in [1, 2]" + ")".repeat(41),
                "dyn([" + doubled("[1]", "[%1$s, %1$s]", 40) + ")".repeat(41) + "]).join('') == ''",
                "lists.range(900000).distinct().size() > 0",
                "'%.2000000000f'.format([1.0]) == ''",
                "'%.99999999999999999999f'.format([1.0]) == ''",
                "'a'.matches('" + "a{1000}".repeat(1000) + "')",
                "'a'.matches('(' + 'x{1000}|y{1000}|'.replace('|', 'z{1000}').replace('z', 'x{1000}') + ')')",
                "'a'.matches(lists.range(9000).map(i, '(').join('') + lists.range(9000).map(i, ')').join(''))",
                "'a'.matches('(?i)\u1c80')",
                "'a'.matches('(?i:x|\\\\x{1C88})')",
                "'a'.matches('(?im)[B-\\\\x{10FFFF}]')",
                "'a'.matches('(?i)[\u0400-\uffff]')",
                "duration('" + "1s".repeat(5000) + "') > duration('1s')",
                "duration(lists.range(20000).map(i, '1s').join('')) > duration('1s')",
                "!format.named('dns1123Subdomain').value().validate(lists.range(30000).map(i, 'a.').join('')).hasValue()");
    }

    @ParameterizedTest
    @MethodSource("selectors")
    void hugeSelectorEndsWithAnErrorOrAnAnswer(String expression) {
        assertThat(expression.length()).isLessThan(10 * 1024);
        SelectorResult result = new Selectors().compile(expression).evaluate("gpu.example.com", DEVICE);
        assertThat(result)
                .isInstanceOfAny(SelectorResult.Error.class, SelectorResult.Match.class, SelectorResult.NoMatch.class);
        if (result instanceof SelectorResult.Error error) {
            assertThat(error.message()).doesNotContain("internal error");
        }
    }

    /** Ordinary expressions are not limited. */
    @ParameterizedTest
    @MethodSource("ordinary")
    void ordinarySelectorsMatch(String expression) {
        assertThat(new Selectors().compile(expression).evaluate("gpu.example.com", DEVICE))
                .isEqualTo(new SelectorResult.Match());
    }

    static Stream<String> ordinary() {
        return Stream.of(
                "lists.range(600).map(i, i * 2).distinct().size() == 600",
                "lists.range(5000).map(i, 'abc').join(',').size() == 19999",
                "lists.range(100).all(i, 'gpu-a100-sxm4-80gb'.matches('^gpu-[a-z0-9]{1,63}-sxm[0-9]-.*gb$'))",
                "'GPU-\u00c4 \u4e01'.matches('(?i)^gpu-[\u00e0-\u00fe] [\u4e00-\u9fa5]$')",
                "'1C80'.matches('(?i)^1c80$') && '\u1c80'.matches('[\u1c80-\u1c88]')",
                "'%.20f'.format([0.5]) == '0.50000000000000000000'",
                "'a-b-c'.replace('-', '+') == 'a+b+c'");
    }

    /** {@code cel.bind(v0, start, cel.bind(v1, step(v0), … vN}, without the closing parentheses. */
    private static String doubled(String start, String step, int times) {
        return "cel.bind(v0, " + start + ", "
                + IntStream.range(0, times)
                        .mapToObj(i -> "cel.bind(v" + (i + 1) + ", " + step.formatted("v" + i) + ", ")
                        .collect(Collectors.joining())
                + "v" + times;
    }
}
