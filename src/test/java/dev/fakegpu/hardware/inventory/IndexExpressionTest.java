package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexExpressionTest {

    private static final Map<String, String> VALUES = Map.of("core", "5", "thread", "1", "root", "pci0000:15");

    @ParameterizedTest
    @CsvSource({
        "die-{core}, die-5",
        "cpudev{2*core+thread:03}, cpudev011",
        "{root}, pci0000:15",
        "{(core+4)/2}.{(core+4)%2}, 4.1",
        "{8*core+thread:02x}, 29",
        "{core}-{thread}, 5-1",
        "{Core} stays, {Core} stays",
        "{core:00} stays, {core:00} stays",
        "none, none"
    })
    void isWrittenOut(String text, String expected) {
        assertThat(IndexExpression.inText(text, VALUES)).isEqualTo(expected);
    }

    @Test
    void productsTakePrecedenceOverSums() {
        assertThat(IndexExpression.number("1+2*core+thread", VALUES)).isEqualTo(12);
    }

    @Test
    void namesAreThoseThatItUses() {
        assertThat(IndexExpression.names("56*(unit+1)+core")).containsExactly("unit", "core");
    }

    @ParameterizedTest
    @CsvSource({
        "core+, has no number where there should be one",
        "(core, has a parenthesis that is not closed",
        "core), has \")\" where it should end",
        "core/0, divides by zero",
        "-core, 'has \"-\", which calculations do not have'",
        "core!, 'has \"!\", which calculations do not have'",
        "999999999*999999999*999999999, comes to too large a number",
        "root+1, 'calculates with root, which is not a number'",
        "2 core, has \"core\" where it should end"
    })
    void malformedCalculationsAreRefused(String expression, String message) {
        assertThatThrownBy(() -> IndexExpression.number(expression, VALUES)).hasMessage(message);
    }

    @Test
    void tooLongCalculationsAreRefused() {
        String nested = "(".repeat(100_000) + "core" + ")".repeat(100_000);

        assertThatThrownBy(() -> IndexExpression.number(nested, VALUES))
                .hasMessage("has more than 100 numbers, names and operators");
    }
}
