package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafeTextTest {

    private static final int RUNS = 20_000;

    /**
     * Unicode's control characters, format characters, surrogates, and line and paragraph separators, defined independently of SafeText.
     */
    private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

    /** Frequent code points in random text, which may also contain any other code point. */
    private static final int[] LIKELY = {
        '\n', '\r', '\t', 0, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x200b, 0x200e, 0x2028, 0x2029, 0x202e, 0x2066, 0x2069,
        0xd800, 0xdc00, 0xfeff, 0x1f600, 0xe0041, ' ', 'a', 'ü'
    };

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "device.attributes[\"a.b\"].x == 'ü…' && 1 < 2", "日本語", "\uD83D\uDE00"})
    void harmlessTextStaysAsItIs(String text) {
        assertThat(SafeText.of(text, 100)).isSameAs(text);
    }

    @Test
    void severalLinesBecomeOne() {
        assertThat(SafeText.of("a\n2026-01-01 ERROR forged\r\n\tb\u2028c\u2029d\u0085e", 100))
                .isEqualTo("a 2026-01-01 ERROR forged b c d e");
    }

    @Test
    void invisibleCharactersAreReplaced() {
        assertThat(SafeText.of("a\u001b[2Jb\u202ec\u2066d\u0000e\u200bf\ud800g", 100))
                .isEqualTo("a\uFFFD[2Jb\uFFFDc\uFFFDd\uFFFDe\uFFFDf\uFFFDg");
    }

    @ParameterizedTest
    @CsvSource({"abc,3,abc", "abcd,3,ab…", "abcd,1,…", "a\uD83D\uDE00bc,3,a…", "a\uD83D\uDE00,3,a\uD83D\uDE00"})
    void longTextIsCut(String text, int limit, String expected) {
        assertThat(SafeText.of(text, limit)).isEqualTo(expected);
    }

    @Test
    void anyInputBecomesSafeShortAndStable() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int run = 0; run < RUNS; run++) {
            // Given
            String text = text(random);
            int limit = 1 + random.nextInt(40);

            // When
            String safe = SafeText.of(text, limit);

            // Then
            assertThat(safe).as("seed %d, run %d", seed, run).hasSizeLessThanOrEqualTo(limit);
            assertThat(UNSAFE.matcher(safe).find())
                    .as("seed %d, run %d", seed, run)
                    .isFalse();
            assertThat(SafeText.of(safe, limit))
                    .as("seed %d, run %d", seed, run)
                    .isEqualTo(safe);
        }
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        IntStream.range(0, random.nextInt(50))
                .map(ignored -> random.nextInt(4) == 0
                        ? random.nextInt(Character.MAX_CODE_POINT + 1)
                        : LIKELY[random.nextInt(LIKELY.length)])
                .forEach(text::appendCodePoint);
        return text.toString();
    }
}
