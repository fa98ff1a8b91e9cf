package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InventoryPlannerTest {

    @Test
    void customHardwareIsAsWritten() {
        Inventory node = Specs.plan(Specs.spec("""
                custom:
                  counterSets:
                  - {name: left, counters: {units: "100"}}
                  - {name: right, counters: {units: 1e2}}
                  devices:
                  - name: both
                    attributes:
                      type: {string: foo}
                      size: {int: 7}
                      example.com/fast: {bool: true}
                      firmware: {version: 1.2.3-rc.1+build.5}
                    capacity: {memory: 10Gi}
                    consumesCounters:
                    - {counterSet: left, counters: {units: 50}, compatibilityGroups: [foo, foobar]}
                    - {counterSet: right, counters: {units: 500m}}
                """));

        assertThat(node)
                .isEqualTo(new Inventory(
                        2,
                        List.of(
                                new CounterSet("left", Map.of("units", Quantity.of(100))),
                                new CounterSet("right", Map.of("units", Quantity.of(100)))),
                        List.of(new Device(
                                "both",
                                Map.of(
                                        "type", AttributeValue.of("foo"),
                                        "size", AttributeValue.of(7),
                                        "example.com/fast", AttributeValue.of(true),
                                        "firmware", AttributeValue.version("1.2.3-rc.1+build.5")),
                                Map.of("memory", Quantity.parse("10Gi")),
                                List.of(
                                        new CounterConsumption(
                                                "left", Map.of("units", Quantity.of(50)), List.of("foo", "foobar")),
                                        new CounterConsumption(
                                                "right", Map.of("units", Quantity.parse("500m")), List.of())),
                                List.of()))));
    }

    @Test
    void customHardwareWithoutCounterSetsCountsAsOneGpu() {
        assertThat(Specs.plan(Specs.spec("custom: {devices: [{name: only}]}")).gpus())
                .isEqualTo(1);
    }

    @Test
    void aSpecWithProblemsIsNotPlanned() {
        assertThatThrownBy(() -> Specs.plan(Specs.spec("{model: A100-SXM4-90GB}")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("spec.model: \"A100-SXM4-90GB\" is not in the catalog (did you mean \"A100-SXM4-40GB\"?);"
                        + " allowed: " + String.join(", ", Catalog.builtIn().names()));
    }

    @ParameterizedTest
    @CsvSource({
        "h100, H100-80GB-HBM3",
        "l40, L40S",
        "A100-SXM4-4OGB, A100-SXM4-40GB",
        "H100-PCIe, H100-80GB-HBM3",
        "H100-SXM-80GB, H100-SXM5-80GB",
        "NVIDIA H100 80GB HBM2, NVIDIA-H100-80GB-HBM3"
    })
    void aMisspelledModelGetsASuggestion(String written, String meant) {
        assertThat(sentences("{model: %s}".formatted(written)))
                .singleElement()
                .asString()
                .contains("(did you mean \"" + meant + "\"?)");
    }

    @Test
    void anAliasOfAModelGivesTheSameDevices() {
        String rest =
                ", partitions: {mig: {profiles: [All]}, vgpu: {types: [All]}}, modelOverrides: {name: H100-80GB-HBM3}}";

        assertThat(Specs.plan(Specs.spec("{model: H100-SXM5-80GB" + rest)))
                .isEqualTo(Specs.plan(Specs.spec("{model: H100-80GB-HBM3" + rest)));
    }

    @Test
    void anUnrelatedModelGetsNoSuggestion() {
        assertThat(sentences("{model: Ponte-Vecchio}"))
                .containsExactly("spec.model: \"Ponte-Vecchio\" is not in the catalog;" + " allowed: "
                        + String.join(", ", Catalog.builtIn().names()));
    }

    @Test
    void aModelOfABadFileIsRefusedWithTheProblemOfTheFile() {
        var planner = new InventoryPlanner(
                Catalog.builtIn()
                        .with(
                                List.of(
                                        new Catalog.Addition(
                                                "ConfigMap x",
                                                "{name: mine, software: {provenance: {source: us, unverified: false}, driverVersion: 1.0.0, cudaDriverVersion: 1.0.0}}"))));

        assertThat(planner.check(Specs.spec("{model: mine}"), "sample"))
                .singleElement()
                .extracting(SpecProblem::sentence)
                .asString()
                .isEqualTo(
                        "spec.model: \"mine\" cannot be used: ConfigMap x: identity is missing; allowed: an object with"
                                + " provenance, productName, brand, architecture, pciDeviceId, cudaComputeCapability, memoryMiB, nvmlMemoryMiB");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65})
    void aCountOutOfRangeIsRefused(int count) {
        assertThat(sentences("{model: L40S, count: %d}".formatted(count)))
                .containsExactly("spec.count: \"%d\" is out of range; allowed: 1 to 64".formatted(count));
    }

    @Test
    void everyProblemIsFound() {
        assertThat(sentences("{model: A100-SXM4-40GB, count: 65, driver: UPPER, partitions:"
                        + " {mig: {profiles: [1g.5gb, 1g.6gb, 1g.5gb, All]}, vgpu: {types: []}}}"))
                .extracting(sentence -> sentence.substring(0, sentence.indexOf(';')))
                .containsExactly(
                        "spec.driver: \"UPPER\" is malformed",
                        "spec.count: \"65\" is out of range",
                        "spec.partitions.mig.profiles[1]: \"1g.6gb\" is not a MIG profile of A100-SXM4-40GB (did you mean"
                                + " \"1g.5gb\"?)",
                        "spec.partitions.mig.profiles[2]: \"1g.5gb\" occurs twice",
                        "spec.partitions.mig.profiles[3]: \"All\" stands beside others",
                        "spec.partitions.vgpu.types is empty");
    }

    @Test
    void bothOrNeitherHardwareIsRefused() {
        assertThat(sentences("{}")).containsExactly("spec has no hardware; allowed: exactly one of model and custom");
        assertThat(sentences("{model: L40S, custom: {devices: [{name: foo}]}}"))
                .containsExactly(
                        "spec: \"L40S\" is a model beside custom hardware; allowed: exactly one of model and custom");
    }

    @Test
    void limitsOfTheSchemaAreCheckedHereToo() {
        String counters = numbered(33, "c%d: 1");
        String attributes = numbered(20, "a%d: {int: 1}");
        String capacity = numbered(13, "c%d: 1");

        assertThat(fields("custom: {counterSets: [{name: set, counters: {%s}}], devices: [{name: foo}]}"
                        .formatted(counters)))
                .containsExactly("spec.custom.counterSets[0].counters");
        assertThat(fields("custom: {devices: [{name: foo, attributes: {%s}, capacity: {%s}}]}"
                        .formatted(attributes, capacity)))
                .containsExactly("spec.custom.devices[0]");
        assertThat(fields("custom: {devices: []}")).containsExactly("spec.custom.devices");
    }

    @Test
    void missingNamesAndValuesAreProblemsAndNotExceptions() {
        var spec = Specs.spec("custom: {counterSets: [{counters: {units: null}}], devices: [{attributes: {a: null},"
                + " capacity: {c: null}, consumesCounters: [{}]}]}");

        assertThat(Specs.PLANNER.check(spec, "fake"))
                .extracting(SpecProblem::field)
                .containsExactly(
                        "spec.custom.counterSets[0].name",
                        "spec.custom.counterSets[0].counters[units]",
                        "spec.custom.devices[0].name",
                        "spec.custom.devices[0].attributes[a]",
                        "spec.custom.devices[0].capacity[c]",
                        "spec.custom.devices[0].consumesCounters[0].counterSet",
                        "spec.custom.devices[0].consumesCounters[0].counters");
    }

    /** The client does not validate quantities when it parses them; converting one to a number would throw an exception. */
    @Test
    void quantitiesThatTheClientTakesForNumbersAreProblemsAndNotExceptions() {
        var spec = Specs.spec("custom: {devices: [{name: foo, capacity: {memory: 12parsecs}}]}");

        assertThat(Specs.PLANNER.check(spec, "fake"))
                .extracting(SpecProblem::sentence)
                .containsExactly(
                        "spec.custom.devices[0].capacity[memory]: \"12parsecs\" is not a quantity; allowed: a quantity"
                                + " from 0 to 9223372036854775807, for example 16, 500m or 40Gi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A_1", "_", "example.com/a", "a23456789012345678901234567890ab"})
    void acceptsAttributeNamesOfTheApi(String name) {
        assertThat(fields("custom: {devices: [{name: foo, attributes: {'%s': {int: 1}}}]}".formatted(name)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1a", "a-b", "a.b", "/a", "a/", "a/b/c", "Example.com/a", "a23456789012345678901234567890abc", ""
            })
    void refusesInvalidAttributeNames(String name) {
        assertThat(fields("custom: {devices: [{name: foo, attributes: {'%s': {int: 1}}}]}".formatted(name)))
                .containsExactly("spec.custom.devices[0].attributes[" + name + "]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1.2", "01.2.3", "1.2.3-01", "1.2.3+", "v1.2.3", "1.2.3.4", ""})
    void refusesVersionsThatAreNotSemantic(String version) {
        assertThat(fields("custom: {devices: [{name: foo, attributes: {v: {version: '%s'}}}]}".formatted(version)))
                .containsExactly("spec.custom.devices[0].attributes[v].version");
    }

    @Test
    void aStringIsMeasuredInBytes() {
        assertThat(fields(
                        "custom: {devices: [{name: foo, attributes: {s: {string: '%s'}}}]}".formatted("é".repeat(32))))
                .isEmpty();
        assertThat(fields(
                        "custom: {devices: [{name: foo, attributes: {s: {string: '%s'}}}]}".formatted("é".repeat(33))))
                .containsExactly("spec.custom.devices[0].attributes[s].string");
    }

    @Test
    void sentencesStayShort() {
        String sets = numbered(100, "{name: set-%d, counters: {units: 1}}");
        String name = String.join("", Collections.nCopies(5000, "x"));

        assertThat(sentences(
                        "custom: {counterSets: [%s], devices: [{name: foo, consumesCounters: [{counterSet: %s, counters: {units: 1}}]}]}"
                                .formatted(sets, name)))
                .singleElement()
                .asString()
                .hasSizeLessThan(400)
                .contains("xxx...\" names no counter set; allowed: set-0, set-1, set-10,")
                .endsWith(", ...");
    }

    private static String numbered(int count, String format) {
        return IntStream.range(0, count).mapToObj(format::formatted).collect(Collectors.joining(", "));
    }

    private static List<String> sentences(String spec) {
        return Specs.PLANNER.check(Specs.spec(spec), "fake").stream()
                .map(SpecProblem::sentence)
                .toList();
    }

    private static List<String> fields(String spec) {
        return Specs.PLANNER.check(Specs.spec(spec), "fake").stream()
                .map(SpecProblem::field)
                .toList();
    }
}
