package dev.fakegpu.slices;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Slice;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What an API server and a scheduler demand of the slices of one pool (allocator semantics of Kubernetes 1.37). */
final class ApiLimits {

    private static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    private static final String DNS_SUBDOMAIN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

    private ApiLimits() {}

    static void hold(List<Slice> pool) {
        assertThat(pool).isNotEmpty();
        assertThat(pool).extracting(Slice::name).isSorted().doesNotHaveDuplicates();
        assertThat(pool).extracting(Slice::generation).containsOnly(pool.get(0).generation());
        assertThat(pool).extracting(Slice::sliceCount).containsOnly((long) pool.size());
        pool.forEach(ApiLimits::holdForSlice);
        holdForNames(pool);
    }

    private static void holdForSlice(Slice slice) {
        assertThat(slice.name()).hasSizeLessThanOrEqualTo(253).matches(DNS_SUBDOMAIN);
        assertThat(slice.counterSets().isEmpty() || slice.devices().isEmpty()).isTrue();
        assertThat(slice.counterSets())
                .hasSizeLessThanOrEqualTo(8)
                .allSatisfy(set -> assertThat(set.counters()).hasSizeBetween(1, 32));
        boolean limited = slice.devices().stream()
                .anyMatch(device ->
                        !device.taints().isEmpty() || !device.consumesCounters().isEmpty());
        assertThat(slice.devices()).hasSizeLessThanOrEqualTo(limited ? 64 : 128).allSatisfy(ApiLimits::holdForDevice);
        assertThat(slice.devices().stream()
                        .flatMap(device -> device.consumesCounters().stream())
                        .mapToInt(consumption -> consumption.counters().size())
                        .sum())
                .isLessThanOrEqualTo(2048);
    }

    private static void holdForDevice(Device device) {
        assertThat(device.name()).matches(DNS_LABEL);
        assertThat(device.attributes().size() + device.capacity().size()).isLessThanOrEqualTo(32);
        assertThat(device.attributes().values())
                .allSatisfy(value -> assertThat(value.toString()).hasSizeLessThanOrEqualTo(64));
        assertThat(device.consumesCounters()).hasSizeLessThanOrEqualTo(2).allSatisfy(consumption -> {
            assertThat(consumption.counters()).hasSizeBetween(1, 32);
            assertThat(consumption.compatibilityGroups())
                    .hasSizeLessThanOrEqualTo(2)
                    .doesNotHaveDuplicates()
                    .allSatisfy(group -> assertThat(group).matches(DNS_LABEL));
        });
    }

    private static void holdForNames(List<Slice> pool) {
        List<Device> devices =
                pool.stream().flatMap(slice -> slice.devices().stream()).toList();
        assertThat(devices).extracting(Device::name).doesNotHaveDuplicates();
        Map<String, CounterSet> sets = pool.stream()
                .flatMap(slice -> slice.counterSets().stream())
                .collect(toMap(CounterSet::name, set -> set));
        assertThat(devices)
                .flatExtracting(Device::consumesCounters)
                .allSatisfy(consumption -> holdsFor(consumption, sets));
    }

    private static void holdsFor(CounterConsumption consumption, Map<String, CounterSet> sets) {
        CounterSet set = sets.get(consumption.counterSet());
        assertThat(Objects.requireNonNull(set, consumption.counterSet()).counters())
                .containsKeys(consumption.counters().keySet().toArray(String[]::new));
    }
}
