package dev.fakegpu.engine.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SelectorsTest {

    private final Selectors selectors = new Selectors();

    private static Device device(long index) {
        return new Device("d", Map.of("index", AttributeValue.of(index)), Map.of(), List.of(), List.of());
    }

    @Test
    void theSameTextIsCompiledOnce() {
        assertThat(selectors.compile("true")).isSameAs(selectors.compile("true"));
    }

    @Test
    void expressionsHaveALengthLimit() {
        String longest = "true" + " ".repeat(10 * 1024 - 4);

        assertThat(selectors.compile(longest).evaluate("d", device(0))).isEqualTo(new SelectorResult.Match());
        assertThat(selectors.compile(longest + " ").evaluate("d", device(0))).isInstanceOf(SelectorResult.Error.class);
    }

    @Test
    void errorsNameTheExpressionInShort() {
        String expression = "device.driver == '" + "x".repeat(500) + "' || device.nothing";

        assertThat(selectors.compile(expression).evaluate("d", device(0)))
                .isInstanceOfSatisfying(
                        SelectorResult.Error.class,
                        error -> assertThat(error.message())
                                .contains("selector \"device.driver == 'xxx")
                                .contains("undefined field 'nothing'")
                                .doesNotContain("x".repeat(300) + "' || device.nothing\":"));
    }

    @Test
    void oneSelectorServesSeveralThreads() throws Exception {
        Selector even = selectors.compile("device.attributes['gpu.example.com'].index % 2 == 0");
        List<Callable<Boolean>> tasks = IntStream.range(0, 2_000)
                .<Callable<Boolean>>mapToObj(i -> () ->
                        even.evaluate("gpu.example.com", device(i)) instanceof SelectorResult.Match == (i % 2 == 0))
                .toList();
        var threads = Executors.newFixedThreadPool(4);
        try {
            for (var right : threads.invokeAll(tasks)) {
                assertThat(right.get()).isTrue();
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void errorsSayWhatToDoAboutAMissingAttribute() {
        assertThat(selectors.compile("device.attributes['d'].nothing").evaluate("d", device(0)))
                .isInstanceOfSatisfying(
                        SelectorResult.Error.class,
                        error -> assertThat(error.message())
                                .contains("no attribute \"nothing\" of domain \"d\"")
                                .contains("has()"));
    }

    @Test
    void anUnknownKindOfValueFailsEveryExpression() {
        var device = new Device("d", Map.of("new", new AttributeValue.Unknown()), Map.of(), List.of(), List.of());
        Selector selector = selectors.compile("true");

        assertThat(selector.evaluate("d", device(0))).isEqualTo(new SelectorResult.Match());
        assertThat(selector.evaluate("d", device))
                .isInstanceOfSatisfying(
                        SelectorResult.Error.class,
                        error -> assertThat(error.message()).contains("attribute new: unsupported attribute value"));
    }

    @Test
    void resultsAreCachedByTheValuesThatTheExpressionReads() {
        Selector selector = selectors.compile("device.attributes['a'].index == 1");
        SelectorResult match = new SelectorResult.Match();
        SelectorResult noMatch = new SelectorResult.NoMatch();
        var qualified = new Device("d", Map.of("a/index", AttributeValue.of(2)), Map.of(), List.of(), List.of());

        assertThat(selector.evaluate("a", device(1))).isEqualTo(match);
        assertThat(selector.evaluate("a", device(2))).isEqualTo(noMatch);
        assertThat(selector.evaluate("b", device(1))).isInstanceOf(SelectorResult.Error.class);
        assertThat(selector.evaluate("b", qualified)).isEqualTo(noMatch);
        assertThat(selector.evaluate("a", device(1))).isEqualTo(match);
    }

    @Test
    void readValuesAreFoundThroughBindingsAndPresenceTests() {
        for (String expression : List.of(
                "cel.bind(a, device.attributes['d'], has(a.index) && a.index == 1)",
                "cel.bind(a, device.attributes, a['d'].?index.orValue(0) == 1)",
                "'index' in device.attributes['d'] && device.attributes[?'d'].?index.orValue(0) == 1",
                "device.attributes['d'].exists(id, id == 'index' && device.attributes['d'][id] == 1)",
                "[device].exists(x, x.attributes['d'].index == 1)",
                "device.attributes.all(d, v, v.index == 1)")) {
            Selector selector = selectors.compile(expression);

            assertThat(selector.evaluate("d", device(1))).as(expression).isEqualTo(new SelectorResult.Match());
            assertThat(selector.evaluate("d", device(2))).as(expression).isEqualTo(new SelectorResult.NoMatch());
        }
    }

    @Test
    void flagAndDriverAreReadValues() {
        var shared = new Device("d", Map.of(), Map.of(), List.of(), List.of(), true, null, Device.Binding.NONE);
        var exclusive = new Device("d", Map.of(), Map.of(), List.of(), List.of());
        Selector flag = selectors.compile("device.allowMultipleAllocations");
        Selector driver = selectors.compile("device.driver == 'a'");

        assertThat(flag.evaluate("a", shared)).isEqualTo(new SelectorResult.Match());
        assertThat(flag.evaluate("a", exclusive)).isEqualTo(new SelectorResult.NoMatch());
        assertThat(driver.evaluate("a", shared)).isEqualTo(new SelectorResult.Match());
        assertThat(driver.evaluate("b", shared)).isEqualTo(new SelectorResult.NoMatch());
    }

    @Test
    void moreDevicesThanResultsAreRemembered() {
        Selector selector = selectors.compile("device.attributes['d'].index == 600");

        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 1_000; i++) {
                assertThat(selector.evaluate("d", device(i)) instanceof SelectorResult.Match)
                        .isEqualTo(i == 600);
            }
        }
    }

    @Test
    void aDerivedAttributeThatDoesNotCompileSaysSoForEveryDevice() {
        DerivedAttribute attribute = selectors.compileDerivedAttribute("device.attributes");

        assertThat(attribute).isSameAs(selectors.compileDerivedAttribute("device.attributes"));
        assertThat(attribute.evaluate("d", device(0), InterruptCheck.NEVER))
                .isInstanceOfSatisfying(
                        DerivedAttributeResult.Error.class,
                        error -> assertThat(error.message())
                                .contains("CEL compile error in derived attribute \"device.attributes\"")
                                .contains("must evaluate to a primitive scalar"));
    }
}
