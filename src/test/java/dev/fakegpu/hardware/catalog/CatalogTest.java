package dev.fakegpu.hardware.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogTest {

    private static final Path FILES = Path.of("src/main/resources/catalog");

    static Stream<GpuModel> models() {
        return Catalog.builtIn().models().stream()
                .filter(GpuModel.class::isInstance)
                .map(GpuModel.class::cast);
    }

    static Stream<GpuModel> modelsWithVgpu() {
        return models().filter(model -> model.vgpu() != null);
    }

    @Test
    void everyFileIsListed() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            assertThat(files).hasSameSizeAs(Catalog.builtIn().names());
        }
        assertThat(Catalog.builtIn().names())
                .containsExactly(
                        "A10",
                        "A100-PCIE-40GB",
                        "A100-PCIE-80GB",
                        "A100-SXM4-40GB",
                        "A100-SXM4-80GB",
                        "A10G",
                        "A30",
                        "B200",
                        "BlueField-3",
                        "ConnectX-7",
                        "ConnectX-7-SRIOV",
                        "GB200",
                        "GB300",
                        "GRACE",
                        "Gaudi3",
                        "H100-80GB-HBM3",
                        "H200",
                        "L4",
                        "L40S",
                        "LATEST-CPU-MODEL",
                        "LATEST-GPU-MODEL",
                        "LATEST-NET-MODEL",
                        "MI300X",
                        "MI300X-AUTO-PARTITION",
                        "MI300X-CPX-NPS1",
                        "MI300X-CPX-NPS4",
                        "MI300X-DPX-NPS1",
                        "NUMA-MEMORY",
                        "RTX-6000-Ada-Generation",
                        "T4",
                        "TPU-V6E",
                        "V100-SXM2-16GB",
                        "XEON-8480C",
                        "XEON-8480C-INDIVIDUAL",
                        "XEON-8570");
    }

    @Test
    void anUnknownNameFindsNothing() {
        assertThat(Catalog.builtIn().find("a100-sxm4-40gb")).isEmpty();
    }

    /**
     * Tests names of GPUs in lists of hardware: those of NVML, of lspci, and in the label of GPU feature discovery, which has dashes
     * instead of spaces; with or without the vendor.
     */
    @ParameterizedTest
    @CsvSource({
        "H100-SXM5-80GB, H100-80GB-HBM3",
        "H100 SXM5 80GB, H100-80GB-HBM3",
        "NVIDIA H100 80GB HBM3, H100-80GB-HBM3",
        "NVIDIA-H100-80GB-HBM3, H100-80GB-HBM3",
        "A100 SXM4 40GB, A100-SXM4-40GB",
        "A100 PCIe 40GB, A100-PCIE-40GB",
        "NVIDIA-A100-80GB-PCIe, A100-PCIE-80GB",
        "H200 SXM 141GB, H200",
        "NVIDIA-L40S, L40S",
        "Tesla-T4, T4",
        "NVIDIA T4, T4",
        "NVIDIA-A10G, A10G",
        "Tesla V100 SXM2 16GB, V100-SXM2-16GB",
        "A30-PCIE-24GB, A30",
        "A100 80GB PCIe, A100-PCIE-80GB",
        "NVIDIA H100-SXM5-80GB, H100-80GB-HBM3"
    })
    void aModelIsFoundByItsAliases(String written, String name) {
        assertThat(Catalog.builtIn().find(written)).map(Model::name).contains(name);
    }

    @ParameterizedTest
    @MethodSource("models")
    void theProductNameIsAnAlias(GpuModel model) {
        assertThat(model.aliasesOrNone()).contains(model.identity().productName());
    }

    @Test
    void everyNameAndAliasMeansOneModel() {
        Map<String, String> meanings = new HashMap<>();
        for (Model model : Catalog.builtIn().models()) {
            Stream.concat(Stream.of(model.name()), model.aliasesOrNone().stream())
                    .forEach(name -> {
                        assertThat(meanings.put(Names.key(name).toLowerCase(Locale.ROOT), model.name()))
                                .as("another meaning of %s", name)
                                .isIn(null, model.name());
                        assertThat(Catalog.builtIn().find(name)).contains(model);
                        assertThat(Catalog.builtIn().namesAndAliases()).contains(Names.key(name));
                    });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "A100-SXM4-40GB, 40960, 8.0.0, 0x20B010DE, 8, 40192, 98, 7, 5, 1, 1",
        "A100-PCIE-40GB, 40960, 8.0.0, 0x20F110DE, 8, 40192, 98, 7, 5, 1, 1",
        "A100-SXM4-80GB, 81920, 8.0.0, 0x20B210DE, 8, 80896, 98, 7, 5, 1, 1",
        "A100-PCIE-80GB, 81920, 8.0.0, 0x20B510DE, 8, 80896, 98, 7, 5, 1, 1",
        "A30, 24576, 8.0.0, 0x20B710DE, 4, 23344, 56, 4, 4, 1, 1",
        "H200, 144384, 9.0.0, 0x233510DE, 8, 143104, 132, 8, 7, 7, 1",
        "B200, 184320, 10.0.0, 0x290110DE, 8, 183359, 148, 16, 7, 7, 1",
        "GB200, 190464, 10.0.0, 0x294110DE, 8, 189471, 152, 16, 7, 7, 1",
        "H100-80GB-HBM3, 81920, 9.0.0, 0x233010DE, 8, 81152, 132, 8, 7, 7, 1"
    })
    void totalsAreThoseOfTheLargestProfile(
            String name,
            int memory,
            String computeCapability,
            String pciId,
            int slices,
            int migMemory,
            int multiprocessors,
            int copyEngines,
            int decoders,
            int jpegEngines,
            int ofaEngines) {
        GpuModel model = model(name);

        assertThat(model.identity().memoryMiB()).isEqualTo(memory);
        assertThat(model.identity().cudaComputeCapability()).isEqualTo(computeCapability);
        assertThat(model.identity().pciDeviceId()).isEqualTo(pciId);
        assertThat(mig(model).memorySlices()).isEqualTo(slices);
        assertThat(mig(model).total())
                .isEqualTo(
                        new MigCapacity(migMemory, multiprocessors, copyEngines, decoders, 0, jpegEngines, ofaEngines));
    }

    /** NVIDIA's profile IDs and maxima are the same on all GPUs with eight memory slices. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "A100-SXM4-40GB",
                "A100-PCIE-40GB",
                "A100-SXM4-80GB",
                "A100-PCIE-80GB",
                "H100-80GB-HBM3",
                "H200",
                "B200",
                "GB200"
            })
    void eightSliceGpusShareProfileIdsAndPlacements(String name) {
        assertThat(mig(model(name)).profiles())
                .extracting(CatalogTest::geometry)
                .containsExactly(
                        "1 19 7 1 [0, 1, 2, 3, 4, 5, 6]",
                        "1+me 20 1 1 [0, 1, 2, 3, 4, 5, 6]",
                        "1 15 4 2 [0, 2, 4, 6]",
                        "2 14 3 2 [0, 2, 4]",
                        "3 9 2 4 [0, 4]",
                        "4 5 1 4 [0]",
                        "7 0 1 8 [0]");
    }

    @Test
    void theA30HasFourSlicesAndIdsOfItsOwn() {
        assertThat(mig(model("A30")).profiles())
                .extracting(CatalogTest::geometry)
                .containsExactly(
                        "1 14 4 1 [0, 1, 2, 3]",
                        "1+me 21 1 1 [0, 1, 2, 3]",
                        "2 5 2 2 [0, 2]",
                        "2+me 6 1 2 [0, 2]",
                        "4 0 1 4 [0]");
    }

    private static String geometry(MigProfile profile) {
        return profile.computeSlices() + (profile.name().endsWith("+me") ? "+me " : " ")
                + profile.giProfileId() + " " + profile.maxInstances() + " "
                + profile.placements().size() + " "
                + profile.placements().starts();
    }

    /** The numbers are from NVIDIA's vGPU user guide, C-series: the type, then the maxima in equal-size and in mixed-size mode. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            L40S           | 4C 12/8, 6C 8/8, 8C 6/4, 12C 4/4, 16C 3/2, 24C 2/2, 48C 1/1
            A30            | 4C 6/4, 6C 4/4, 8C 3/2, 12C 2/2, 24C 1/1
            A100-SXM4-40GB | 4C 10/8, 5C 8/8, 8C 5/4, 10C 4/4, 20C 2/2, 40C 1/1
            A100-PCIE-40GB | 4C 10/8, 5C 8/8, 8C 5/4, 10C 4/4, 20C 2/2, 40C 1/1
            A100-SXM4-80GB | 4C 20/16, 8C 10/8, 10C 8/8, 16C 5/4, 20C 4/4, 40C 2/2, 80C 1/1
            A100-PCIE-80GB | 4C 20/16, 8C 10/8, 10C 8/8, 16C 5/4, 20C 4/4, 40C 2/2, 80C 1/1
            H100-80GB-HBM3 | 4C 20/16, 5C 16/16, 8C 10/8, 10C 8/8, 16C 5/4, 20C 4/4, 40C 2/2, 80C 1/1
            H200           | 4C 32/32, 7C 20/20, 8C 16/16, 14C 10/10, 17C 8/8, 28C 5/5, 35C 4/4, 70C 2/2, 141C 1/1
            """)
    void vgpuMaximaAreThoseOfTheGuide(String name, String expected) {
        assertThat(vgpu(model(name)).types().stream()
                        .map(type -> "%s %d/%d"
                                .formatted(
                                        type.name(),
                                        type.maxInstances().equalSize(),
                                        type.maxInstances().mixedSize()))
                        .collect(Collectors.joining(", ")))
                .isEqualTo(expected);
    }

    /** The name of a MIG-backed type begins with the number of compute slices of its instance, and has the same ending. */
    @ParameterizedTest
    @MethodSource("modelsWithVgpu")
    void migBackedTypesFitTheirProfiles(GpuModel model) {
        if (vgpu(model).migBacked() == null) {
            assertThat(model.mig()).isNull();
            return;
        }
        assertThat(Objects.requireNonNull(vgpu(model).migBacked()).types())
                .hasSameSizeAs(mig(model).profiles())
                .allSatisfy(type -> {
                    MigProfile profile = mig(model).profile(type.migProfile()).orElseThrow();
                    assertThat(type.name())
                            .isEqualTo(profile.name()
                                    .replace("g.", "-")
                                    .replace("gb", "C")
                                    .replace("+me", "ME"));
                    assertThat(type.maxInstances()).isEqualTo(profile.maxInstances());
                    assertThat((long) type.framebufferMiB() * mig(model).memorySlices())
                            .isEqualTo((long) model.identity().memoryMiB()
                                    * profile.placements().size());
                });
    }

    @Test
    void someModelsHaveNoVgpuTypes() {
        assertThat(models().filter(model -> model.vgpu() == null).map(GpuModel::name))
                .containsExactly("A10G", "B200", "GB200", "GB300", "T4", "V100-SXM2-16GB");
    }

    @ParameterizedTest
    @MethodSource("modelsWithVgpu")
    void equalSizeMaximaFillTheFramebuffer(GpuModel model) {
        assertThat(vgpu(model).types())
                // On the H200, fewer of them fit than the framebuffer could hold.
                .filteredOn(type ->
                        !model.name().equals("H200") || !List.of("4C", "8C").contains(type.name()))
                .allSatisfy(type -> assertThat(type.maxInstances().equalSize())
                        .isEqualTo(model.identity().memoryMiB() / type.framebufferMiB()));
    }

    @ParameterizedTest
    @MethodSource("modelsWithVgpu")
    void framebufferIsTheTypesNumberOfGibibytes(GpuModel model) {
        assertThat(vgpu(model).types())
                .allSatisfy(type -> assertThat(type.name()).isEqualTo(type.framebufferMiB() / 1024 + "C"));
    }

    @Test
    void aPlacementOutsideOfTheGpuIsRefused() {
        assertThatThrownBy(() -> new MigTable(
                        new Provenance("test", false, null),
                        8,
                        7,
                        List.of(new MigProfile(
                                "3g.20gb",
                                9,
                                2,
                                new MigProfile.Placements(4, List.of(0, 5)),
                                new MigCapacity(19968, 42, 3, 2, 0, 0, 0)))))
                .hasMessage("MIG profile 3g.20gb: placement 5:4 is outside of the GPU's 8 memory slices");
    }

    @Test
    void moreVgpusThanTheFramebufferHoldsAreRefused() throws IOException {
        String yaml =
                builtIn("h100-80gb-hbm3.yaml").replace("{equalSize: 5, mixedSize: 4}", "{equalSize: 6, mixedSize: 4}");

        assertThatThrownBy(() -> read(yaml))
                .hasMessageContaining(
                        "H100-80GB-HBM3: 6 vGPUs of type 16C need 98304 MiB, more than the GPU's 81920 MiB");
    }

    @Test
    void aForgottenNumberIsRefused() throws IOException {
        String yaml = builtIn("a100-sxm4-40gb.yaml").replaceFirst("decoders: 0, ", "");

        assertThatThrownBy(() -> read(yaml)).hasMessageContaining("decoders");
    }

    @Test
    void aMisspelledFieldIsRefused() throws IOException {
        String yaml = builtIn("l40s.yaml").replaceFirst("brand:", "brnad:");

        assertThatThrownBy(() -> read(yaml)).hasMessageContaining("brnad");
    }

    @ParameterizedTest
    @MethodSource("models")
    void aModelIsNamedAfterItsProduct(GpuModel model) {
        assertThat(model.identity()
                        .productName()
                        .replaceFirst("^(NVIDIA|Tesla) ", "")
                        .replace(' ', '-'))
                .isEqualTo(model.name());
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyModelHasNvidiasVendorId(GpuModel model) {
        assertThat(model.identity().pciDeviceId()).endsWith("10DE");
    }

    @Test
    void twoModelsOfOneNameAreRefused() {
        Model model = model("L40S");

        assertThatThrownBy(() -> Catalog.of(List.of(model, model)))
                .hasMessageContaining("\"L40S\" is in the catalog already");
    }

    private static GpuModel model(String name) {
        return (GpuModel) Catalog.builtIn().find(name).orElseThrow();
    }

    private static MigTable mig(GpuModel model) {
        return Objects.requireNonNull(model.mig());
    }

    private static VgpuTable vgpu(GpuModel model) {
        return Objects.requireNonNull(model.vgpu());
    }

    private static String builtIn(String file) throws IOException {
        return Files.readString(FILES.resolve(file));
    }

    private static Model read(String yaml) throws InvalidModelException {
        return Catalog.read(yaml);
    }
}
