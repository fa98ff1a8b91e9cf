package dev.fakegpu.hardware.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables in {@code docs/catalog.md} are written by hand. They must contain the complete catalog, with the same numbers. */
class CatalogDocsTest {

    private static List<String> lines = List.of();

    static List<GpuModel> models() {
        return Catalog.builtIn().models().stream()
                .filter(GpuModel.class::isInstance)
                .map(GpuModel.class::cast)
                .toList();
    }

    @BeforeAll
    static void read() throws IOException {
        lines = Files.readAllLines(ProjectFiles.resolve("docs/catalog.md"));
    }

    /** Each row in the tables about the format is a field, and says whether it is required. */
    @Test
    void formatHasEveryField() {
        var fields = new TreeMap<String, Boolean>();
        addFields("", GpuModel.class, fields);
        addFields("", EqualPartsModel.class, fields);
        addFields("", TemplateModel.class, fields);
        int format = lines.indexOf("## The format of a model");
        int end = lines.indexOf("## Where the numbers come from");

        var documented = new TreeMap<String, Boolean>();
        lines.subList(format, end).stream()
                .map(line -> line.split("\\|"))
                .filter(cells -> cells.length > 3 && cells[1].contains("`"))
                .forEach(cells -> documented.put(
                        cells[1].strip().replace("`", ""), cells[2].strip().equals("yes")));

        assertThat(documented).isEqualTo(fields);
    }

    /** Adds fields and whether they are required; {@code provenance} is documented once for all tables. */
    private static void addFields(String path, Class<?> type, Map<String, Boolean> fields) {
        for (RecordComponent component : type.getRecordComponents()) {
            AnnotatedType annotated = component.getAnnotatedType();
            boolean isProvenance = component.getType() == Provenance.class;
            String field = isProvenance ? "….provenance" : path + component.getName();
            boolean isList = component.getType() == List.class;
            boolean required = !annotated.isAnnotationPresent(Nullable.class);
            fields.merge(field, required, Boolean::logicalOr);
            Class<?> element = isList
                            && annotated.getType() instanceof ParameterizedType generic
                            && generic.getActualTypeArguments()[0] instanceof Class<?> argument
                    ? argument
                    : component.getType();
            if (element.isRecord() && element != CustomSpec.class) {
                addFields(field + (isList ? "[]." : "."), element, fields);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void modelIsInTheOverview(GpuModel model) {
        var identity = model.identity();
        assertThat(row(lines.subList(0, lines.indexOf("## Other names of a model")), model.name()))
                .startsWith(
                        identity.productName(),
                        identity.architecture(),
                        identity.cudaComputeCapability(),
                        "`" + identity.pciDeviceId() + "`",
                        identity.memoryMiB() + " MiB",
                        identity.reportedMemoryMiB() + " MiB");
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyAliasIsInTheListOfOtherNames(GpuModel model) {
        assertThat(section("Other names of a model"))
                .contains("- `" + model.name() + "`: " + String.join(", ", model.aliasesOrNone()));
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
                            type.maxInstances().equalSize() + (unverified ? " (unverified)" : ""),
                            "" + type.maxInstances().mixedSize());
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyMigBackedVgpuTypeIsInTheModelsTable(GpuModel model) {
        if (model.vgpu() == null || model.vgpu().migBacked() == null) {
            return;
        }
        for (MigBackedVgpuType type : model.vgpu().migBacked().types()) {
            assertThat(row(section(model), type.name()))
                    .containsExactly(
                            "`" + model.vgpu().namePrefix() + type.name() + "`",
                            "`" + type.migProfile() + "`",
                            type.framebufferMiB() + " MiB",
                            "" + type.maxInstances());
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyFabricPartitionIsInTheModelsTable(GpuModel model) {
        FabricTable fabric = model.fabric();
        if (fabric == null) {
            return;
        }
        assertThat(String.join(" ", section(model))).contains("module IDs " + numbers(fabric.moduleIds()));
        var bySize = fabric.partitions().stream()
                .collect(Collectors.groupingBy(
                        partition -> "partition" + partition.moduleIds().size(),
                        Collectors.mapping(
                                partition -> partition.id() + ": " + numbers(partition.moduleIds()),
                                Collectors.joining("; "))));
        bySize.forEach(
                (attribute, text) -> assertThat(row(section(model), attribute)).containsExactly(text));
    }

    @ParameterizedTest
    @MethodSource("models")
    void limitsAreInTheTableOfPowerAndClocks(GpuModel model) {
        Telemetry telemetry = Objects.requireNonNull(model.telemetry());
        var power = telemetry.powerW();
        var clocks = telemetry.clocksMHz();
        var celsius = telemetry.temperatureC();
        var nvlink = telemetry.nvlink();
        assertThat(row(section("Power, clocks and links"), model.name()))
                .containsExactly(
                        power.idle() + " W, " + power.min() + " to " + power.limit(),
                        clocks.idle() + " to " + clocks.max() + " MHz",
                        clocks.memory() + " MHz",
                        celsius.maxOperating() + ", " + celsius.slowdown() + ", " + celsius.shutdown() + " °C",
                        "" + telemetry.pcie().generation(),
                        nvlink == null ? "none" : nvlink.links() + ", " + nvlink.speedMBps() + " MB/s");
    }

    static Stream<TemplateModel> templates() {
        return Catalog.builtIn().models().stream()
                .filter(TemplateModel.class::isInstance)
                .map(TemplateModel.class::cast);
    }

    /** The table has the kind and the number of devices; text describes the devices. */
    @ParameterizedTest
    @MethodSource("templates")
    void otherHardwareIsInItsTable(TemplateModel model) {
        int devices = Specs.plan(Specs.spec("{model: %s}".formatted(model.name())))
                .devices()
                .size();

        assertThat(row(section("Network cards, CPUs and other accelerators"), model.name()))
                .startsWith(model.template().kind())
                .contains("" + devices);
    }

    @ParameterizedTest
    @MethodSource("templates")
    void sourceAndNotesOfOtherHardwareAreThere(TemplateModel model) {
        Provenance provenance = model.template().provenance();

        assertThat(row(section("Where the numbers come from"), model.name()))
                .containsExactly(
                        provenance.source(),
                        provenance.unverified() ? "yes" : "no",
                        String.valueOf(provenance.notes()));
    }

    private static String numbers(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** The notes of unverified numbers are repeated verbatim in the last table. */
    @ParameterizedTest
    @MethodSource("models")
    void everyUnverifiedTableIsListedWithItsReason(GpuModel model) {
        List<String> rows = lines.subList(lines.indexOf("| model | what | why |"), lines.size());
        provenances(model)
                .filter(Provenance::unverified)
                .forEach(provenance -> assertThat(rows)
                        .as(model.name())
                        .anyMatch(row -> row.startsWith("| ") && row.contains(String.valueOf(provenance.notes()))));
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyFieldOfAModelIsInTheDescriptionOfTheFormat(GpuModel model) throws IOException {
        String file = "src/main/resources/catalog/" + model.name().toLowerCase(Locale.ROOT) + ".yaml";
        var fields = new TreeSet<String>();
        collectFields(new YAMLMapper().readTree(ProjectFiles.resolve(file).toFile()), fields);

        String format = String.join("\n", section("The format of a model"));
        assertThat(fields)
                .isNotEmpty()
                .allSatisfy(field -> assertThat(format).containsPattern("[`.]" + field + "[`.\\[]"));
    }

    private static void collectFields(JsonNode node, Set<String> fields) {
        node.fieldNames().forEachRemaining(fields::add);
        node.forEach(child -> collectFields(child, fields));
    }

    private static Stream<Provenance> provenances(GpuModel model) {
        var vgpu = Optional.ofNullable(model.vgpu());
        return Stream.of(
                        Optional.of(model.identity().provenance()),
                        Optional.of(model.software().provenance()),
                        Optional.ofNullable(model.mig()).map(MigTable::provenance),
                        vgpu.map(VgpuTable::provenance),
                        vgpu.map(VgpuTable::migBacked).map(MigBackedVgpuTable::provenance),
                        Optional.ofNullable(model.fabric()).map(FabricTable::provenance),
                        Optional.ofNullable(model.telemetry()).map(Telemetry::provenance))
                .flatMap(Optional::stream);
    }

    private static List<String> section(GpuModel model) {
        return section(model.name());
    }

    /** The lines below a heading, up to the next heading. */
    private static List<String> section(String title) {
        int heading = lines.indexOf("## " + title);
        assertThat(heading).as("heading of %s", title).isNotNegative();
        return lines.subList(heading + 1, lines.size()).stream()
                .takeWhile(line -> !line.startsWith("## "))
                .toList();
    }

    /** The cells of the only row that begins with the name, without the name. */
    private static List<String> row(List<String> of, String name) {
        String start = "| `" + name + "` |";
        var rows = of.stream().filter(line -> line.startsWith(start)).toList();
        assertThat(rows).as("rows of %s", name).hasSize(1);
        return Arrays.stream(rows.get(0).substring(start.length()).split("\\|"))
                .map(String::strip)
                .toList();
    }
}
