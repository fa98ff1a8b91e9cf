package dev.fakegpu.e2e.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The claims of {@code test-e2e/hostile}, each with the reason in its first line, as a tenant creates them. They are posted byte for byte,
 * since some are about the spelling of their JSON.
 */
class HostileObjectsE2E {

    private static final String TENANT = "hostile";
    private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/" + TENANT + "/resourceclaims";

    private static final List<String> PARAMETERS = List.of(
            "parameters-key-before-kind",
            "parameters-known-kind-wrong-shape",
            "parameters-unescaped-characters",
            "parameters-white-space",
            "parameters-nested-4000-deep",
            "parameters-10-kib");

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withControllerManager().withoutOperator();

    private final KubernetesClient client = cluster.client();

    @Test
    void otherNamespacesGetTheirDevicesAllTheSameAlsoAfterARestart() {
        OperatorProcess operator = cluster.startOperator(Map.of());
        try (var fakeGpus = new FakeGpuFixture(client);
                var ignored = new Tenant();
                var scenario = new ClusterScenario(client, AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");
            fakeGpus.create(
                    "tenants", "{driver: tenant.example.com, nodes: {simulated: {count: 1}}, model: L40S, count: 8}");
            fakeGpus.awaitReady("tenants");

            // Then
            for (Path file : files()) {
                create(file);
                runsAPod(scenario, name(file));
            }

            // When
            operator.kill();
            operator = cluster.startOperator(Map.of());

            // Then
            runsAPod(scenario, "after-restart");
            assertThat(operator.log()).doesNotContain("2026-01-01 ERROR forged\n");
        } finally {
            operator.close();
        }
    }

    /** Vendors' own configuration is written like this, and pods with it have to run. */
    @Test
    void podsWhoseParametersAreForAnotherDriverRun() {
        OperatorProcess operator = cluster.startOperator(Map.of());
        try (var scenario = new ClusterScenario(client, AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");

            for (String name : PARAMETERS) {
                // When
                String json = read(ProjectFiles.resolve("test-e2e/hostile/" + name + ".json"))
                        .replace("\"NAME\"", "\"" + name + "\"")
                        .replace(",\"labels\":{\"fakegpu.dev/allocate\":\"true\"}", "")
                        .replace(
                                "\"deviceClassName\":\"tenant.example.com\"",
                                "\"deviceClassName\":\"gpu.example.com\"");
                client.raw(CLAIMS.replace(TENANT, scenario.namespace()), "POST", json);
                scenario.pod(name, name);

                // Then
                scenario.awaitRunning(name);
                scenario.deletePod(name);
                scenario.await(() -> assertThat(scenario.devices(name)).isEmpty());
            }
        } finally {
            operator.close();
        }
    }

    private static void runsAPod(ClusterScenario scenario, String name) {
        scenario.podWithClaim(name, "gpu.example.com", "mig-1g");
        scenario.awaitRunning(name);
        scenario.clear();
    }

    private void create(Path file) {
        client.raw(CLAIMS, "POST", read(file).replace("\"NAME\"", "\"" + name(file) + "\""));
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".json", "");
    }

    private static List<Path> files() {
        try (var files = Files.list(ProjectFiles.resolve("test-e2e/hostile"))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without the comment. */
    private static String read(Path file) {
        try {
            return Files.readString(file)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tenant's namespace while the test runs. */
    private final class Tenant implements AutoCloseable {

        private final Namespace namespace = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(TENANT)
                        .endMetadata()
                        .build())
                .create();

        @Override
        public void close() {
            client.resources(ResourceClaim.class)
                    .inNamespace(TENANT)
                    .list()
                    .getItems()
                    .forEach(claim -> {
                        client.resource(claim).delete();
                        if (claim.getMetadata().getFinalizers().contains("example.com/never")) {
                            client.resource(claim)
                                    .patch(
                                            PatchContext.of(PatchType.JSON_MERGE),
                                            "{\"metadata\":{\"finalizers\":null}}");
                        }
                    });
            client.resource(namespace).delete();
        }
    }
}
