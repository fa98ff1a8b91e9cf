package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {

    @ParameterizedTest
    @CsvSource({"modle, model", "mdoel, model", "coutn, count", "namse, names", "ab, ''"})
    void twoSwappedCharactersAreOneMistake(String written, String meant) {
        assertThat(Suggestion.closest(written, List.of("count", "model", "names", "ba"))
                        .orElse(""))
                .isEqualTo(meant);
    }
}
