package dev.fakegpu.engine.allocate;

import static dev.fakegpu.engine.allocate.Hardware.NODE;
import static dev.fakegpu.engine.allocate.Hardware.claim;
import static dev.fakegpu.engine.allocate.Hardware.options;
import static dev.fakegpu.engine.allocate.Hardware.pool;
import static dev.fakegpu.engine.allocate.Hardware.request;
import static dev.fakegpu.engine.allocate.Hardware.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.cel.eval.EvaluationTimes;
import dev.fakegpu.engine.cel.eval.Program;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Attempts with 64 devices whose attributes and capacities are extreme: each ends with an answer, or with an exceeded limit that it names.
 * The clock advances by a millisecond at each reading, so the limit is the same number of checks on any machine.
 */
class ExtremeSelectorsTest {

    private static final int DEVICES = 64;
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final String ATTRIBUTES = "device.attributes['gpu.example.com']";
    private static final String CAPACITY = "device.capacity['gpu.example.com']";

    private static final List<String> ANSWERED = List.of(
            ATTRIBUTES + ".digits.matches('^[0-9]+$')",
            ATTRIBUTES + ".version.isGreaterThan(semver('1.0.0'))",
            ATTRIBUTES + ".versions.exists(v, v.major() == 1)",
            ATTRIBUTES + ".number > -1e308 && " + ATTRIBUTES + ".number < -4.9e-324",
            CAPACITY + ".huge.isGreaterThan(quantity('9e999999998'))",
            CAPACITY + ".digits.add(" + CAPACITY + ".digits).isGreaterThan(" + CAPACITY + ".digits)",
            CAPACITY + ".huge.add(" + CAPACITY + ".tiny).compareTo(" + CAPACITY + ".huge) == 1");

    private static final List<String> ANY_END = List.of(
            "int(" + ATTRIBUTES + ".digits) > 0",
            "double(" + ATTRIBUTES + ".notDigits) > 0.0",
            "duration(" + ATTRIBUTES + ".notDigits) > duration('1s')",
            "quantity(" + ATTRIBUTES + ".digits).isInteger()",
            "semver(" + ATTRIBUTES + ".dotted, true).major() == 1",
            "isURL(" + ATTRIBUTES + ".escaped) && url(" + ATTRIBUTES + ".escaped).getEscapedPath() != ''",
            ATTRIBUTES + ".notDigits.matches('(9*)*y')",
            ATTRIBUTES + ".notDigits.matches('(?i)[B-\\\\x{10FFFF}]+')",
            ATTRIBUTES + ".dotted.split('.').map(part, int(part)).sort().distinct().size() > 0",
            ATTRIBUTES + ".digits.replace('9', " + ATTRIBUTES + ".digits) != ''",
            "lists.range(300).all(a, lists.range(300).all(b, " + ATTRIBUTES + ".digits != 'x' || a < b))");

    private static final Device[] HARDWARE =
            IntStream.range(0, DEVICES).mapToObj(ExtremeSelectorsTest::extreme).toArray(Device[]::new);

    private static Device extreme(int number) {
        AttributeValue version =
                new AttributeValue.VersionValue("1." + number + ".18446744073709551615-" + "9.".repeat(400) + "a");
        Map<String, AttributeValue> attributes = Map.of(
                "digits", AttributeValue.of("9".repeat(9_000 + number)),
                "notDigits", AttributeValue.of("9".repeat(9_000 + number) + "x"),
                "dotted", AttributeValue.of("1." + number + ".0" + ".1".repeat(2_000)),
                "escaped", AttributeValue.of("/" + "%c3%a9".repeat(1_000 + number)),
                "number", AttributeValue.of(Long.MIN_VALUE + number),
                "version", version,
                "versions", new AttributeValue.ListValue(AttributeValue.Kind.VERSION, List.of(version, version)));
        Map<String, DeviceCapacity> capacity = Map.of(
                "huge", new DeviceCapacity(Quantity.parse("1" + number + "e999999998"), null),
                "tiny", new DeviceCapacity(Quantity.parse("1e-999999999"), null),
                "digits", new DeviceCapacity(Quantity.parse("9".repeat(900 + number)), null));
        return new Device("d" + number, attributes, capacity, List.of(), List.of(), false, null, Device.Binding.NONE);
    }

    @Test
    void anAttemptEndsWithAnAnswerOrNamesTheLimit() {
        try (var times = new EvaluationTimes()) {
            ANSWERED.forEach(selector -> measure(selector, times, true));
            ANY_END.forEach(selector -> measure(selector, times, false));
            assertThat(times.slow()).isEmpty();
        }
    }

    /** Limits the time to that of 64 evaluations of 10,000 cost units. */
    private static void measure(String selector, EvaluationTimes times, boolean isAllocated) {
        times.add(selector, () -> {
            Outcome outcome = attempt(selector);
            if (outcome instanceof Outcome.Failed failed) {
                assertThat(failed.message())
                        .containsPattern("CEL (runtime|compile) error")
                        .doesNotContain("internal error");
            } else if (outcome instanceof Outcome.Aborted aborted) {
                assertThat(aborted.message()).startsWith("timed out after PT1S, while the selectors");
            }
            if (isAllocated) {
                assertThat(outcome).as(selector).isInstanceOf(Outcome.Allocated.class);
            }
            return new Program.Outcome(outcome, DEVICES * EvaluationTimes.CHEAP);
        });
    }

    private static Outcome attempt(String selector) {
        var allocator = new Allocator(AllocationContext.of(
                state(pool(List.of(), HARDWARE)), new Selectors(), options(GroupsGate.ON, GroupPolicy.SNAPSHOT)));
        var millis = new AtomicLong();
        var limit = SearchLimit.of(
                LIMIT, () -> Duration.ofMillis(millis.getAndIncrement()).toNanos());
        var claims = List.of(
                claim("c0", request("r", selector, DEVICES / 2)), claim("c1", request("r", selector, DEVICES / 2)));
        return allocator.allocate(NODE, claims, limit);
    }
}
