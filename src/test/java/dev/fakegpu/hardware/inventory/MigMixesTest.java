package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.MigTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The shared counters allow exactly the valid sets of MIG instances: no two instances share a memory slice, there are at most seven compute
 * slices in total (four on the A30), and at most one instance has the media engines. The test visits every valid set, and every set that
 * becomes invalid only with its last instance; each larger invalid set contains one of these. Layouts of static MIG devices are accepted
 * for exactly the same sets.
 */
class MigMixesTest {

    private static final Pattern NAME = Pattern.compile("gpu-0-mig-([1-7])g\\d+gb(-me)?-(\\d+)-(\\d)");

    private int slices;
    private final Set<List<String>> legalMixes = new HashSet<>();

    @ParameterizedTest
    @CsvSource({
        "A100-SXM4-40GB, 8, 120",
        "A100-PCIE-40GB, 8, 120",
        "A100-SXM4-80GB, 8, 120",
        "A100-PCIE-80GB, 8, 120",
        "A30, 4, 14",
        "H100-80GB-HBM3, 8, 120",
        "H200, 8, 120",
        "B200, 8, 120",
        "GB200, 8, 120"
    })
    void countersAllowExactlyTheLegalMixes(String model, int memorySlices, int mixes) {
        slices = memorySlices;
        Inventory gpu = Specs.plan(
                Specs.spec("{model: %s, partitions: {whole: false, mig: {profiles: [All]}}}".formatted(model)));

        visit(
                gpu.counterSets().get(0),
                gpu.devices().stream()
                        .map(device -> Instance.of(device, slices))
                        .toList(),
                0,
                List.of());

        assertThat(legalMixes).filteredOn(mix -> mix.size() == 1).hasSize(memorySlices == 8 ? 7 : 5);
        assertThat(legalMixes).filteredOn(mix -> mix.size() > 1).hasSize(mixes);
        assertThat(staticMixes(model)).isEqualTo(legalMixes);
    }

    /** The sets in which every device has a placement. */
    private static Set<List<String>> staticMixes(String model) {
        MigTable table =
                Objects.requireNonNull(((GpuModel) Catalog.builtIn().find(model).orElseThrow()).mig());
        Set<List<String>> mixes = new HashSet<>();
        addStaticMixes(table, 0, new HashMap<>(), mixes);
        return mixes;
    }

    private static void addStaticMixes(
            MigTable table, int next, Map<MigProfile, Long> devices, Set<List<String>> mixes) {
        if (next == table.profiles().size()) {
            if (!devices.isEmpty() && MigLayout.place(table, devices).isPresent()) {
                mixes.add(devices.entrySet().stream()
                        .flatMap(entry ->
                                Collections.nCopies(
                                        Math.toIntExact(entry.getValue()),
                                        entry.getKey().name())
                                        .stream())
                        .sorted()
                        .toList());
            }
            return;
        }
        MigProfile profile = table.profiles().get(next);
        addStaticMixes(table, next + 1, devices, mixes);
        for (long count = 1; count <= profile.maxInstances(); count++) {
            var more = new HashMap<>(devices);
            more.put(profile, count);
            addStaticMixes(table, next + 1, more, mixes);
        }
    }

    private void visit(CounterSet set, List<Instance> instances, int next, List<Instance> chosen) {
        for (int i = next; i < instances.size(); i++) {
            var extended = new ArrayList<>(chosen);
            extended.add(instances.get(i));
            boolean legal = isLegal(extended);
            if (fits(set, extended) != legal) {
                fail("%s %s", legal ? "refused:" : "allowed:", extended);
            }
            if (legal) {
                legalMixes.add(extended.stream()
                        .map(instance ->
                                String.valueOf(instance.device.attributes().get("profile")))
                        .sorted()
                        .toList());
                visit(set, instances, i + 1, extended);
            }
        }
    }

    private boolean isLegal(List<Instance> instances) {
        int[] holders = new int[slices];
        instances.forEach(instance ->
                IntStream.range(instance.start, instance.start + instance.size).forEach(slice -> holders[slice]++));
        return IntStream.of(holders).allMatch(count -> count <= 1)
                && instances.stream().mapToInt(Instance::computeSlices).sum() <= (slices == 8 ? 7 : slices)
                && instances.stream().filter(Instance::media).count() <= 1;
    }

    private static boolean fits(CounterSet set, List<Instance> instances) {
        return set.counters().entrySet().stream()
                .allMatch(counter -> instances.stream()
                                .mapToLong(instance -> instance.consumed.getOrDefault(counter.getKey(), 0L))
                                .sum()
                        <= units(counter.getValue()));
    }

    private static long units(Quantity quantity) {
        return quantity.value().longValueExact();
    }

    /** Parsed from the name of the device, with the size from NVIDIA's table, to be independent of the counters. */
    private record Instance(
            Device device, Map<String, Long> consumed, int computeSlices, boolean media, int start, int size) {

        static Instance of(Device device, int slices) {
            Matcher name = NAME.matcher(device.name());
            assertThat(name.matches()).as(device.name()).isTrue();
            boolean doubleMemory = name.group(3).equals("15");
            int computeSlices = Integer.parseInt(name.group(1));
            int size = switch (computeSlices) {
                case 1 -> doubleMemory ? 2 : 1;
                case 2 -> 2;
                case 3, 4 -> 4;
                default -> slices;
            };
            var consumed = new HashMap<String, Long>();
            device.consumesCounters()
                    .get(0)
                    .counters()
                    .forEach((counter, value) -> consumed.put(counter, units(value)));
            return new Instance(
                    device, consumed, computeSlices, name.group(2) != null, Integer.parseInt(name.group(4)), size);
        }
    }
}
