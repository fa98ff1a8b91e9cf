package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NaturalOrderTest {

    @Test
    void numbersAreComparedAsNumbers() {
        assertThat(List.of("w-10", "w-2", "w-1", "w", "v-3", "w-1-10", "w-1-9").stream()
                        .sorted(NaturalOrder.OF_NAMES))
                .containsExactly("v-3", "w", "w-1", "w-1-9", "w-1-10", "w-2", "w-10");
        assertThat(List.of("w-10", "w-2", "w-2-b", "w-", "w-02").stream().sorted(NaturalOrder.OF_NAMES))
                .containsExactly("w-", "w-02", "w-2", "w-2-b", "w-10");
    }

    @Test
    void numbersMayBeLongAndBeginWithZeros() {
        assertThat(List.of("n100000000000000000000", "n99999999999999999999", "n01", "n1", "n0", "n00").stream()
                        .sorted(NaturalOrder.OF_NAMES))
                .containsExactly("n0", "n00", "n01", "n1", "n99999999999999999999", "n100000000000000000000");
    }

    @Test
    void onlyEqualNamesAreEqual() {
        assertThat(NaturalOrder.OF_NAMES.compare("a-1", "a-1")).isZero();
        assertThat(NaturalOrder.OF_NAMES.compare("a-1", "a-01")).isNotZero();
    }
}
