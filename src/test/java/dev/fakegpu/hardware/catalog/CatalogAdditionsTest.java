package dev.fakegpu.hardware.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fakegpu.hardware.catalog.Catalog.Addition;
import dev.fakegpu.hardware.catalog.Catalog.Rejected;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests files that users add to the catalog. An error in one of them does not affect the others. */
class CatalogAdditionsTest {

    private static final String MODEL = """
            name: %s
            equalParts:
              provenance: {source: test, unverified: false}
              model: %s
              driverVersion: 1.2.3
              capacity: {memory: 8Gi}
            """;

    @Test
    void aGoodFileAddsAModelToTheOthers() {
        Catalog catalog = with(MODEL.formatted("mine", "MINE"));

        assertThat(catalog.find("mine")).isPresent();
        assertThat(catalog.names()).hasSize(Catalog.builtIn().names().size() + 1);
        assertThat(catalog.rejected()).isEmpty();
    }

    @Test
    void aBadFileIsReportedAndTheOthersAreAdded() {
        Catalog catalog = with(MODEL.formatted("bad", "''"), MODEL.formatted("good", "GOOD"));

        assertThat(catalog.names()).contains("good").doesNotContain("bad");
        assertThat(catalog.rejected())
                .containsExactly(new Rejected("file 0", "bad", "equalParts contradicts itself: model is empty"));
    }

    @Test
    void aNameThatIsTakenIsRefused() {
        Catalog catalog = with(MODEL.formatted("L40S", "A"), MODEL.formatted("x", "A"), MODEL.formatted("x", "B"));

        assertThat(catalog.find("L40S")).isEqualTo(Catalog.builtIn().find("L40S"));
        assertThat(((EqualPartsModel) catalog.find("x").orElseThrow())
                        .equalParts()
                        .model())
                .isEqualTo("A");
        assertThat(catalog.rejected())
                .extracting(Rejected::source, Rejected::problem)
                .containsExactly(
                        tuple("file 0", "name: \"L40S\" is in the catalog already; allowed: another name"),
                        tuple("file 2", "name: \"x\" is in the catalog already; allowed: another name"));
    }

    @Test
    void anAddedModelHasAliases() {
        Catalog catalog = with(MODEL.formatted("mine", "MINE") + "aliases: [My GPU, the-other]");

        assertThat(catalog.find("My-GPU")).isPresent().isEqualTo(catalog.find("mine"));
        assertThat(catalog.find("the other")).isEqualTo(catalog.find("mine"));
        assertThat(catalog.namesAndAliases()).contains("My-GPU", "the-other");
        assertThat(catalog.rejected()).isEmpty();
    }

    /** A copy of a file in the catalog has its aliases, and a later catalog may have an alias that equals the name of an added model. */
    @Test
    void anAliasThatIsTakenKeepsItsMeaning() throws IOException {
        Catalog catalog = with(
                Files.readString(Path.of("src/main/resources/catalog/l40s.yaml"))
                        .replace("name: L40S", "name: MY-L40S"),
                MODEL.formatted("first", "A") + "aliases: [A100 SXM4 40GB, L40S, mine]",
                MODEL.formatted("second", "A") + "aliases: [mine, other]");

        assertThat(catalog.rejected()).isEmpty();
        assertThat(catalog.names()).contains("MY-L40S", "first", "second");
        assertThat(Stream.of("NVIDIA L40S", "A100 SXM4 40GB", "L40S", "mine", "other")
                        .map(catalog::find)
                        .map(found -> found.orElseThrow().name()))
                .containsExactly("L40S", "A100-SXM4-40GB", "L40S", "first", "second");
    }

    /** Otherwise a new alias in the catalog would change the meaning of a FakeGpu. */
    @Test
    void anAddedNameTakesPrecedenceOverAnAlias() {
        Catalog catalog = with(MODEL.formatted("H100-SXM5-80GB", "MINE"));

        assertThat(catalog.rejected()).isEmpty();
        assertThat(catalog.find("H100-SXM5-80GB")).map(Model::name).contains("H100-SXM5-80GB");
        assertThat(catalog.find("H100 SXM5 80GB")).map(Model::name).contains("H100-SXM5-80GB");
        assertThat(catalog.find("NVIDIA H100 80GB HBM3")).map(Model::name).contains("H100-80GB-HBM3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "[]",
                "{",
                "null",
                "name: x",
                "{name: [x], identity: {}}",
                "a: &a [*a]",
                "name: x\nequalParts: {}",
                "{name: x, equalParts: {provenance: {source: s, unverified: false}, model: m, driverVersion: 1.0.0,"
                        + " capacity: {memory: much}}}",
                "{name: x, equalParts: {provenance: {source: s, unverified: false}, model: m, driverVersion: 1,"
                        + " capacity: {memory: 1}}}"
            })
    void malformedFileIsReportedAsAProblem(String yaml) {
        Catalog catalog = with(yaml);

        assertThat(catalog.names()).isEqualTo(Catalog.builtIn().names());
        assertThat(catalog.rejected())
                .singleElement()
                .satisfies(
                        rejected -> assertThat(rejected.problem()).containsPattern("; allowed: |contradicts itself: "));
    }

    private static Catalog with(String... files) {
        return Catalog.builtIn()
                .with(IntStream.range(0, files.length)
                        .mapToObj(index -> new Addition("file " + index, files[index]))
                        .toList());
    }
}
