package dev.fakegpu.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of {@code docs/catalogue.md} are written by hand; nothing that the catalogue has may be missing or differ there. */
class CatalogueDocsTest {

    private static List<String> lines = List.of();

    static List<GpuModel> models() {
        var catalog = Catalog.builtIn();
        return catalog.names().stream()
                .flatMap(name -> catalog.find(name).stream())
                .toList();
    }

    @BeforeAll
    static void read() throws IOException {
        lines = Files.readAllLines(ProjectFiles.resolve("docs/catalogue.md"));
    }

    @ParameterizedTest
    @MethodSource("models")
    void modelIsInTheOverview(GpuModel model) {
        var identity = model.identity();
        assertThat(row(lines, model.name()))
                .startsWith(
                        identity.productName(),
                        identity.architecture(),
                        identity.cudaComputeCapability(),
                        "`" + identity.pciDeviceId() + "`",
                        identity.memoryMiB() + " MiB");
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyMigProfileIsInTheModelsTable(GpuModel model) {
        if (model.mig() == null) {
            return;
        }
        for (MigProfile profile : model.mig().profiles()) {
            var starts =
                    profile.placements().starts().stream().map(String::valueOf).collect(Collectors.joining(", "));
            MigCapacity capacity = profile.capacity();
            assertThat(row(section(model), profile.name()))
                    .containsExactly(
                            "" + profile.giProfileId(),
                            "" + profile.maxInstances(),
                            "" + profile.placements().size(),
                            starts,
                            capacity.memoryMiB() + " MiB",
                            "" + capacity.multiprocessors(),
                            "" + capacity.copyEngines(),
                            "" + capacity.decoders(),
                            "" + capacity.jpegEngines(),
                            "" + capacity.ofaEngines());
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyVgpuTypeIsInTheModelsTable(GpuModel model) {
        if (model.vgpu() == null) {
            return;
        }
        for (VgpuType type : model.vgpu().types()) {
            boolean unverified = type.provenance() != null && type.provenance().unverified();
            assertThat(row(section(model), type.name()))
                    .containsExactly(
                            "`" + model.vgpu().namePrefix() + type.name() + "`",
                            type.framebufferMiB() + " MiB",
                            type.maxInstances().equalSize() + (unverified ? " (unverified)" : ""));
        }
    }

    /** The lines below the heading with the model's name, up to the next heading. */
    private static List<String> section(GpuModel model) {
        int heading = lines.indexOf("## " + model.name());
        assertThat(heading).as("heading of %s", model.name()).isNotNegative();
        return lines.subList(heading + 1, lines.size()).stream()
                .takeWhile(line -> !line.startsWith("## "))
                .toList();
    }

    /** The cells of the one row that begins with the name, without that name. */
    private static List<String> row(List<String> of, String name) {
        String start = "| `" + name + "` |";
        var rows = of.stream().filter(line -> line.startsWith(start)).toList();
        assertThat(rows).as("rows of %s", name).hasSize(1);
        return Arrays.stream(rows.get(0).substring(start.length()).split("\\|"))
                .map(String::strip)
                .toList();
    }
}
