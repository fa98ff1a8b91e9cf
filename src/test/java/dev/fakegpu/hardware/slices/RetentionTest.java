package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.Retention.Published;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each directory has two specs, the devices in use when the second one replaces the first one, and the expected slices. {@code
 * -Dgolden.update=true} rewrites the slices and fails, so that the changes are reviewed.
 */
class RetentionTest {

    private static final Path CASES = Path.of("src/test/resources/golden/retention");
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Inventory NOTHING = new Inventory(0, List.of(), List.of());
    private static final String BUS_ID = "resource.kubernetes.io/pciBusID";
    private static final List<String> SPECS = List.of(
            "{model: A100-SXM4-40GB, count: 2}",
            "{model: A100-SXM4-40GB, partitions: {mig: {profiles: [All]}}}",
            "{model: A100-SXM4-40GB, count: 2, partitions: {mig: {static: [{gpus: [0], devices: {3g.20gb: 2}}]}}}",
            "{model: A100-SXM4-40GB, count: 2, partitions: {mig: {static: [{devices: {2g.10gb: 3}}]}}}",
            "{model: A100-SXM4-40GB, count: 2, partitions: {whole: false, mig: {profiles: [1g.5gb]}, vgpu: {types: [10C]}}}",
            "{model: A100-SXM4-40GB, compatibility: None, partitions: {mig: {profiles: [All]}}}",
            "{model: H100-80GB-HBM3, count: 2, partitions: {mig: {profiles: [1g.10gb, 4g.40gb]}}}",
            "{model: L40S, count: 3, allocator: KubeScheduler, partitions: {vgpu: {types: [48C]}}}",
            "{model: A100-SXM4-40GB, count: 2, sharing: {mode: Memory}}",
            "{model: A100-SXM4-40GB, count: 2, sharing: {mode: Memory, memory: {default: 10Gi, validValues: [10Gi, 20Gi]}}}");

    @TestFactory
    Stream<DynamicTest> devicesInUseStayAsPublished() throws IOException {
        try (Stream<Path> cases = Files.list(CASES)) {
            return cases.sorted().toList().stream()
                    .map(folder -> DynamicTest.dynamicTest(folder.getFileName().toString(), () -> check(folder)));
        }
    }

    private static void check(Path folder) throws IOException {
        JsonNode in = YAML.readTree(Files.readString(folder.resolve("in.yaml")));
        var used = YAML.convertValue(in.get("used"), new TypeReference<Set<String>>() {});
        var actual = text(Retention.of(inventory(in.get("after")), published(inventory(in.get("before"))), used));
        Path out = folder.resolve("out.txt");
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(out, actual);
            fail(out + " is written anew; review it and run again without golden.update");
        }
        assertThat(actual).isEqualTo(Files.readString(out));
    }

    /** Checks invariants of the published pool over several random changes of the spec. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void afterAnyChangeDevicesInUseStayAndThePoolIsConsistent(long seed) {
        var random = new Random(seed);
        Set<String> used = new HashSet<>();
        Published published = Published.NOTHING;
        for (int step = 0; step < 40; step++) {
            Inventory wanted = random.nextInt(8) == 0 ? NOTHING : inventory(SPECS.get(random.nextInt(SPECS.size())));
            var retention = Retention.of(wanted, published, used);
            var now = published(retention.inventory());
            assertStay(published, now, used, seed, step);
            assertConsistent(retention.inventory(), seed, step);
            assertNothingIsOnUsedStaticMig(now, used);
            var changedNames = retention.kept();
            assertThat(used).as("seed %s, step %s", seed, step).containsAll(changedNames);
            published = now;
            used.removeIf(device -> random.nextInt(3) == 0);
            published.devices().stream()
                    .filter(device -> !device.taints().contains(Retention.CHANGES_PENDING))
                    .filter(device -> random.nextInt(10) == 0)
                    .forEach(device -> used.add(device.name()));
        }
        var last = inventory(SPECS.get(0));
        assertThat(Retention.of(last, published, Set.of()).inventory()).isEqualTo(last);
    }

    @Test
    void keptDevicesAreNotAChangeTheNextTime() {
        var before = published(inventory("{model: A100-SXM4-40GB}"));
        var wanted = inventory("{model: H100-80GB-HBM3}");
        var once = Retention.of(wanted, before, Set.of("gpu-0"));

        assertThat(Retention.of(wanted, published(once.inventory()), Set.of("gpu-0")))
                .isEqualTo(once);
    }

    private static void assertStay(Published before, Published now, Set<String> used, long seed, int step) {
        for (Device device : before.only(used).devices()) {
            var same = now.devices().stream()
                    .filter(other -> other.name().equals(device.name()))
                    .toList();
            assertThat(same)
                    .as("seed %s, step %s: %s", seed, step, device.name())
                    .hasSize(1);
            assertThat(same.get(0).consumesCounters())
                    .as("seed %s, step %s: %s", seed, step, device.name())
                    .isEqualTo(device.consumesCounters());
            assertThat(sharing(same.get(0)))
                    .as("seed %s, step %s: %s", seed, step, device.name())
                    .isEqualTo(sharing(device));
        }
        assertThat(now.counterSets())
                .as("seed %s, step %s: counter sets of devices in use", seed, step)
                .containsAll(before.only(used).counterSets());
    }

    private static void assertConsistent(Inventory inventory, long seed, int step) {
        var sets = new TreeMap<String, CounterSet>();
        inventory
                .counterSets()
                .forEach(set -> assertThat(sets.put(set.name(), set)).isNull());
        assertThat(inventory.devices()).extracting(Device::name).doesNotHaveDuplicates();
        for (Device device : inventory.devices()) {
            for (CounterConsumption consumption : device.consumesCounters()) {
                var set = sets.get(consumption.counterSet());
                assertThat(set)
                        .as("seed %s, step %s: %s", seed, step, device.name())
                        .isNotNull();
                consumption
                        .counters()
                        .forEach((counter, amount) -> assertThat(amount)
                                .as("seed %s, step %s: %s of %s", seed, step, counter, device.name())
                                .isLessThanOrEqualTo(set.counters().get(counter)));
            }
        }
        ApiLimits.hold(PoolLayout.slices(
                new PoolTarget(new PoolId("gpu.example.com", "n/f"), "f", new NodeSelection.NodeName("n")), inventory));
    }

    /** Devices without counters do not exclude others, so the others must not be offered. */
    private static void assertNothingIsOnUsedStaticMig(Published published, Set<String> used) {
        for (Device held : published.only(used).devices()) {
            assertThat(published.devices())
                    .filteredOn(device -> !used.contains(device.name())
                            && device.attributes()
                                    .get(BUS_ID)
                                    .equals(held.attributes().get(BUS_ID)))
                    .allSatisfy(device -> {
                        assertThat(device.consumesCounters().isEmpty())
                                .as("%s beside %s", device.name(), held.name())
                                .isEqualTo(held.consumesCounters().isEmpty());
                        assertThat(device.capacity().keySet())
                                .filteredOn(name -> name.startsWith("memorySlice"))
                                .allSatisfy(slice -> assertThat(held.capacity()).doesNotContainKey(slice));
                    });
        }
    }

    private static Inventory inventory(JsonNode spec) throws IOException {
        return spec.isNull() ? NOTHING : inventory(YAML.writeValueAsString(spec));
    }

    private static Inventory inventory(String yaml) {
        var spec = Specs.spec(yaml);
        return Specs.plan(spec).published(spec);
    }

    private static Published published(Inventory inventory) {
        return new Published(inventory.counterSets(), inventory.devices());
    }

    private static String text(Retention retention) {
        var lines = Stream.of(
                        retention.inventory().counterSets().stream()
                                .map(set -> "counter set " + set.name() + " " + new TreeMap<>(set.counters())),
                        retention.inventory().devices().stream().map(RetentionTest::text),
                        Stream.of("kept: " + retention.kept(), "withheld: " + retention.withheld()))
                .flatMap(stream -> stream);
        return lines.collect(Collectors.joining("\n", "", "\n"));
    }

    private static String text(Device device) {
        return "device %s %s %s %s"
                        .formatted(
                                device.name(),
                                device.attributes().entrySet().stream()
                                        .filter(attribute ->
                                                Set.of("productName", "color").contains(attribute.getKey()))
                                        .map(attribute -> attribute.getValue().toString())
                                        .toList(),
                                device.consumesCounters().stream()
                                        .map(consumption ->
                                                consumption.counterSet() + " " + consumption.compatibilityGroups() + " "
                                                        + new TreeMap<>(consumption.counters()))
                                        .toList(),
                                device.taints())
                + sharing(device);
    }

    /** Empty for a device that is not shared. */
    private static String sharing(Device device) {
        return device.allowMultipleAllocations() ? " shared " + new TreeMap<>(device.capacity()) : "";
    }
}
