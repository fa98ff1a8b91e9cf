package dev.fakegpu.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.Model;
import dev.fakegpu.kube.watch.ObjectStore;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveCatalogTest {

    private static final String MODEL = """
            name: %s
            equalParts:
              provenance: {source: a test, unverified: true, notes: none}
              model: test
              driverVersion: 1.0.0
              capacity: {memory: 80Gi}
            """;

    private final ObjectStore<ConfigMap> files = new ObjectStore<>();
    private final List<String> reported = new ArrayList<>();
    private final LiveCatalog catalog =
            new LiveCatalog(Catalog.builtIn(), files, (configMap, problem) -> reported.add(problem));

    @Test
    void catalogHasTheModelsOfTheCurrentFiles() {
        files.onAdd(configMap("a", 1, MODEL.formatted("A")));
        assertThat(catalog.get().names()).contains("A", "L40S");

        files.onUpdate(configMap("a", 1, MODEL.formatted("A")), configMap("a", 2, MODEL.formatted("B")));
        assertThat(catalog.get().names()).contains("B").doesNotContain("A");

        files.onDelete(configMap("a", 2, MODEL.formatted("B")), false);
        assertThat(catalog.get().names()).doesNotContain("B");
    }

    /** Parsing a file of a megabyte may take a second, and every thread uses the catalog. */
    @Test
    void unchangedFileIsReadOnce() {
        files.onAdd(configMap("a", 1, MODEL.formatted("A")));
        Model read = catalog.get().find("A").orElseThrow();

        files.onAdd(configMap("b", 2, MODEL.formatted("B")));

        assertThat(catalog.get().find("A")).containsSame(read);
        assertThat(catalog.get()).isSameAs(catalog.get());
    }

    @Test
    void unusableFilesAreReportedOnce() {
        files.onAdd(configMap("a", 1, MODEL.formatted("A")));
        files.onAdd(configMap("b", 2, MODEL.formatted("A")));
        files.onAdd(configMap("c", 3, "7"));
        files.onAdd(configMap("d", 4, MODEL.formatted("D")));

        assertThat(reported).hasSize(2);
        assertThat(reported.get(0))
                .isEqualTo("ConfigMap ns/b, key file: name: \"A\" is in the catalog already; allowed: another name");
        assertThat(reported.get(1)).startsWith("ConfigMap ns/c, key file: model: \"7\" is not an object");
        assertThat(catalog.get().names()).contains("A", "D");
    }

    private static ConfigMap configMap(String name, int version, String file) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withUid(name)
                .withResourceVersion(String.valueOf(version))
                .endMetadata()
                .addToData("file", file)
                .build();
    }
}
