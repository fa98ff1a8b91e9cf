package dev.fakegpu.engine.cel.eval;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.cel.library.Functions;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.OpaqueValue;
import dev.fakegpu.engine.cel.value.QuantityType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Values that are hard for functions: long, deep, at the limits of their types, or slow to parse. */
final class ExtremeValues {

    private static final int LONG = 90_000; // parsing it costs 9,000 units
    private static final int SHORT = 100; // parsing it takes no steps
    private static final int SHOWN = 40;
    private static final String FACE = "\ud83d\ude00";

    private static final List<Object> TEXTS = List.of(
            "",
            "a",
            "true",
            "%41".repeat(2_000),
            "9".repeat(SHORT),
            "9".repeat(LONG),
            "9".repeat(LONG) + "x",
            "0".repeat(LONG) + "1",
            "a".repeat(LONG),
            "a".repeat(5_000) + "b",
            FACE.repeat(LONG / 2),
            "\"\\\n".repeat(LONG / 3),
            " ".repeat(LONG),
            "a,".repeat(5_000),
            "1e999999999",
            "4.9e-324",
            "0x1." + "f".repeat(20_000) + "p99999999",
            "." + "9".repeat(LONG) + "e-99999999",
            "+" + "0".repeat(LONG),
            "1s".repeat(5_000),
            "1h1m".repeat(20_000),
            ".9".repeat(1_000) + "s",
            "9".repeat(20_000) + "s",
            "2020-13-01T00:00:00Z",
            "2020-01-01T00:00:00.123456789+23:59",
            "2020-01-01T00:00:00." + "9".repeat(20_000) + "Z",
            "America/Argentina/ComodRivadavia",
            "Nowhere/" + "x".repeat(5_000),
            "99:99",
            "1.0.0-" + "a.".repeat(20_000) + "a",
            "1.0.0-" + "9".repeat(20_000),
            "1." + "9".repeat(20_000) + ".0",
            "v1." + "0".repeat(20_000),
            "https://" + "a".repeat(LONG) + ":99999/" + "%41".repeat(10_000),
            "/" + "\u00e9".repeat(5_000) + "?" + "a=b&".repeat(5_000) + "#" + "%41".repeat(1_000),
            "1:".repeat(20_000) + ":",
            "2001:db8:1:2:3:4:5:6",
            "1.".repeat(20_000) + "1",
            "10.0.0.0/" + "0".repeat(20_000) + "8",
            "a.".repeat(20_000) + "a",
            "(a*)*b",
            "(?:a.*b|a)",
            ".*".repeat(500) + "b",
            "a{1000}".repeat(20),
            "(a?){0,1000}a{0,1000}",
            "(a{1000}|b{1000}){1000}",
            "\\pL".repeat(900),
            "(?i)" + "[B-\\x{10FFFF}]".repeat(600),
            "(?i)[" + "B-\\x{10FFFE}".repeat(600) + "]",
            "(?i)" + "[\u4e00-\u9fa5]".repeat(4),
            "(?i)" + "\\pL".repeat(900),
            "(?i)" + "\\PL\\pN".repeat(400),
            "[" + "\\pL".repeat(3_000) + "]",
            "(".repeat(10_000),
            "(".repeat(900) + ")".repeat(900),
            "%s".repeat(5_000),
            "%f".repeat(5_000),
            "%e".repeat(5_000),
            "%.1000f".repeat(1_000),
            "%.99999999999999999999f");

    private static final Map<Object, Object> NUMBERED = numbered();

    /** Lists for formatting and sorting. */
    private static final List<Object> LISTS = Stream.<Object>of(
                    List.of(),
                    LongStream.range(0, 9_000).boxed().toList(),
                    LongStream.range(0, 9_000).map(i -> -i).boxed().toList(),
                    Collections.nCopies(9_000, Double.MAX_VALUE),
                    Collections.nCopies(9_000, Double.MIN_VALUE),
                    Collections.nCopies(70, 2.225073858507201e-308),
                    Collections.nCopies(9_000, true),
                    Collections.nCopies(9_000, "a"),
                    Collections.nCopies(9_000, FACE.repeat(4)),
                    Collections.nCopies(90, "a".repeat(SHORT)),
                    Collections.nCopies(90, "a".repeat(LONG)),
                    Collections.nCopies(9_000, bytes("a".repeat(10_000))),
                    Collections.nCopies(9_000, Duration.ofNanos(Long.MAX_VALUE)),
                    Collections.nCopies(9_000, Instant.EPOCH),
                    Collections.nCopies(9_000, UnsignedLong.MAX_VALUE),
                    Collections.nCopies(9_000, Optional.of(1L)),
                    Collections.nCopies(90, NUMBERED),
                    Collections.nCopies(1_000_000, "a"),
                    shared(60),
                    List.of(shared(30), shared(30)),
                    List.of(Quantity.parse("1e999999999"), Quantity.parse("1")))
            .toList();

    private static final List<Object> OPAQUE = opaque();
    private static final List<Object> MIXED = mixed();

    private ExtremeValues() {}

    static List<Object> of(CelType type) {
        return switch (type.kind()) {
            case INT -> List.of(0L, -1L, 7L, 4_000L, 90_000L, Long.MAX_VALUE, Long.MIN_VALUE);
            case UINT -> List.of(UnsignedLong.ZERO, UnsignedLong.ONE, UnsignedLong.MAX_VALUE);
            case DOUBLE ->
                List.of(
                        0.0,
                        -0.0,
                        0.1,
                        Double.MIN_VALUE,
                        2.225073858507201e-308,
                        Double.MAX_VALUE,
                        -1e300,
                        Double.NaN,
                        Double.POSITIVE_INFINITY);
            case BOOL -> List.of(true, false);
            case STRING -> TEXTS;
            case BYTES -> List.of(bytes(""), bytes("a".repeat(LONG)), bytes("\u00ff".repeat(LONG / 2)));
            case DURATION -> List.of(Duration.ZERO, Duration.ofNanos(Long.MAX_VALUE), Duration.ofNanos(Long.MIN_VALUE));
            case TIMESTAMP ->
                List.of(Instant.EPOCH, Instant.parse("9999-12-31T23:59:59Z"), Instant.parse("0001-01-01T00:00:00Z"));
            case LIST -> LISTS;
            case MAP -> List.of(Map.of(), NUMBERED, Map.of(1L, shared(60)));
            case OPAQUE ->
                OPAQUE.stream()
                        .filter(value -> nameOfType(value).equals(type.name()))
                        .toList();
            default -> MIXED;
        };
    }

    private static String nameOfType(Object value) {
        if (value instanceof OpaqueValue opaque) {
            return opaque.type().name();
        }
        return value instanceof Quantity ? QuantityType.TYPE.name() : "optional_type";
    }

    private static CelByteString bytes(String text) {
        return CelByteString.of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A short value, with 2 to the power of its depth leaves. */
    private static List<Object> shared(int depth) {
        List<Object> list = List.of(1L);
        for (int i = 0; i < depth; i++) {
            list = List.of(list, list);
        }
        return list;
    }

    private static Map<Object, Object> numbered() {
        var map = new LinkedHashMap<Object, Object>();
        for (long i = 0; i < 5_000; i++) {
            map.put(i, "a".repeat(SHORT));
        }
        return Collections.unmodifiableMap(map);
    }

    private static List<Object> opaque() {
        var opaque = new ArrayList<Object>(List.of(
                Quantity.parse("1e999999999"),
                Quantity.parse("-1e-999999999"),
                Quantity.parse("9".repeat(1_000)),
                Quantity.parse("9".repeat(990) + "." + "9".repeat(9)),
                Quantity.parse("8Ei"),
                Optional.empty(),
                Optional.of(shared(60)),
                Optional.of("a".repeat(LONG)),
                Optional.of(Collections.nCopies(9_000, 1L))));
        opaque.add(made("ip", "::1"));
        opaque.add(made("ip", "10.0.0.1"));
        opaque.add(made("cidr", "10.0.0.0/8"));
        opaque.add(made("cidr", "2001:db8::/127"));
        opaque.add(made("url", "https://a.example.com:80/x?y=z"));
        opaque.add(made("url", "https://" + "a".repeat(10_000) + ":8" + "0".repeat(10_000)));
        opaque.add(made("url", "/" + "\u00e9".repeat(20_000)));
        opaque.add(made("url", "/?" + "a=%41+b&".repeat(5_000)));
        opaque.add(made("semver", "1.2.3-a"));
        opaque.add(made("semver", "1.2.3-" + "a.".repeat(900) + "a"));
        opaque.add(made("semver", "1.2.3-" + "a.".repeat(900) + "b"));
        opaque.add(made("semver", "1.2.3-" + "9.".repeat(900) + "8"));
        opaque.add(made("semver", "1.2.3-" + "9".repeat(20_000)));
        opaque.add(((Optional<?>) made("format.named", "uri")).orElseThrow());
        opaque.add(((Optional<?>) made("format.named", "dns1123Subdomain")).orElseThrow());
        opaque.add(((Optional<?>) made("format.named", "datetime")).orElseThrow());
        return List.copyOf(opaque);
    }

    /** The result of a function for a text. */
    private static Object made(String function, String text) {
        Object made = new Functions().find(function, "").call(new Object[] {text});
        if (made instanceof Failure failure) {
            throw new AssertionError(failure.getMessage());
        }
        return made;
    }

    private static List<Object> mixed() {
        var mixed = new ArrayList<Object>(OPAQUE);
        mixed.addAll(List.of(1L, Long.MIN_VALUE, 1.5, Double.MIN_VALUE, Double.NaN, true));
        mixed.addAll(List.of("a".repeat(LONG), bytes("a".repeat(LONG)), Instant.EPOCH, UnsignedLong.MAX_VALUE));
        mixed.addAll(LISTS);
        mixed.add(NUMBERED);
        return List.copyOf(mixed);
    }

    /** A short text about the value, which may be too large for a full one because of shared parts. */
    static String shown(Object value) {
        if (value instanceof List<?> list) {
            boolean ofLists = !list.isEmpty() && list.get(0) instanceof List<?>;
            return "list of " + list.size() + (list.isEmpty() ? "" : " " + (ofLists ? "lists" : shown(list.get(0))));
        }
        if (value instanceof Map<?, ?> map) {
            return "map of " + map.size();
        }
        if (value instanceof Optional<?> optional) {
            return optional.isEmpty() ? "none" : "optional " + shown(optional.get());
        }
        String text = String.valueOf(value);
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "... (" + text.length() + ")";
    }
}
