package dev.fakegpu.hardware.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests parts of a catalog entry that override another entry. */
class ModelOverridesTest {

    private static final YAMLMapper YAML = new YAMLMapper();

    @Test
    void anEmptyOverrideLeavesTheModelAsItIs() throws Exception {
        for (Model model : Catalog.builtIn().models()) {
            assertThat(Catalog.override(model, tree("{}"))).isEqualTo(model);
        }
    }

    @Test
    void aFieldIsReplacedAndItsNeighborsStay() throws Exception {
        GpuModel changed = override("A30", "{identity: {productName: NVIDIA A30X, memoryMiB: 32768}}");

        assertThat(changed.identity().productName()).isEqualTo("NVIDIA A30X");
        assertThat(changed.identity().memoryMiB()).isEqualTo(32768);
        assertThat(changed.identity().architecture()).isEqualTo("Ampere");
        assertThat(changed.mig()).isEqualTo(model("A30").mig());
        assertThat(changed.name()).isEqualTo("A30");
    }

    /** Otherwise a board with more memory would still report the memory of the smaller one. */
    @Test
    void memoryThatNvmlReportsFollowsTheMemory() throws Exception {
        assertThat(model("H100-80GB-HBM3").identity().reportedMemoryMiB()).isEqualTo(81559);
        assertThat(override("H100-80GB-HBM3", "{identity: {memoryMiB: 96256}}")
                        .identity()
                        .reportedMemoryMiB())
                .isEqualTo(96256);
        assertThat(override("H100-80GB-HBM3", "{identity: {memoryMiB: 96256, nvmlMemoryMiB: 95830}}")
                        .identity()
                        .reportedMemoryMiB())
                .isEqualTo(95830);
        assertThat(override("H100-80GB-HBM3", "{identity: {brand: Tesla}}")
                        .identity()
                        .reportedMemoryMiB())
                .isEqualTo(81559);
    }

    @Test
    void aFabricIsAddedAndPartsOfItAreReplaced() throws Exception {
        GpuModel added = override(
                "B200",
                "{fabric: {provenance: {source: mine, unverified: false}, moduleIds: [2, 1],"
                        + " partitions: [{id: 3, moduleIds: [1, 2]}]}}");
        GpuModel changed = override("H200", "{fabric: {partitions: [{id: 3, moduleIds: [1, 2]}]}}");

        assertThat(Objects.requireNonNull(added.fabric()).partitionsBySize(1)).isEqualTo(Map.of(2, 3));
        assertThat(Objects.requireNonNull(changed.fabric()).partitions()).hasSize(1);
        assertThat(changed.fabric().partitionsBySize(8)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "moduleIds: []                          | the fabric has 0 GPUs, 1 to 64 are possible",
                "moduleIds: [1, 1]                      | a module ID occurs twice",
                "moduleIds: [0, 1]                      | a module ID is less than 1",
                "partitions: []                         | the fabric has 0 partitions, 1 to 64 are possible",
                "partitions: [{id: 1, moduleIds: [9]}]  | fabric partition 1 names a module ID that is not in moduleIds",
                "partitions: [{id: -1, moduleIds: [1]}] | the ID -1 of a fabric partition is negative",
                "partitions: [{id: 1, moduleIds: []}]   | fabric partition 1 has no GPUs",
                "partitions: [{id: 1, moduleIds: [1, 1]}] | fabric partition 1 names a module ID twice",
                "partitions: [{id: 1, moduleIds: [1]}, {id: 1, moduleIds: [2]}] | a partition ID occurs twice",
                "partitions: [{id: 1, moduleIds: [1, 2]}, {id: 2, moduleIds: [1, 3]}]"
                        + " | the GPU with module ID 1 is in two fabric partitions of 2 GPUs"
            })
    void aFabricThatContradictsItselfIsRejected(String fabric, String message) {
        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> override("H200", "{fabric: {%s}}".formatted(fabric)))
                .satisfies(e -> assertThat(e.problems())
                        .singleElement()
                        .extracting(ModelProblem::problem)
                        .isEqualTo("contradicts itself: " + message));
    }

    @Test
    void aProfileIsFoundByItsName() throws Exception {
        GpuModel changed = override(
                "A30",
                "{mig: {profiles: [{name: 2g.12gb, capacity: {decoders: 1}, placements: {starts: [0]},"
                        + " maxInstances: 1}]}, vgpu: {migBacked: {types: [{name: 2-12C, maxInstances: 1}]}}}");

        MigProfile profile =
                Objects.requireNonNull(changed.mig()).profile("2g.12gb").orElseThrow();
        assertThat(profile.capacity().decoders()).isEqualTo(1);
        assertThat(profile.capacity().multiprocessors()).isEqualTo(28);
        assertThat(profile.placements()).isEqualTo(new MigProfile.Placements(2, List.of(0)));
        assertThat(changed.mig().profiles()).hasSize(5);
    }

    /** The names of profiles contain the memory of the board, so they differ on a board with more memory. */
    @Test
    void aProfileIsRenamedByItsId() throws Exception {
        GpuModel changed = override("GB200", "{mig: {profiles: [{name: 1g.24gb, giProfileId: 19}]}}");

        assertThat(Objects.requireNonNull(changed.mig()).profiles())
                .hasSize(7)
                .extracting(MigProfile::name)
                .contains("1g.24gb")
                .doesNotContain("1g.23gb");
    }

    @Test
    void vgpuTypesFollowTheirProfileToItsNewName() throws Exception {
        GpuModel changed = override("H100-80GB-HBM3", "{mig: {profiles: [{name: 1g.12gb, giProfileId: 19}]}}");

        var table =
                Objects.requireNonNull(Objects.requireNonNull(changed.vgpu()).migBacked());
        assertThat(table.types())
                .extracting(MigBackedVgpuType::name, MigBackedVgpuType::migProfile)
                .contains(tuple("1-10C", "1g.12gb"), tuple("1-10CME", "1g.10gb+me"));
    }

    @Test
    void aTypeIsAddedWhereItsSizeBelongs() throws Exception {
        GpuModel changed = override(
                "L40S",
                "{vgpu: {types: [{name: 2Q, framebufferMiB: 2048, maxInstances: {equalSize: 24, mixedSize: 16}}]}}");

        assertThat(Objects.requireNonNull(changed.vgpu()).types())
                .extracting(VgpuType::name)
                .containsExactly("2Q", "4C", "6C", "8C", "12C", "16C", "24C", "48C");
    }

    @Test
    void anEqualPartsModelCanBeOverridden() throws Exception {
        Model model = Catalog.builtIn().find("LATEST-GPU-MODEL").orElseThrow();

        var changed = (EqualPartsModel) Catalog.override(model, tree("{equalParts: {capacity: {memory: 96Gi}}}"));

        assertThat(changed.equalParts().capacity())
                .containsEntry("memory", "96Gi")
                .containsEntry("compute", "100");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {identity: {memory: 1}} | identity.memory: "1" is not a field of a model; allowed: provenance, productName, brand, architecture, pciDeviceId, cudaComputeCapability, memoryMiB, nvmlMemoryMiB
            {identity: {memoryMiB: 40Gi}} | identity.memoryMiB: "40Gi" is of the wrong type; allowed: a whole number of at most 32 bits
            {identity: {memoryMiB: 4000000000}} | identity.memoryMiB: "4000000000" is of the wrong type; allowed: a whole number of at most 32 bits
            {identity: {memoryMiB: null}} | identity.memoryMiB is missing; allowed: a whole number of at most 32 bits
            {identity: 5} | identity: "5" is not an object; allowed: an object with provenance, productName, brand, architecture, pciDeviceId, cudaComputeCapability, memoryMiB, nvmlMemoryMiB
            {identity: {brand: [a]}} | identity.brand: "["a"]" is of the wrong type; allowed: a text
            {vgpu: {sriovCapable: maybe}} | vgpu.sriovCapable: "maybe" is of the wrong type; allowed: true or false
            {mig: {profiles: {}}} | mig.profiles: "{}" is of the wrong type; allowed: a list
            {mig: {profiles: [{name: 9g.9gb}]}} | mig.profiles[9g.9gb].giProfileId is missing; allowed: a whole number of at most 32 bits; mig.profiles[9g.9gb].maxInstances is missing; allowed: a whole number of at most 32 bits; mig.profiles[9g.9gb].placements is missing; allowed: an object with size, starts; mig.profiles[9g.9gb].capacity is missing; allowed: an object with memoryMiB, multiprocessors, copyEngines, decoders, encoders, jpegEngines, ofaEngines
            {identity: {nvmlMemoryMiB: 24577}} | identity contradicts itself: NVIDIA A30: NVML reports 24577 of 24576 MiB
            {software: {addressingMode: UVM}} | software contradicts itself: addressing mode "UVM" is none of [HMM, ATS, None]
            {mig: {memorySlices: 3}} | mig contradicts itself: MIG profile 1g.6gb: placement 3:1 is outside of the GPU's 3 memory slices
            {mig: {profiles: [{name: 1g.6gb, capacity: {decoders: -1}}]}} | mig.profiles[0].capacity contradicts itself: a MIG instance with less than nothing
            {mig: {profiles: [{name: 2g.12gb, maxInstances: 1}]}} | model contradicts itself: A30: 2 vGPUs of type 2-12C, but not as many instances of 2g.12gb
            {name: A40} | name: "A40" is another name than the model's; allowed: A30
            {aliases: [A40]} | aliases has no effect here, for the model is found before it is changed; allowed: no aliases
            {equalParts: {}} | identity: "{"provenance":
            """)
    void invalidOverrideIsNamed(String overrides, String expected) {
        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> override("A30", overrides))
                .satisfies(refusal -> assertThat(refusal.getMessage()).startsWith(expected));
    }

    private static GpuModel override(String model, String overrides) throws Exception {
        return (GpuModel) Catalog.override(model(model), tree(overrides));
    }

    private static GpuModel model(String name) {
        return (GpuModel) Catalog.builtIn().find(name).orElseThrow();
    }

    private static ObjectNode tree(String yaml) throws JsonProcessingException {
        return (ObjectNode) YAML.readTree(yaml);
    }
}
