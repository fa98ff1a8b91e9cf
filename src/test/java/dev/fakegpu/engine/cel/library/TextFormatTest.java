package dev.fakegpu.engine.cel.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.IpAddress;
import dev.fakegpu.engine.cel.value.TypeName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples in the documentation of cel-go's {@code ext.Strings}, and results of version 2 of this library in cel-go v0.29. */
class TextFormatTest {

    static List<Arguments> examples() {
        return List.of(
                example(
                        "this is a string: %s\nand an integer: %d",
                        "this is a string: str\nand an integer: 42", "str", 42L),
                example("a double substituted with %%s: %s", "a double substituted with %s: 64.2", 64.2),
                example("string type: %s", "string type: string", new TypeName("string")),
                example("%s", "2023-02-03T23:31:20Z", Instant.parse("2023-02-03T23:31:20Z")),
                example("%s", "6347s", Duration.ofSeconds(6347)),
                example("%s", "null", NullValue.NULL_VALUE),
                example("%f", "3.140000", 3.14),
                example("%.2f", "1.23", 1.2345),
                example("%f", "1,234,567.500000", 1_234_567.5),
                example("%.1f", "0.2", 0.25),
                example("%f %f %f", "NaN ∞ -∞", "NaN", "Infinity", "-Infinity"),
                example("%e", "2.718280\u202f×\u202f10⁰⁰", 2.71828),
                example("%.6e", "1.052033\u202f×\u202f10⁰³", 1052.032911275),
                example("%e", "1.200000\u202f×\u202f10⁻⁰⁴", 0.00012),
                example("%e", "1.000000\u202f×\u202f10⁻³⁰⁰", 1e-300),
                example("5 in binary: %b", "5 in binary: 101", 5L),
                example("%b", "-101", -5L),
                example("true bool: %s, binary bool: %b", "true bool: true, binary bool: 1", true, true),
                example("26 in hex: %x", "26 in hex: 1a", 26L),
                example("26 in hex (uppercase): %X", "26 in hex (uppercase): 1A", 26L),
                example("%x", "6869", "hi"),
                example("%x", "0f", CelByteString.of(new byte[] {15})),
                example("30 in octal: %o", "30 in octal: 36", UnsignedLong.valueOf(30)));
    }

    private static Arguments example(String format, String expected, Object... arguments) {
        return Arguments.of(format, expected, List.of(arguments));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void formatsValues(String format, String expected, List<?> arguments) {
        assertThat(TextFormat.format(format, arguments)).isEqualTo(expected);
    }

    @Test
    void elementsAreWrittenAsLiterals() {
        var bytes = CelByteString.of("x".getBytes(StandardCharsets.UTF_8));
        var list = List.of(1L, "a \"b\"", 2.5, Map.of("b", bytes, "a", Duration.ofMinutes(1)));

        assertThat(TextFormat.format("%s", List.of(list)))
                .isEqualTo("[1, \"a \\\"b\\\"\", 2.500000, {\"a\":duration(\"60s\"), \"b\":b\"x\"}]");
    }

    @Test
    void aClauseFitsCertainTypes() {
        assertFails("%d", "decimal", "%d cannot be used on string");
        assertFails("%f", 1L, "%f cannot be used on int");
        assertFails("%e", "one", "%e cannot be used on string");
        assertFails("%b", 1.0, "%b cannot be used on double");
        assertFails("%o", true, "%o cannot be used on bool");
        assertFails("%x", 1.0, "%x cannot be used on double");
        assertFails("%s", IpAddress.parse("::1"), "%s cannot be used on net.IP");
    }

    @Test
    void aPercentSignBeginsAClause() {
        assertFails("%q", 1L, "unrecognized formatting clause \"q\"");
        assertFails("100%", 1L, "could not parse formatting clause");
        assertFails("%d %d", 1L, "index 1 out of range");
    }

    private static void assertFails(String format, Object argument, String message) {
        assertThatExceptionOfType(Failure.class)
                .isThrownBy(() -> TextFormat.format(format, List.of(argument)))
                .withMessage(message);
    }
}
