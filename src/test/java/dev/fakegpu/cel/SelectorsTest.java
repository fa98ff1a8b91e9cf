package dev.fakegpu.cel;

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
}
