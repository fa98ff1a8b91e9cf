package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests network cards, CPUs and accelerators of the catalog. */
class TemplateInventoryTest {

    /** As in {@code pkg/device/builder_test.go} of dra-driver-cpu, threads of a core are neighbors, and CPUs are numbered as in Linux. */
    @Test
    void threadsOfACoreAreNeighborsAndNumberedAsLinuxDoes() {
        Inventory cpus = Specs.plan(Specs.spec("{model: XEON-8480C-INDIVIDUAL, count: 2}"));

        assertThat(cpus.devices()).hasSize(224);
        assertThat(cpus.devices().stream().limit(3).map(Device::name))
                .containsExactly("cpudev000", "cpudev001", "cpudev002");
        assertThat(Stream.of("cpudev000", "cpudev001", "cpudev002", "cpudev112", "cpudev113", "cpudev223")
                        .map(name -> attribute(cpus, name, "dra.cpu/cpuID")))
                .containsExactly("0", "112", "1", "56", "168", "223");
        assertThat(attribute(cpus, "cpudev112", "resource.kubernetes.io/numaNode"))
                .isEqualTo("1");
        assertThat(attribute(cpus, "cpudev223", "dra.cpu/coreID")).isEqualTo("55");
    }

    @Test
    void aPhysicalFunctionTakesAllThatItsVirtualFunctionsShare() {
        Inventory cards = Specs.plan(Specs.spec("{model: ConnectX-7, count: 2}"));

        assertThat(cards.counterSets()).hasSize(2);
        assertThat(cards.devices()).hasSize(18);
        assertThat(cards.devices().stream()
                        .limit(9)
                        .map(device -> device.consumesCounters().get(0))
                        .map(consumption -> consumption.counterSet() + " "
                                + consumption.counters().get("functions")))
                .startsWith("pf-0 8", "pf-0 1")
                .endsWith("pf-0 1");
    }

    /** The addresses are those that {@code ip link} shows: no two functions in a cluster have the same one. */
    @Test
    void everyFunctionOfEveryNodeHasAnAddressOfItsOwn() {
        var spec = Specs.spec("{model: BlueField-3, count: 4}");
        List<String> addresses = Stream.of("node-1", "node-2")
                .flatMap(node -> Specs.PLANNER.plan(spec, "fake", node).devices().stream())
                .map(device -> device.text("dra.net/mac").orElseThrow())
                .toList();

        assertThat(addresses).hasSize(72).doesNotHaveDuplicates().allMatch(mac -> mac.matches("02(:[0-9a-f]{2}){5}"));
    }

    /**
     * The driver's device ID is that of the model, so partitions of one GPU are identified by its address; its GPUs have eight DRM nodes
     * each.
     */
    @ParameterizedTest
    @CsvSource({
        "MI300X, 1, 304, spx_nps1",
        "MI300X-DPX-NPS1, 2, 152, dpx_nps1",
        "MI300X-CPX-NPS1, 8, 38, cpx_nps1",
        "MI300X-CPX-NPS4, 8, 38, cpx_nps4"
    })
    void partitionsOfAnInstinctAreEvenShares(String model, int parts, String units, String profile) {
        Inventory gpus = Specs.plan(Specs.spec("{model: %s, count: 8}".formatted(model)));

        assertThat(gpus.devices()).hasSize(8 * parts);
        assertThat(Specs.names(gpus))
                .startsWith("gpu-0-128")
                .endsWith("gpu-%d-%d".formatted(56 + parts - 1, 184 + parts - 1));
        assertThat(gpus.devices()).allSatisfy(gpu -> {
            assertThat(Specs.quantities(gpu).get("computeUnits")).hasToString(units);
            assertThat(gpu.text("partitionProfile")).contains(profile);
        });
        assertThat(gpus.devices().stream()
                        .map(gpu -> gpu.text("resource.kubernetes.io/pciBusID").orElseThrow())
                        .distinct())
                .hasSize(8);
    }

    @Test
    void partitionsAndSharingAreRefused() {
        assertThat(problems("{model: ConnectX-7, partitions: {vfio: true}}", Catalog.builtIn()))
                .containsExactly(
                        "spec.partitions: \"ConnectX-7\" is a model whose devices are fixed; allowed: no partitions");
        assertThat(problems("{model: LATEST-NET-MODEL, sharing: {mode: Memory}}", Catalog.builtIn()))
                .containsExactly("spec.sharing: \"LATEST-NET-MODEL\" is a model that says which devices are shared;"
                        + " allowed: no sharing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{name: \"fan-{unti}\"} | template.hardware.devices[0].name: has {unti}, which is not an index of repeat (did you mean \"unit\"?); allowed: {bus}, {domain}, {id}, {mac}, {numa}, {root}, {rootBus}, {unit}, {units}, {uuid}",
                "{name: \"fan\"} | template.hardware: has two devices fan; allowed: names with {unit}",
                "{name: \"Fan-{unit}\"} | template.hardware.devices[0].name: ",
                "{name: \"fan-{unit}-{8/unit}\"} | template.hardware.devices[0].name: divides by zero if unit is 0",
                "{name: \"fan-{unit+}\"} | template.hardware.devices[0].name: has no number where there should be one",
                "{name: \"fan-{unit}\", networkData: {interfaceName: \"eth{unit}\"}} | template.hardware.devices[0].networkData: is not read in a model; allowed: networkData in spec.custom",
                "{name: \"fan-{unit}\", binding: {conditions: [example.com/ready], failureConditions: [example.com/failed], simulate: {after: 1s}}} | template.hardware.devices[0].binding.simulate: is not read in a model; allowed: spec.binding.simulate"
            })
    void mistakeInAModelIsReportedWithItsPlace(String device, String problem) {
        Catalog catalog = Catalog.builtIn()
                .with(List.of(new Catalog.Addition(
                        "mine",
                        "{name: FAN, template: {provenance: {source: us, unverified: false}, kind: nic, hardware: {devices: ["
                                + device + "]}}}")));
        assertThat(problems("{model: FAN, count: 2}", catalog))
                .singleElement()
                .asString()
                .startsWith("spec.model: \"FAN\" cannot be used: ")
                .contains(problem);
    }

    /** Their names do not contain unit numbers, so index 0 would mean all of them. */
    @Test
    void unitsAreNotSelectedByIndex() {
        assertThat(problems(
                        "{model: ConnectX-7, count: 2, taints: [{devices: {gpus: [0]}, key: example.com/a, effect: NoSchedule}]}",
                        Catalog.builtIn()))
                .containsExactly(
                        "spec.taints[0].devices.gpus: \"0\" does not go with model ConnectX-7; allowed: names or types"
                                + " of its devices");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "count: 0",
                "count: 1000000000",
                "count: 2, topology: {numaNodes: 0}",
                "count: 2, topology: {gpusPerPcieRoot: 0}"
            })
    void specsThatTheSchemaRejectsAreNotExpanded(String spec) {
        assertThat(problems("{model: ConnectX-7, %s}".formatted(spec), Catalog.builtIn()))
                .isNotEmpty();
    }

    @Test
    void unitsMustNotShareACounterSet() {
        Catalog catalog = Catalog.builtIn().with(List.of(new Catalog.Addition("mine", """
                        name: FAN
                        template:
                          provenance: {source: us, unverified: false}
                          kind: nic
                          hardware:
                            counterSets: [{name: air, counters: {flow: "1"}}]
                            devices: [{name: "fan-{unit}", consumesCounters: [{counterSet: air, counters: {flow: "1"}}]}]
                        """)));

        assertThat(problems("{model: FAN, count: 1}", catalog)).isEmpty();
        assertThat(problems("{model: FAN, count: 2}", catalog))
                .containsExactly("spec.model: \"FAN\" cannot be used: template.hardware: has two counter sets air;"
                        + " allowed: names with {unit}");
    }

    private static List<String> problems(String spec, Catalog catalog) {
        return new InventoryPlanner(catalog)
                .check(Specs.spec(spec), "fake").stream()
                        .map(SpecProblem::sentence)
                        .toList();
    }

    private static String attribute(Inventory inventory, String device, String attribute) {
        return String.valueOf(Specs.device(inventory, device).attributes().get(attribute));
    }
}
