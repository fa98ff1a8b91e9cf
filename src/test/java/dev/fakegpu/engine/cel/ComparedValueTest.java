package dev.fakegpu.engine.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.cel.ComparedQuantity.Bound;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ComparedValueTest {

    private static final String MEMORY = "device.capacity['d.com'].memory";

    private final Selectors selectors = new Selectors();

    private List<ComparedValue> compared(String expression) {
        return selectors.compile(expression).compared();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "device.attributes['d.com'].type == 'mig'",
                "'mig' == device.attributes['d.com']['type']",
                "device.attributes['d.com'].?type.orValue('') == 'mig'",
                "device.driver != '' && device.attributes['d.com'].type == 'mig'"
            })
    void comparedTextsOfAttributesAreFound(String expression) {
        assertThat(compared(expression)).containsExactly(new ComparedText("d.com", "type", "mig"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "AT_LEAST | %s.compareTo(quantity('40Gi')) >= 0",
                "MORE_THAN | %s.compareTo(quantity('40Gi')) > 0",
                "MORE_THAN | %s.isGreaterThan(quantity('40Gi'))",
                "AT_MOST | %s.compareTo(quantity('40Gi')) <= 0",
                "LESS_THAN | %s.compareTo(quantity('40Gi')) < 0",
                "LESS_THAN | %s.isLessThan(quantity('40Gi'))",
                "EXACTLY | %s.compareTo(quantity('40Gi')) == 0",
                "EXACTLY | %s == quantity('40Gi')"
            })
    void comparedQuantitiesOfCapacitiesAreFound(Bound bound, String expression) {
        assertThat(compared(expression.formatted(MEMORY)))
                .containsExactly(new ComparedQuantity("d.com", "memory", bound, Quantity.parse("40Gi")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "true && (%s.isLessThan(quantity('40Gi')) && device.driver != '')",
                "cel.bind(d, device.capacity['d.com'], d.memory.isLessThan(quantity('40Gi')))",
                "cel.bind(n, 1, n == 1 && %s.isLessThan(quantity('40Gi')))"
            })
    void comparisonsThatMustBeTrueAreFound(String expression) {
        assertThat(compared(expression.formatted(MEMORY)))
                .containsExactly(new ComparedQuantity("d.com", "memory", Bound.LESS_THAN, Quantity.parse("40Gi")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "!%s.isLessThan(quantity('40Gi'))",
                "!(device.driver != '' && %s.isLessThan(quantity('40Gi')))",
                "device.driver != '' || %s.isLessThan(quantity('40Gi'))",
                "device.driver != '' ? %s.isLessThan(quantity('40Gi')) : true",
                "%s.isLessThan(quantity('40Gi')) == false"
            })
    void comparisonsThatMayBeFalseAreNotFound(String expression) {
        assertThat(compared(expression.formatted(MEMORY))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "device.capacity['d.com'].memory.compareTo(quantity('40Gi')) >= 1",
                "device.capacity['d.com'].memory.compareTo(quantity('forty')) >= 0",
                "device.attributes['d.com'].type.startsWith('mig')",
                "device.attributes['d.com'].type == device.attributes['d.com'].model",
                "quantity('1').compareTo(quantity('2')) >= 0"
            })
    void otherExpressionsAreNotCompared(String expression) {
        assertThat(compared(expression)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "device.driver == 'd.com' && device.attributes['d.com'].type == 'mig' ; d.com",
                "device.attributes['d.com'].type == 'mig' && (true && 'd.com' == device.driver) ; d.com",
                "device.driver == 'd.com' || device.driver == 'e.com' ;",
                "!(device.driver == 'd.com') ;",
                "device.driver == 'd.com' ? true : false ;",
                "(device.driver == 'd.com') == false ;"
            })
    void driversAreRequiredWhereTheComparisonMustBeTrue(String expression, @Nullable String driver) {
        assertThat(selectors.compile(expression).requiredDrivers())
                .isEqualTo(driver == null ? Set.of() : Set.of(driver));
    }

    @Test
    void namesWithoutADomainBelongToTheDriver() {
        var text = new ComparedText("d.com", "type", "mig");
        var device = new Device("d", Map.of("type", AttributeValue.of("gpu")), Map.of(), List.of(), List.of());

        assertThat(text.in("d.com", device)).contains("gpu");
        assertThat(text.in("e.com", device)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "AT_LEAST, true, false",
        "MORE_THAN, false, false",
        "AT_MOST, true, true",
        "LESS_THAN, false, true",
        "EXACTLY, true, false"
    })
    void boundDeterminesWhichAmountsMatch(Bound bound, boolean bySame, boolean bySmaller) {
        var memory = new ComparedQuantity("d.com", "memory", bound, Quantity.parse("40Gi"));

        assertThat(memory.isMetBy(Quantity.parse("40960Mi"))).isEqualTo(bySame);
        assertThat(memory.isMetBy(Quantity.parse("39Gi"))).isEqualTo(bySmaller);
    }
}
