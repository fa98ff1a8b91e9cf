package dev.fakegpu.dra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests quantities with extreme exponents and many digits. */
@Timeout(30)
class QuantityBoundsTest {

    private static final List<Long> EXPONENTS = List.of(
            0L,
            1L,
            3L,
            17L,
            18L,
            19L,
            99L,
            400L,
            1000L,
            100_000L,
            9_000_000L,
            999_999_999L,
            1_999_999_000L,
            -1L,
            -8L,
            -9L,
            -10L,
            -1000L,
            -9_000_000L,
            -999_999_999L,
            -1_999_999_000L);
    private static final BigInteger TEN = BigInteger.TEN;

    /** The expected value of a number: {@code mantissa * 10^exponent}, rounded away from zero to nanos. */
    private record Number(long mantissa, long exponent) {

        static Number random(Random random) {
            long mantissa = random.nextInt(5) == 0 ? random.nextInt(3) - 1 : random.nextInt(2_000_001) - 1_000_000;
            return new Number(mantissa, EXPONENTS.get(random.nextInt(EXPONENTS.size())));
        }

        Quantity quantity() {
            return Quantity.parse(mantissa + "e" + exponent);
        }

        boolean isTiny() {
            return mantissa != 0 && String.valueOf(Math.abs(mantissa)).length() + exponent <= -9;
        }

        /** The value in nanos. Numbers above 10^1000 keep their order, but not their distance. */
        BigInteger nanos() {
            if (isTiny()) {
                return BigInteger.valueOf(Long.signum(mantissa));
            }
            int place = EXPONENTS.stream()
                    .filter(each -> each >= 0 && each <= exponent)
                    .toList()
                    .size();
            long shift = exponent > 1000 ? 1000L + 30L * place : exponent;
            return new BigDecimal(mantissa)
                    .scaleByPowerOfTen((int) shift + 9)
                    .setScale(0, RoundingMode.UP)
                    .toBigInteger();
        }
    }

    @Test
    void comparesAndAddsAnyExponents() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            var a = Number.random(random);
            var b = Number.random(random);
            String message = "seed " + seed + ": " + a + ", " + b;
            Quantity left = a.quantity();
            Quantity right = b.quantity();

            assertThat(left.compareTo(right)).as(message).isEqualTo(a.nanos().compareTo(b.nanos()));
            assertThat(left.equals(right)).as(message).isEqualTo(a.nanos().equals(b.nanos()));
            assertThat(left.signum()).as(message).isEqualTo(Long.signum(a.mantissa()));
            assertThat(left.max(right)).as(message).isEqualTo(left.compareTo(right) >= 0 ? left : right);
            Quantity sum = left.plus(right);
            assertThat(sum).as(message).isEqualTo(right.plus(left));
            assertThat(sum.compareTo(left)).as(message).isEqualTo(right.signum());
            assertThat(sum.signum())
                    .as(message)
                    .isEqualTo(a.nanos().add(b.nanos()).signum());
            assertThat(left.minus(right).compareTo(left)).as(message).isEqualTo(-right.signum());
            assertThat(left.minus(right).signum()).as(message).isEqualTo(left.compareTo(right));
            if (a.exponent() <= 400 && b.exponent() <= 400) {
                assertThat(sum.value().movePointRight(9).toBigIntegerExact())
                        .as(message)
                        .isEqualTo(a.nanos().add(b.nanos()));
            }
            assertThat(Quantity.parse(left.toString())).as(message).isEqualTo(left);
            assertThat(sum.toString()).as(message).hasSizeLessThan(1100);
            assertThat(sum.times(3).compareTo(sum)).as(message).isEqualTo(sum.signum());
            assertThat(sum.value().abs()).as(message).isLessThanOrEqualTo(new BigDecimal(TEN.pow(1000)));
            assertThat(sum.hashCode()).isEqualTo(left.plus(right).hashCode());
        }
    }

    /** {@code resource.ParseQuantity} of v0.37.1 does the same: it uses the lower 32 bits of an exponent. */
    @ParameterizedTest
    @CsvSource({
        "1e4294967296, 1",
        "1e4294967297, 10",
        "1e-4294967295, 10",
        "1e-100, 1n",
        "-1e-999999999, -1n",
        "0e999999999, 0"
    })
    void exponentsAreReadAsUpstreamDoes(String text, String number) {
        assertThat(Quantity.parse(text)).isEqualTo(Quantity.parse(number));
    }

    @Test
    void exponentsBeyond64BitsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.parse("1e99999999999999999999"))
                .withMessageContaining("is not a quantity");
    }

    @Test
    void refusalQuotesTheBeginningOfTheText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.parse("x".repeat(1_000_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    }

    @Test
    void binaryNumbersStayPrintableBesideHugeOnes() {
        Quantity sum = Quantity.parse("1Gi").plus(Quantity.parse("1e9000000"));

        assertThat(sum.toString()).hasSizeLessThan(1100);
        assertThat(sum).isGreaterThan(Quantity.parse("1e9000000")).isLessThan(Quantity.parse("2e9000000"));
    }

    @ParameterizedTest
    @CsvSource({
        "9, 1000000, ''",
        "1, 1000000, .5",
        "0, 1000000, 1",
        "1, 1000000, Gi",
        "7, 1000000, m",
        "9, 1000000, e1000000"
    })
    void manyDigitsAreRoundedAwayFromZero(String digit, int times, String end) {
        var quantity = Quantity.parse(digit.repeat(times) + end);
        var negative = Quantity.parse("-" + digit.repeat(times) + end);

        assertThat(quantity).isGreaterThan(Quantity.ZERO);
        assertThat(quantity.plus(negative)).isEqualTo(Quantity.ZERO);
        assertThat(quantity.value().precision()).isLessThanOrEqualTo(1000);
    }

    @Test
    void aThousandDigitsAreExactAndMoreNeverDecreaseTheNumber() {
        String thousand = "1234567891".repeat(100);

        assertThat(Quantity.parse(thousand).value()).isEqualTo(new BigDecimal(thousand));
        assertThat(Quantity.parse(thousand + "0")).isEqualTo(Quantity.parse(thousand + "e1"));
        assertThat(Quantity.parse(thousand + "1")).isGreaterThan(Quantity.parse(thousand + "0"));
        assertThat(Quantity.parse("0." + "0".repeat(5000) + "1e5001")).isEqualTo(Quantity.ONE);
    }
}
