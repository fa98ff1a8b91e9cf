package dev.fakegpu.dra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "100, 100",
        "1024Mi, 1Gi",
        "1023Mi, 1023Mi",
        "40960Mi, 40Gi",
        "1Ei, 1Ei",
        "0.5Gi, 512Mi",
        "1.5Ki, 1536",
        "1000, 1k",
        "1500, 1500",
        "1500m, 1500m",
        "2000m, 2",
        "0.1, 100m",
        "1e3, 1e3",
        "1E3, 1E3",
        "12e2, 1200",
        ".5, 500m",
        "+7, +7",
        "-3Gi, -3Gi",
        "100u, 100u",
        "0.0000000001, 1n"
    })
    void isSpelledAsTheApiServerDoes(String text, String canonical) {
        assertThat(Quantity.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1K", "1ki", "1 Gi", "abc", "1.2.3", "1e", "--1", "Gi", "0x10"})
    void refusesTextThatIsNotAQuantity(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.parse(text))
                .withMessageContaining("\"" + text + "\" is not a quantity");
    }

    @Test
    void equalsByValue() {
        assertThat(Quantity.parse("1024Mi"))
                .isEqualTo(Quantity.parse("1Gi"))
                .hasSameHashCodeAs(Quantity.parse("1Gi"))
                .isEqualTo(Quantity.parse("1073741824"));
    }

    @Test
    void isExactBeyondDoubles() {
        assertThat(Quantity.parse("1Ei").minus(Quantity.ONE).value()).isEqualTo(new BigDecimal("1152921504606846975"));
    }

    @Test
    void parsesItsOwnSpelling() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        String[] suffixes = {"", "m", "k", "M", "Ki", "Mi", "Gi", "Ti", "e3", "u"};
        for (int i = 0; i < 10_000; i++) {
            var text = random.nextInt(1_000_000) + suffixes[random.nextInt(suffixes.length)];
            var quantity = Quantity.parse(text);
            assertThat(Quantity.parse(quantity.toString()))
                    .as("seed %s, %s", seed, text)
                    .isEqualTo(quantity);
        }
    }

    /** The results of {@code resource.ParseQuantity} and {@code String} of v0.37.1 for each line. */
    @ParameterizedTest
    @CsvSource({
        "1.500, 1.500",
        "1.5, 1500m",
        "0.5, 500m",
        "+100Ki, +100Ki",
        "+1024Ki, 1Mi",
        "070n, 070n",
        "7000n, 7u",
        "1E3, 1E3",
        "1000E3, 1e6",
        "0.5Gi, 512Mi",
        "0.1n, 1n",
        "8Ei, 9223372036854775807",
        "-8Ei, -9223372036854775807",
        "9223372036854775808, 9223372036854775808"
    })
    void spellsAsUpstream(String written, String expected) {
        assertThat(Quantity.parse(written)).hasToString(expected);
    }

    /** v0.37.1 writes 1 here; with an exponent, the value is kept. */
    @Test
    void largestNumbersKeepTheirValue() {
        assertThat(Quantity.parse("1000E")).hasToString("1e21");
    }

    @Test
    void sumsKeepTheFormatOfTheFirstThatIsNotZero() {
        assertThat(Quantity.parse("512Mi").plus(Quantity.parse("536870912"))).hasToString("1Gi");
        assertThat(Quantity.ZERO.plus(Quantity.parse("1Gi"))).hasToString("1Gi");
        assertThat(Quantity.parse("0Gi").minus(Quantity.parse("1G"))).hasToString("-1G");
    }

    /** The examples in the documentation of {@code resource.Quantity}. */
    @Test
    void theCanonicalFormHasNoFractionAndTheLargestSuffix() {
        assertThat(Quantity.parse("1.5")).hasToString("1500m");
        assertThat(Quantity.parse("1.5Gi")).hasToString("1536Mi");
    }

    /** "No fractional digits will be emitted", "numbers larger or more precise will be capped or rounded up". */
    @Test
    void fractionsSmallerThanANanoRoundUp() {
        assertThat(Quantity.parse("0.0000000011").value()).isEqualTo(new BigDecimal("2E-9"));
        assertThat(Quantity.parse("-0.0000000011").value()).isEqualTo(new BigDecimal("-2E-9"));
    }

    @Test
    void isOrderedByValue() {
        assertThat(Quantity.parse("1Gi")).isGreaterThan(Quantity.parse("1G")).isLessThan(Quantity.parse("1.1G"));
        assertThat(Quantity.parse("1Gi").max(Quantity.parse("1G"))).hasToString("1Gi");
        assertThat(Quantity.parse("1k").max(Quantity.parse("1Ki"))).hasToString("1Ki");
        assertThat(Quantity.parse("-1m").signum()).isNegative();
        assertThat(Quantity.parse("0Gi").signum()).isZero();
    }

    @Test
    void arithmeticIsExactAndKeepsTheFormat() {
        assertThat(Quantity.parse("1Gi").minus(Quantity.parse("1Mi"))).hasToString("1023Mi");
        assertThat(Quantity.parse("0.1").plus(Quantity.parse("0.2"))).isEqualTo(Quantity.parse("300m"));
        assertThat(Quantity.parse("10Gi").times(4)).hasToString("40Gi");
        assertThat(Quantity.parse("10Gi").withValue(new BigDecimal(2048))).hasToString("2Ki");
        assertThat(Quantity.ofMebibytes(81920)).hasToString("80Gi");
    }
}
