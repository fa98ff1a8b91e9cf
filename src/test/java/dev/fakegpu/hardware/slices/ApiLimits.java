package dev.fakegpu.hardware.slices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceWriter;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The requirements of the API server and the scheduler for the slices of one pool (Kubernetes 1.37). */
final class ApiLimits {

    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern DNS_SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

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
        assertThat(slice.name()).hasSizeLessThanOrEqualTo(Limits.SUBDOMAIN).matches(DNS_SUBDOMAIN);
        assertThat(slice.counterSets().isEmpty() || slice.devices().isEmpty()).isTrue();
        assertThat(slice.counterSets())
                .hasSizeLessThanOrEqualTo(Limits.COUNTER_SETS)
                .allSatisfy(set -> assertThat(set.counters()).hasSizeBetween(1, Limits.COUNTERS));
        boolean limited = slice.devices().stream()
                .anyMatch(device -> !device.taints().isEmpty()
                        || !device.consumesCounters().isEmpty()
                        || device.attributes().values().stream().anyMatch(AttributeValue.ListValue.class::isInstance));
        assertThat(slice.devices())
                .hasSizeLessThanOrEqualTo(limited ? Limits.DEVICES_WITH_ADVANCED_FEATURES : Limits.DEVICES)
                .allSatisfy(ApiLimits::holdForDevice);
        assertThat(slice.devices().stream()
                        .flatMap(device -> device.consumesCounters().stream())
                        .mapToInt(consumption -> consumption.counters().size())
                        .sum())
                .isLessThanOrEqualTo(Limits.CONSUMED_COUNTERS_WRITTEN);
        // etcd accepts 1.5 MiB, and the stored format is shorter than JSON.
        assertThat(Serialization.asJson(SliceWriter.write(slice)).getBytes(UTF_8).length)
                .isLessThanOrEqualTo(3 << 19);
        boolean consuming = slice.devices().stream()
                .anyMatch(device -> !device.consumesCounters().isEmpty());
        assertThat(slice.partitionTypeAttribute() == null || consuming).isTrue();
        assertThat(slice.selectsNodesPerDevice())
                .isEqualTo(slice.devices().stream().anyMatch(device -> device.nodes() != null));
    }

    private static void holdForDevice(Device device) {
        assertThat(device.name()).matches(DNS_LABEL);
        assertThat(device.attributes().size() + device.capacity().size())
                .isLessThanOrEqualTo(Limits.ATTRIBUTES_AND_CAPACITIES);
        List<AttributeValue> values = device.attributes().values().stream()
                .flatMap(value ->
                        value instanceof AttributeValue.ListValue list ? list.values().stream() : Stream.of(value))
                .toList();
        assertThat(values)
                .hasSizeLessThanOrEqualTo(Limits.ATTRIBUTE_VALUES)
                .allMatch(value -> value.toString().length() <= Limits.ATTRIBUTE_VALUE_BYTES);
        assertThat(device.taints()).hasSizeLessThanOrEqualTo(Limits.TAINTS);
        assertThat(device.binding().conditions()).hasSizeLessThanOrEqualTo(Limits.BINDING_CONDITIONS);
        assertThat(device.binding().failureConditions()).hasSizeLessThanOrEqualTo(Limits.BINDING_CONDITIONS);
        assertThat(device.capacity().values().stream().anyMatch(capacity -> capacity.requestPolicy() != null)
                        && !device.allowMultipleAllocations())
                .isFalse();
        assertThat(device.consumesCounters()).hasSizeLessThanOrEqualTo(Limits.CONSUMPTIONS);
        for (CounterConsumption consumption : device.consumesCounters()) {
            assertThat(consumption.counters()).hasSizeBetween(1, Limits.COUNTERS);
            assertThat(consumption.compatibilityGroups())
                    .hasSizeLessThanOrEqualTo(Limits.GROUPS)
                    .doesNotHaveDuplicates()
                    .allMatch(group -> DNS_LABEL.matcher(group).matches());
        }
    }

    private static void holdForNames(List<Slice> pool) {
        List<Device> devices =
                pool.stream().flatMap(slice -> slice.devices().stream()).toList();
        Set<String> names = devices.stream().map(Device::name).collect(toSet());
        assertThat(names).hasSameSizeAs(devices);
        Map<String, CounterSet> sets = pool.stream()
                .flatMap(slice -> slice.counterSets().stream())
                .collect(toMap(CounterSet::name, set -> set));
        assertThat(devices.stream().flatMap(device -> device.consumesCounters().stream()))
                .allMatch(consumption -> holdsFor(consumption, sets));
    }

    private static boolean holdsFor(CounterConsumption consumption, Map<String, CounterSet> sets) {
        CounterSet set = sets.get(consumption.counterSet());
        return set != null
                && set.counters().keySet().containsAll(consumption.counters().keySet());
    }
}
