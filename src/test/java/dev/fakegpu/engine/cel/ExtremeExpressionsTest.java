package dev.fakegpu.engine.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.cel.eval.EvaluationTimes;
import dev.fakegpu.engine.cel.eval.Program;
import dev.fakegpu.engine.cel.value.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Expressions with many parts: macros in loops, deep nesting, long chains, and calculations with extreme attributes. An evaluation for
 * 10,000 cost units takes at most 10 ms of processor time, and a compilation takes at most ten times as long.
 */
class ExtremeExpressionsTest {

    private static final Logger LOG = Logger.getLogger(ExtremeExpressionsTest.class);
    private static final int LONGEST = 10 * 1024;
    private static final long SEED = Long.getLong("times.seed", 1);
    private static final int SOME = 6;
    private static final long TEN_TIMES = 10 * EvaluationTimes.CHEAP;

    /** Some loops exceed the cost limit. */
    private static final String LOOP = "lists.range(2400)";

    private static final Device DEVICE = new Device(
            "device-0",
            IntStream.range(0, 1_000)
                    .boxed()
                    .collect(Collectors.toMap(
                            i -> "a" + i, i -> AttributeValue.of((i % 2 == 0 ? "9" : "x").repeat(20_000)))),
            Map.of(
                    "huge", new DeviceCapacity(Quantity.parse("1e999999999"), null),
                    "tiny", new DeviceCapacity(Quantity.parse("1e-999999999"), null)),
            List.of(),
            List.of(),
            false,
            null,
            Device.Binding.NONE);

    private final Environment environment = new Environment(SelectorFeatures.ALL);

    static Stream<String> expressions() {
        return Stream.of(loops(), attributes(), deep(), wide()).flatMap(each -> each);
    }

    private static Stream<String> loops() {
        return Stream.of(
                LOOP + ".all(i, i >= 0 || i < 5)",
                LOOP + ".exists(i, i < 0 && i > 5)",
                LOOP + ".all(i, i < 0 ? i == 1 : (i < 0 ? i == 2 : (i < 0 ? i == 3 : i >= 0)))",
                LOOP + ".exists_one(i, i == 7)",
                LOOP + ".map(i, i > 5, [i, i]).size() > 0",
                LOOP + ".filter(i, optional.of(i).optMap(x, x + 1).orValue(0) < 0).size() == 0",
                LOOP + ".transformMap(i, v, v).size() > 0",
                LOOP + ".transformList(i, v, i < 0, v).size() == 0",
                LOOP + ".sortBy(i, -i)[0] >= 0",
                LOOP + ".all(i, lists.range(i).size() >= 0)",
                LOOP + ".all(i, duration('1h') > duration('1s') || timestamp('2020-01-01T00:00:00Z') > timestamp(i))",
                "lists.range(40).all(a, lists.range(40).all(b, lists.range(40).all(c, a + b + c >= 0)))",
                LOOP + ".map(i, {'a': i}).all(m, 'a' in m && has(m.a) && m.?b.orValue(1) == 1)",
                LOOP + ".all(i, string(double(i) / 3.0) != '')",
                LOOP + ".all(i, dyn(i) == 4.9e-324 || dyn(i) < 1e308)",
                LOOP + ".all(i, !(4.9e-324 in {1: 1}))");
    }

    private static Stream<String> attributes() {
        String domain = "device.attributes['gpu.example.com']";
        return Stream.of(
                domain + ".all(name, name != '')",
                domain + ".exists(name, " + domain + "[name].matches('(x*)*y'))",
                domain + ".all(name, isQuantity(" + domain + "[name]))",
                domain + ".all(name, isSemver(" + domain + "[name], true) || isURL(" + domain + "[name]))",
                domain + ".exists(name, int(" + domain + "[name]) == 1)",
                domain + ".exists(name, double(" + domain + "[name]) == 1.0)",
                domain + ".exists(name, duration(" + domain + "[name]) == duration('1s'))",
                domain + ".exists(name, timestamp(" + domain + "[name]) == timestamp(0))",
                domain + ".exists(name, " + domain + "['none' + name] == 'x')",
                domain + ".map(name, " + domain + "[name]).sort()[0] != ''",
                domain + ".map(name, " + domain + "[name]).distinct().size() == 2",
                LOOP + ".all(i, device.capacity['gpu.example.com'].huge.isGreaterThan(quantity('1')))",
                LOOP + ".all(i, device.capacity['gpu.example.com'].huge.add("
                        + "device.capacity['gpu.example.com'].tiny).compareTo(quantity('9e999999')) == 1)");
    }

    private static Stream<String> deep() {
        return Stream.of(
                "(".repeat(5_000) + "true" + ")".repeat(5_000),
                "[".repeat(200) + "1" + "]".repeat(200) + " == []",
                "!".repeat(9_000) + "true",
                "-".repeat(9_000) + "1 == 1",
                "optional.of(1)" + ".optMap(x, x)".repeat(10) + ".hasValue()",
                "optional.of(1)" + ".optMap(x, x)".repeat(30) + ".hasValue()",
                "optional.of(1)" + ".optMap(x, x)".repeat(600) + ".hasValue()",
                "optional.of(1)" + ".optFlatMap(x, optional.of(x))".repeat(25) + ".hasValue()",
                "optional.of(1)" + ".optMap(x, optional.of(x)".repeat(25) + ")".repeat(25) + ".hasValue()",
                "[[1]].all(a, ".repeat(60) + "true" + ")".repeat(60),
                "cel.bind(a, 1, ".repeat(200) + "a == 1" + ")".repeat(200),
                "[3, 1]" + ".sortBy(x, -x)".repeat(60) + ".size() == 2",
                "[1]" + ".map(x, x)".repeat(200) + ".size() == 1",
                "true ? ".repeat(400) + "true" + " : false".repeat(400));
    }

    private static Stream<String> wide() {
        return Stream.of(
                "true" + " && true".repeat(1_200),
                "false" + " || false".repeat(1_000),
                "1" + " + 1".repeat(2_500) + " > 0",
                "[" + "1, ".repeat(3_000) + "1].size() > 0",
                "1 in [" + "1, ".repeat(3_000) + "1]",
                "cel.bind(a, optional.none(), [" + "?a,".repeat(3_300) + "?a].size() == 0)",
                "{" + ints("%1$d: %1$d", 700) + "}.size() > 0",
                "[" + ints("[%d]", 1_000) + "].flatten().size() == 1000",
                "'a'.matches('" + "(?i)[B-\\\\x{10FFFF}]".repeat(500) + "')",
                "'a'.matches('(?i)" + "\\\\pL".repeat(900) + "')",
                "duration('" + "1s".repeat(5_000) + "') > duration('1s')",
                "int('" + "9".repeat(10_000) + "') > 1",
                "double('" + "9".repeat(10_000) + "x') > 1.0",
                "duration('" + "9".repeat(10_000) + "x') > duration('1s')",
                "'" + "%s".repeat(2_000) + "'.format([" + "1, ".repeat(1_999) + "1]) != ''");
    }

    private static String ints(String pattern, int number) {
        return IntStream.range(0, number).mapToObj(pattern::formatted).collect(Collectors.joining(", "));
    }

    @Test
    void someExpressionsTakeNoLongerThanTheyCost() {
        List<String> some = expressions().collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(some, new Random(SEED));
        measure(some.subList(0, SOME));
    }

    @Test
    @Tag("long")
    void allExpressionsTakeNoLongerThanTheyCost() {
        assertThat(measure(expressions().toList())).as("others do not compile").isGreaterThan(45);
    }

    /** Returns how many expressions compile. */
    private int measure(List<String> expressions) {
        try (var compilations = new EvaluationTimes();
                var evaluations = new EvaluationTimes()) {
            expressions.forEach(text -> {
                assertThat(text.length()).isLessThan(LONGEST);
                String name = text.length() < 100 ? text : text.substring(0, 100) + "...";
                compilations.add(name, () -> new Program.Outcome(compiled(text), TEN_TIMES));
                if (compiled(text) instanceof Expression expression) {
                    evaluations.add(
                            name,
                            () -> expression
                                    .program()
                                    .evaluate(
                                            new DeviceVariable("gpu.example.com", DEVICE),
                                            EvaluationTimes.CHEAP,
                                            () -> {}));
                }
            });
            LOG.infof("%d compiled; the slowest:%s", compilations.number(), compilations.worst());
            LOG.infof("%d evaluated; the slowest:%s", evaluations.number(), evaluations.worst());
            assertThat(compilations.slow()).isEmpty();
            assertThat(evaluations.slow()).isEmpty();
            return evaluations.number();
        }
    }

    /** Returns an {@link Expression}, or an error message. */
    private Object compiled(String text) {
        try {
            return environment.compile(text);
        } catch (Failure | StackOverflowError e) {
            return String.valueOf(e.getMessage());
        }
    }
}
