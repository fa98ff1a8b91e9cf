package dev.fakegpu.dra.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SliceInternerTest {

    private final SliceInterner interner = new SliceInterner();

    @Test
    void aFrequentPartStaysSharedAmongManyRareOnes() {
        AttributeValue shared = interner.intern(text("shared"));

        for (int i = 0; i < 1_000_000; i++) {
            interner.intern(text("unique " + i));
            if (i % 100 == 0) {
                assertThat(interner.intern(text("shared"))).isSameAs(shared);
            }
        }
    }

    @Test
    void thousandsOfPartsAreShared() {
        List<AttributeValue> first = ofANode();
        List<AttributeValue> second = ofANode();

        long shared = IntStream.range(0, first.size())
                .filter(i -> first.get(i) == second.get(i))
                .count();

        assertThat(shared).isGreaterThan(first.size() * 99L / 100);
    }

    private List<AttributeValue> ofANode() {
        return IntStream.range(0, 4000)
                .mapToObj(i -> interner.intern(text("device-" + i)))
                .toList();
    }

    private static AttributeValue text(String value) {
        return AttributeValue.of(value);
    }
}
