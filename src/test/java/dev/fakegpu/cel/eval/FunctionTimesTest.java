package dev.fakegpu.cel.eval;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.UnsignedLong;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.fakegpu.cel.library.Callable;
import dev.fakegpu.cel.library.Functions;
import dev.fakegpu.cel.value.Cidr;
import dev.fakegpu.cel.value.Failure;
import dev.fakegpu.cel.value.IpAddress;
import dev.fakegpu.cel.value.OpaqueValue;
import dev.fakegpu.cel.value.Steps;
import dev.fakegpu.dra.Quantity;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every function of every library, with the arguments that are worst for it: what costs less than 10,000 units takes at most 10 ms of
 * processor time, once the code is compiled, and never an error that would end the thread.
 */
@Tag("long")
class FunctionTimesTest {

    private static final Logger LOG = Logger.getLogger(FunctionTimesTest.class);
    private static final long CHEAP = 10_000;
    private static final Duration LIMIT = Duration.ofMillis(10);
    private static final int RUNS = 5;

    /** Of one overload: not all combinations of three arguments, but the same at each run. */
    private static final int MOST_CALLS = 1_200;

    private static final int LONG = 90_000; // reading it costs 9,000 units

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Functions functions = new Functions();

    @Test
    void cheapCallsAreFast() {
        var slow = new ArrayList<String>();
        int calls = 0;
        int overloads = 0;
        for (Overload overload : overloads()) {
            overloads++;
            Callable function =
                    functions.find(overload.function(), overload.declaration().overloadId());
            if (function == null) {
                continue; // evaluated by a node of its own
            }
            for (Object[] arguments : arguments(overload.declaration())) {
                calls++;
                Optional<Duration> taken = time(overload, function, arguments);
                taken.filter(time -> time.compareTo(LIMIT) > 0)
                        .ifPresent(time -> slow.add(time.toMillis() + " ms: " + shown(overload, arguments)));
            }
        }
        LOG.infof("%d calls of %d overloads", calls, overloads);
        assertThat(overloads).isGreaterThan(150);
        assertThat(slow).isEmpty();
    }

    private record Overload(String function, CelOverloadDecl declaration) {}

    private List<Overload> overloads() {
        var result = new ArrayList<Overload>();
        Stream.concat(
                        functions.declarations(),
                        Stream.of(StandardFunction.values()).map(StandardFunction::functionDecl))
                .forEach(declaration -> declaration
                        .overloads()
                        .forEach(overload -> result.add(new Overload(declaration.name(), overload))));
        return result;
    }

    /** Empty if the call costs too much, or has arguments that would. */
    private static Optional<Duration> time(Overload overload, Callable function, Object[] arguments) {
        CallCost cost = CallCosts.of(overload.function(), overload.declaration().overloadId());
        long best = Long.MAX_VALUE;
        for (int run = 0; run < RUNS; run++) {
            Steps.begin();
            long begin = THREADS.getCurrentThreadCpuTime();
            long units;
            try {
                for (Object argument : arguments) {
                    if (argument instanceof String text) {
                        Steps.text(text.length());
                    }
                }
                Object result = function.call(arguments);
                units = cost.of(arguments, result);
            } catch (Failure | EvaluationAborted | StackOverflowError e) {
                units = 0; // ends the evaluation
            }
            best = Math.min(best, THREADS.getCurrentThreadCpuTime() - begin);
            if (units < 0 || units >= CHEAP) {
                return Optional.empty();
            }
            if (best < LIMIT.toNanos()) {
                break;
            }
        }
        return Optional.of(Duration.ofNanos(best));
    }

    private static List<Object[]> arguments(CelOverloadDecl overload) {
        List<Object[]> all = new ArrayList<>();
        all.add(new Object[0]);
        for (CelType type : overload.parameterTypes()) {
            var longer = new ArrayList<Object[]>();
            for (Object[] before : all) {
                for (Object value : values(type)) {
                    var now = new ArrayList<Object>(List.of(before));
                    now.add(value);
                    longer.add(now.toArray());
                }
            }
            Collections.shuffle(longer, new Random(longer.size()));
            all = longer.subList(0, Math.min(longer.size(), MOST_CALLS));
        }
        return all;
    }

    private static List<Object> values(CelType type) {
        return switch (type.kind()) {
            case INT -> List.of(0L, -1L, 7L, 100_000L, Long.MAX_VALUE, Long.MIN_VALUE);
            case UINT -> List.of(UnsignedLong.ZERO, UnsignedLong.MAX_VALUE);
            case DOUBLE -> List.of(0.0, Double.MIN_VALUE, Double.MAX_VALUE, -1e300, Double.NaN);
            case BOOL -> List.of(true, false);
            case STRING -> TEXTS;
            case BYTES -> List.of(bytes(""), bytes("a".repeat(LONG)), bytes("\u00ff".repeat(LONG / 2)));
            case DURATION -> List.of(Duration.ZERO, Duration.ofNanos(Long.MAX_VALUE), Duration.ofNanos(Long.MIN_VALUE));
            case TIMESTAMP ->
                List.of(Instant.EPOCH, Instant.parse("9999-12-31T23:59:59Z"), Instant.parse("0001-01-01T00:00:00Z"));
            case LIST -> LISTS;
            case MAP -> List.of(Map.of(), MAP);
            case OPAQUE -> OPAQUE;
            default -> MIXED;
        };
    }

    private static final List<Object> TEXTS = List.of(
            "",
            "a",
            "1e999999999",
            "9".repeat(1_000),
            "9".repeat(LONG),
            "a".repeat(LONG),
            "a".repeat(5_000) + "b",
            "\ud83d\ude00".repeat(LONG / 2),
            "(a*)*b",
            "(?:a.*b|a)",
            "((((((a{10}){10}){10}){10}){10}){10}){10}",
            "(a{1000}|b{1000}){1000}",
            "a{1000}".repeat(1_000),
            "\\pL".repeat(3_000),
            "(".repeat(10_000),
            "(".repeat(5_000) + ")".repeat(5_000),
            "(a?){0,1000}a{0,1000}",
            ".*".repeat(500),
            "%s".repeat(5_000),
            "%.999999999f%.99999999999999999999f",
            "%.1000f".repeat(1_000),
            "1s".repeat(5_000),
            "1h1m".repeat(20_000),
            "1.0.0-" + "a.".repeat(20_000) + "a",
            "1." + "0".repeat(LONG) + ".0",
            "a.".repeat(20_000) + "a",
            "https://" + "a".repeat(LONG) + ":99999/" + "%41".repeat(10_000),
            "::" + "1:".repeat(20_000),
            "10.0.0.0/" + "0".repeat(20_000) + "8",
            "2020-01-01T00:00:00." + "9".repeat(20_000) + "Z",
            "+" + "0".repeat(LONG),
            "." + "9".repeat(LONG) + "e-99999999",
            "0x1." + "f".repeat(20_000) + "p99999999");

    private static final Map<Object, Object> MAP = map();

    private static final List<Object> LISTS = List.of(
            List.of(),
            LongStream.range(0, 9_000).boxed().toList(),
            Collections.nCopies(9_000, 1.5),
            Collections.nCopies(1_000_000, "a"),
            Collections.nCopies(900, "a".repeat(LONG)),
            Collections.nCopies(60, "a".repeat(1_000_000)),
            Collections.nCopies(1_000_000, true),
            shared(60),
            List.of(shared(30), shared(30)),
            Collections.nCopies(1_000, MAP),
            Collections.nCopies(9_000, Duration.ofNanos(Long.MAX_VALUE)),
            Collections.nCopies(9_000, Instant.EPOCH),
            Collections.nCopies(9_000, CelByteString.of("a".repeat(10_000).getBytes(StandardCharsets.UTF_8))),
            Collections.nCopies(9_000, UnsignedLong.MAX_VALUE),
            List.of(Quantity.parse("1e999999999"), Quantity.parse("1")));

    private static final List<Object> MIXED = mixed();

    private static final List<Object> OPAQUE = MIXED.stream()
            .filter(value -> value instanceof Quantity || value instanceof Optional<?> || value instanceof OpaqueValue)
            .toList();

    /** Short to write, with as many leaves as two to the power of its depth. */
    private static Object shared(int depth) {
        Object list = List.of(1L);
        for (int i = 0; i < depth; i++) {
            list = List.of(list, list);
        }
        return list;
    }

    private static Map<Object, Object> map() {
        var map = new LinkedHashMap<Object, Object>();
        for (long i = 0; i < 5_000; i++) {
            map.put(i, "a".repeat(100));
        }
        return map;
    }

    private static List<Object> mixed() {
        var mixed = new ArrayList<Object>(List.of(
                1L,
                1.5,
                true,
                "a".repeat(LONG),
                shared(60),
                MAP,
                Collections.nCopies(1_000_000, "a"),
                Quantity.parse("1e999999999"),
                Quantity.parse("-1e-999999999"),
                Quantity.parse("9".repeat(900)),
                Optional.empty(),
                Optional.of(shared(60)),
                Optional.of("a".repeat(LONG))));
        var functions = new Functions();
        List.of(
                        "ip:::1",
                        "ip:10.0.0.1",
                        "cidr:10.0.0.0/8",
                        "cidr:::/0",
                        "url:https://a.example.com:80/x?y=z",
                        "semver:1.2.3-a")
                .forEach(text -> mixed.add(functions
                        .find(text.substring(0, text.indexOf(':')), "")
                        .call(new Object[] {text.substring(text.indexOf(':') + 1)})));
        assertThat(mixed).noneMatch(Failure.class::isInstance).hasAtLeastOneElementOfType(IpAddress.class);
        assertThat(mixed).hasAtLeastOneElementOfType(Cidr.class);
        return List.copyOf(mixed);
    }

    private static CelByteString bytes(String text) {
        return CelByteString.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String shown(Overload overload, Object[] arguments) {
        var text = new StringBuilder(overload.function())
                .append(' ')
                .append(overload.declaration().overloadId());
        for (Object argument : arguments) {
            text.append(" | ").append(shown(argument));
        }
        return text.toString();
    }

    private static String shown(Object argument) {
        if (argument instanceof List<?> list) {
            return "list of " + list.size()
                    + (list.isEmpty() || list.get(0) instanceof List<?> ? "" : " " + shown(list.get(0)));
        }
        if (argument instanceof Map<?, ?> map) {
            return "map of " + map.size();
        }
        if (argument instanceof Optional<?> optional) {
            return optional.isEmpty() ? "none" : "optional " + shown(optional.get());
        }
        String text = String.valueOf(argument);
        return text.substring(0, Math.min(40, text.length())) + " (" + text.length() + ")";
    }
}
