package dev.fakegpu.engine.cel.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.NullValue;
import dev.fakegpu.dra.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the rules of CEL's language definition: numbers are compared by value, across types. */
class EqualityTest {

    @Test
    void numbersAreEqualByValue() {
        assertThat(Equality.isEqual(1L, 1.0)).isTrue();
        assertThat(Equality.isEqual(1.0, UnsignedLong.ONE)).isTrue();
        assertThat(Equality.isEqual(0.0, -0.0)).isTrue();
        assertThat(Equality.isEqual(1L, 1.5)).isFalse();
        assertThat(Equality.isEqual(-1L, UnsignedLong.MAX_VALUE)).isFalse();
        assertThat(Equality.isEqual(Double.NaN, Double.NaN)).isFalse();
        // 2^53 + 1 is the smallest positive integer that a double cannot represent.
        assertThat(Equality.isEqual(9_007_199_254_740_993L, 9_007_199_254_740_992.0))
                .isFalse();
    }

    @Test
    void otherTypesDiffer() {
        assertThat(Equality.compare("1", 1L)).isEqualTo(false);
        assertThat(Equality.compare(true, 1L)).isEqualTo(false);
        assertThat(Equality.compare(NullValue.NULL_VALUE, 0L)).isEqualTo(false);
        assertThat(Equality.compare(0L, NullValue.NULL_VALUE)).isEqualTo(false);
        assertThat(Equality.compare(NullValue.NULL_VALUE, NullValue.NULL_VALUE)).isEqualTo(true);
    }

    @Test
    void kubernetesTypesAreComparedWithTheirOwnTypeOnly() {
        assertThat(Equality.compare(Quantity.parse("1Ki"), Quantity.parse("1024")))
                .isEqualTo(true);
        assertThat(Equality.compare(IpAddress.parse("::1"), IpAddress.parse("0::1")))
                .isEqualTo(true);
        assertThat(Equality.compare(IpAddress.parse("::1"), "::1")).isInstanceOf(Failure.class);
        assertThat(Equality.compare(Quantity.ONE, 1L)).isInstanceOf(Failure.class);
    }

    @Test
    void listsMapsAndOptionalsAreEqualByContent() {
        assertThat(Equality.isEqual(List.of(1L, "a"), List.of(1.0, "a"))).isTrue();
        assertThat(Equality.isEqual(List.of(1L), List.of(1L, 2L))).isFalse();
        assertThat(Equality.isEqual(Map.of(1L, "a"), Map.of(1.0, "a"))).isTrue();
        assertThat(Equality.isEqual(Map.of("k", 1L), Map.of("l", 1L))).isFalse();
        assertThat(Equality.isEqual(Optional.of(1L), Optional.of(1.0))).isTrue();
        assertThat(Equality.isEqual(Optional.of(1L), Optional.empty())).isFalse();
    }

    @Test
    void equalNumbersAreTheSameKey() {
        assertThat(Lookup.get(Map.of(1L, "a"), 1.0)).isEqualTo("a");
        assertThat(Lookup.contains(Map.of(UnsignedLong.ONE, "a"), 1L)).isTrue();
        assertThat(Lookup.contains(Map.of(1L, "a"), 1.5)).isFalse();
        assertThat(Lookup.get(List.of("a", "b"), 1.0)).isEqualTo("b");
        assertThat(Lookup.get(List.of("a"), 1L)).isInstanceOf(Failure.class);
        assertThat(Lookup.find(List.of("a"), "0")).isInstanceOf(Failure.class);
        assertThat(Lookup.find(Map.of("a", 1L), "b")).isNull();
    }

    /** Go compares the UTF-8 bytes of strings, so a character outside of the basic multilingual plane comes after all others. */
    @Test
    void valuesOfOneTypeHaveAnOrder() {
        assertThat(Ordering.compare("\uffff", "\ud83d\ude00")).isNegative();
        assertThat(Ordering.compare(2L, 1.5)).isPositive();
        assertThat(Ordering.compare(UnsignedLong.MAX_VALUE, Double.POSITIVE_INFINITY))
                .isNegative();
        assertThat(Ordering.compare(false, true)).isNegative();
        assertThat(Ordering.compare(Duration.ofSeconds(60), Duration.ofMinutes(1)))
                .isZero();
        assertThatExceptionOfType(Failure.class).isThrownBy(() -> Ordering.compare("1", 1L));
        assertThatExceptionOfType(Failure.class).isThrownBy(() -> Ordering.compare(Double.NaN, 1.0));
    }
}
