package dev.fakegpu.engine.allocate.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterTableTest {

    @Test
    void amountsAreWholeInTheLargestCommonUnit() {
        CounterTable table = table("3", "1500m", "750m");

        assertThat(table.use(0).amounts()).containsExactly(2);
        assertThat(table.use(1).amounts()).containsExactly(1);
        assertThat(table.floor(new BigDecimal("3"), 0)).isEqualTo(4);
        assertThat(table.amount(0, BigInteger.valueOf(3))).isEqualByComparingTo("2.25");
    }

    @Test
    void fractionsOfAUnitAreRoundedDown() {
        assertThat(table("4", "2").floor(new BigDecimal("3"), 0)).isOne();
        assertThat(table("4", "2").floor(new BigDecimal("-3"), 0)).isEqualTo(-2);
    }

    @ParameterizedTest
    @CsvSource({
        // Columns: the declared amount, the amounts that two devices consume, and whether the table is wide; the sum is
        // at most 2^62 otherwise
        "2305843009213693952, 1152921504606846975, 1152921504606846977, false",
        "2305843009213693953, 1152921504606846975, 1152921504606846977, true",
        "1, 4611686018427387903, 1, true",
        "-2305843009213693953, 1152921504606846975, 1152921504606846977, true",
        "1, -4611686018427387903, 1, true"
    })
    void sumsThatMayNotFitALongMakeATableWide(String declared, String first, String second, boolean wide) {
        CounterTable table = table(declared, first, second);

        assertThat(table.isWide()).isEqualTo(wide);
        assertThat(table.use(0).amounts()).hasSize(wide ? 0 : 1);
        assertThat(table.use(0).wideAmounts()).hasSize(wide ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "0, true", "-1, false", "9223372036854775807, false"})
    void tablesWithoutNegativeAndWideAmountsAreSimple(String consumed, boolean simple) {
        assertThat(table("8", "2", consumed).isSimple()).isEqualTo(simple);
    }

    @Test
    void undeclaredCountersHaveNoColumn() {
        CounterTable table = table("8", "2");

        assertThat(table.columns()).isOne();
        assertThat(table.sets()).isOne();
        assertThat(table.set("set")).isZero();
        assertThat(table.set("other")).isNegative();
        assertThat(table.column("set", "memory")).isZero();
        assertThat(table.column("set", "other")).isNegative();
        assertThat(table.column("other", "memory")).isNegative();
    }

    /** A table with one counter of one set, and a device for each amount. */
    private static CounterTable table(String declared, String... consumed) {
        var set = new CounterSet("set", Map.of("memory", Quantity.parse(declared)));
        List<Device> devices = Stream.of(consumed)
                .map(amount -> new Device(
                        "takes-" + amount,
                        Map.of(),
                        Map.of(),
                        List.of(new CounterConsumption("set", Map.of("memory", Quantity.parse(amount)), List.of())),
                        List.of()))
                .toList();
        return CounterTable.of(
                Map.of("set", set),
                devices.stream().map(Device::consumesCounters).toList());
    }
}
