package dev.fakegpu.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogTest {

    private static final Path FILES = Path.of("src/main/resources/catalog");

    static Stream<GpuModel> models() {
        Catalog catalog = Catalog.builtIn();
        return catalog.names().stream().map(name -> catalog.find(name).orElseThrow());
    }

    @Test
    void everyFileIsListed() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            assertThat(files).hasSameSizeAs(Catalog.builtIn().names());
        }
        assertThat(Catalog.builtIn().names()).containsExactly("A100-SXM4-40GB", "H100-80GB-HBM3", "L40S");
    }

    @Test
    void anUnknownNameFindsNothing() {
        assertThat(Catalog.builtIn().find("a100-sxm4-40gb")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "A100-SXM4-40GB, 40960, 8.0.0, 0x20B010DE, 8, 40192, 98, 7, 5, 1, 1",
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
        GpuModel model = Catalog.builtIn().find(name).orElseThrow();

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
    @ValueSource(strings = {"A100-SXM4-40GB", "H100-80GB-HBM3"})
    void eightSliceGpusShareProfileIdsAndPlacements(String name) {
        assertThat(mig(Catalog.builtIn().find(name).orElseThrow()).profiles())
                .extracting(profile -> profile.computeSlices() + (profile.mediaExtensions() ? "+me " : " ")
                        + profile.giProfileId() + " " + profile.maxInstances() + " "
                        + profile.placements().size() + " "
                        + profile.placements().starts())
                .containsExactly(
                        "1 19 7 1 [0, 1, 2, 3, 4, 5, 6]",
                        "1+me 20 1 1 [0, 1, 2, 3, 4, 5, 6]",
                        "1 15 4 2 [0, 2, 4, 6]",
                        "2 14 3 2 [0, 2, 4]",
                        "3 9 2 4 [0, 4]",
                        "4 5 1 4 [0]",
                        "7 0 1 8 [0]");
    }

    @ParameterizedTest
    @MethodSource("models")
    void equalSizeMaximaFillTheFramebuffer(GpuModel model) {
        assertThat(vgpu(model).types())
                .allSatisfy(type -> assertThat(type.maxInstances().equalSize())
                        .isEqualTo(model.identity().memoryMiB() / type.framebufferMiB()));
    }

    @ParameterizedTest
    @MethodSource("models")
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

    @Test
    void aModelIsNamedAfterItsProduct() throws IOException {
        String yaml = builtIn("h100-80gb-hbm3.yaml").replaceFirst("name: .*", "name: H100-SXM5-80GB");

        assertThatThrownBy(() -> read(yaml))
                .hasMessageContaining("model \"H100-SXM5-80GB\" should be named \"H100-80GB-HBM3\"");
    }

    @Test
    void twoModelsOfOneNameAreRefused() {
        GpuModel model = Catalog.builtIn().find("L40S").orElseThrow();

        assertThatThrownBy(() -> Catalog.of(List.of(model, model))).hasMessage("model L40S occurs twice");
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

    private static GpuModel read(String yaml) throws IOException {
        return Catalog.read(new ByteArrayInputStream(yaml.getBytes(UTF_8)));
    }
}
