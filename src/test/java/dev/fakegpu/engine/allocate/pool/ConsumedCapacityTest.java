package dev.fakegpu.engine.allocate.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceCapacity.Range;
import dev.fakegpu.dra.DeviceCapacity.RequestPolicy;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the limits of KEP-5075's rounding. The allocator's corpus tests ordinary cases, with upstream's answers. */
class ConsumedCapacityTest {

    private static final String MEMORY = "memory";
    private static final String UNREPRESENTABLE = "unrepresentable";

    @ParameterizedTest
    @CsvSource({"512Mi, 1Gi", "1Gi, 1Gi", "1025Mi, 2Gi", "2Gi, 2Gi"})
    void isTheSmallestValidValueThatIsEnough(String requested, String consumed) {
        var values = new RequestPolicy(null, List.of(Quantity.parse("1Gi"), Quantity.parse("2Gi")), null);

        assertThat(consumed(requested, "4Gi", values, true)).isEqualTo(consumed);
        assertThat(of(requested("3Gi"), device("4Gi", values), true))
                .isEqualTo(new ConsumedCapacity.NotOffered(MEMORY, Quantity.parse("3Gi")));
    }

    /** If a bound is not a multiple of a thousandth, all values are rounded up to whole numbers. */
    @ParameterizedTest(name = "{0} of {1}..{2} step {3}: {4}, without fractions {5}")
    @CsvSource({
        "130m, 125m, , 125m, 250m, 1",
        "7m, 5m, , 5m, 10m, 1",
        "600m, 500m, , 1, 1500m, 1",
        "600m, 500m, 10, 1, 1500m, 1",
        "600m, 500m, 10000100u, 1, 1, 1",
        "1500m, 100u, , 1, 2, 2",
        "1500m, 0, , 1000100u, 2, 2",
        "600m, 500m, 9223372036854775807m, 1, 1500m, 1",
        "600m, 500m, 9223372036854775808m, 1, 1, 1",
    })
    void rangesCountInThousandthsIfTheyCan(
            String requested, String min, @Nullable String max, String step, String fractional, String whole) {
        RequestPolicy range = range(min, max, step);

        assertThat(consumed(requested, "10", range, true)).isEqualTo(fractional);
        assertThat(consumed(requested, "10", range, false)).isEqualTo(whole);
    }

    @ParameterizedTest
    @CsvSource({
        "1000100u, 1m, 1m",
        "10E, 0, 4611686018427387904",
        "4611686018427387905, 0, 4611686018427387904",
        "-1, , ",
    })
    void amountsThatTheRangeCannotRepresentAreErrors(String requested, @Nullable String min, @Nullable String step) {
        assertThat(consumed(requested, "10", range(min, null, step), true)).isEqualTo(UNREPRESENTABLE);
    }

    @Test
    void aStepOfZeroIsAnError() {
        assertThat(consumed("2", "10", range("1", null, "0"), true)).isEqualTo(UNREPRESENTABLE);
    }

    @Test
    void aStepWithoutAMinimumIsAnError() {
        assertThat(consumed("2", "10", range(null, null, "1"), true)).isEqualTo(UNREPRESENTABLE);
    }

    /** Without a request, the full capacity is consumed, and the policy must allow that amount, too. */
    @ParameterizedTest
    @CsvSource({"1, true", "1500m, false", "1000100u, false", "3, false"})
    void allOfADeviceHasToBeInTheRange(String all, boolean offered) {
        Device device = device(all, range("0", "2", "1"));

        assertThat(ConsumedCapacity.of(null, device, CapacityRounding.THOUSANDTHS))
                .isInstanceOf(offered ? ConsumedCapacity.Amounts.class : ConsumedCapacity.NotOffered.class);
    }

    @Test
    void aCapacityThatTheDeviceLacksIsNotOffered() {
        Map<String, Quantity> requested = Map.of("cores", Quantity.ONE);

        assertThat(ConsumedCapacity.of(requested, device("10", null), CapacityRounding.THOUSANDTHS))
                .isEqualTo(new ConsumedCapacity.NotOffered("cores", null));
    }

    @Test
    void theFirstCapacityThatIsTooLittleIsNamedByItsPlace() {
        // Given
        var capacity = new LinkedHashMap<String, DeviceCapacity>();
        capacity.put(MEMORY, DeviceCapacity.of(Quantity.of(10)));
        capacity.put("cores", DeviceCapacity.of(Quantity.of(4)));
        Device device = device("10", null).withCapacity(capacity);
        var requested = Map.of(MEMORY, Quantity.of(5), "cores", Quantity.of(2));

        // When
        var amounts = (ConsumedCapacity.Amounts) ConsumedCapacity.of(requested, device, CapacityRounding.THOUSANDTHS);

        // Then
        assertThat(amounts.firstShort(null, null)).isEqualTo(-1);
        assertThat(amounts.firstShort(decimals(5, 2), null)).isEqualTo(-1);
        assertThat(amounts.firstShort(decimals(5, 2), decimals(0, 1))).isEqualTo(1);
        assertThat(amounts.firstShort(decimals(5, 2), decimals(1, 1))).isZero();
        assertThat(amounts.plus(null)).isEqualTo(decimals(5, 2));
        assertThat(amounts.plus(decimals(1, 1))).isEqualTo(decimals(6, 3));
    }

    private static BigDecimal[] decimals(long memory, long cores) {
        return new BigDecimal[] {BigDecimal.valueOf(memory), BigDecimal.valueOf(cores)};
    }

    private static String consumed(String requested, String all, RequestPolicy policy, boolean fractional) {
        ConsumedCapacity consumed = of(requested(requested), device(all, policy), fractional);
        return consumed instanceof ConsumedCapacity.Amounts amounts
                ? String.valueOf(amounts.byName().get(MEMORY))
                : consumed instanceof ConsumedCapacity.Unrepresentable ? UNREPRESENTABLE : "not offered";
    }

    private static ConsumedCapacity of(Map<String, Quantity> requested, Device device, boolean fractional) {
        return ConsumedCapacity.of(
                requested, device, fractional ? CapacityRounding.THOUSANDTHS : CapacityRounding.WHOLE_UNITS);
    }

    private static Map<String, Quantity> requested(String amount) {
        return Map.of(MEMORY, Quantity.parse(amount));
    }

    private static RequestPolicy range(@Nullable String min, @Nullable String max, @Nullable String step) {
        return new RequestPolicy(null, List.of(), new Range(quantity(min), quantity(max), quantity(step)));
    }

    private static @Nullable Quantity quantity(@Nullable String text) {
        return text == null ? null : Quantity.parse(text);
    }

    private static Device device(String memory, @Nullable RequestPolicy policy) {
        return new Device("gpu-0", Map.of(), Map.of(), List.of(), List.of())
                .sharedBy(Map.of(MEMORY, new DeviceCapacity(Quantity.parse(memory), policy)));
    }
}
