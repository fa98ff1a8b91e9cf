package dev.fakegpu.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CRD in {@code crds/} is generated from the classes. {@code mvn test -Dtest=CrdTest -Dgolden.update=true} rewrites it. */
class CrdTest {

    private static final Path CHECKED_IN = Path.of("crds/fakegpus.fakegpu.dev.yaml");

    /** The columns in the order of {@code kubectl get}; the generator sorts them by JSON path. */
    private static final List<String> COLUMNS =
            List.of("Model", "GPUs", "Nodes", "Devices", "Allocated", "Ready", "Reason", "Age", "Message");

    /** The API server's own pattern for quantities. Without it, one unreadable object would stop the informer for all objects. */
    private static final String QUANTITY =
            "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

    @Test
    void checkedInCrdIsCurrent(@TempDir Path dir) throws IOException {
        // When
        new CRDGenerator()
                .customResourceClasses(FakeGpu.class)
                .forCRDVersions("v1")
                .inOutputDir(dir.toFile())
                .withPostProcessor(new Finish())
                .generate();

        // Then
        String generated = Files.readString(dir.resolve("fakegpus.fakegpu.dev-v1.yml"));
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(CHECKED_IN, generated);
        }
        assertThat(Boolean.getBoolean("golden.update"))
                .as("golden files were written; run again without")
                .isFalse();
        assertThat(CHECKED_IN).content().isEqualTo(generated);
    }

    /** Adds parts that the generator cannot express. */
    private static final class Finish implements CRDPostProcessor {

        @Override
        public HasMetadata process(HasMetadata resource, String version) {
            var crd = (CustomResourceDefinition) resource;
            crd.getSpec().getVersions().forEach(served -> {
                served.getAdditionalPrinterColumns()
                        .sort(Comparator.comparing(
                                CustomResourceColumnDefinition::getName, Comparator.comparing(COLUMNS::indexOf)));
                // The API server drops a zero, so each apply would show a difference.
                served.getAdditionalPrinterColumns().stream()
                        .filter(column -> Objects.equals(column.getPriority(), 0))
                        .forEach(column -> column.setPriority(null));
                var schema = served.getSchema().getOpenAPIV3Schema();
                var conditions =
                        schema.getProperties().get("status").getProperties().get("conditions");
                conditions.setXKubernetesListType("map");
                conditions.setXKubernetesListMapKeys(List.of("type"));
                conditions.getItems().getSchema().setRequired(List.of("type", "status"));
                schema.setDescription(
                        "Fake GPUs: their model, how they can be partitioned, and which nodes have them.");
                schema.setRequired(List.of("spec"));
                schema.getProperties().get("spec").setDescription("The GPUs to publish.");
                schema.getProperties().get("status").setDescription("The observed state of the FakeGpu.");
                restrictQuantities(schema);
            });
            return crd;
        }

        private static void restrictQuantities(JSONSchemaProps schema) {
            if (Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
                schema.setPattern(QUANTITY);
            }
            if (schema.getProperties() != null) {
                schema.getProperties().values().forEach(Finish::restrictQuantities);
            }
            if (schema.getItems() != null && schema.getItems().getSchema() != null) {
                restrictQuantities(schema.getItems().getSchema());
            }
            if (schema.getAdditionalProperties() != null
                    && schema.getAdditionalProperties().getSchema() != null) {
                restrictQuantities(schema.getAdditionalProperties().getSchema());
            }
        }
    }
}
