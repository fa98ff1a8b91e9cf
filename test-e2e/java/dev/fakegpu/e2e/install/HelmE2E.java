package dev.fakegpu.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.CommandLine;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the life of the chart: an earlier version is installed, upgraded, and uninstalled. There is no kubelet that runs the operator's
 * pod, so the operator is a process with the rights that the chart grants.
 */
@Tag("long")
class HelmE2E {

    private static final String NAMESPACE = "fakegpu-system";
    private static final String RELEASE = "fakegpu-operator";

    @TempDir
    Path dir;

    @Test
    void chartIsInstalledUpgradedAndUninstalledWithoutATrace() throws IOException {
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.withControllerManager())) {
            var client = controlPlane.client();
            var commands = new CommandLine(controlPlane.kubeconfig());
            var remains = new Remains(client);

            // Given: an earlier version, whose definition lacks fields of the current one
            String notes = commands.helm(
                            "install", RELEASE, earlierChart(commands), "-n", NAMESPACE, "--create-namespace")
                    .succeeded();
            assertThat(definition(controlPlane).getSpec().getNames().getShortNames())
                    .isNullOrEmpty();

            // When
            commands.helm(
                            "upgrade",
                            RELEASE,
                            "deploy/chart",
                            "-n",
                            NAMESPACE,
                            "--set",
                            "replicaCount=2",
                            "--set",
                            "kubeletPlugin.enabled=true")
                    .succeeded();

            // Then
            assertThat(definition(controlPlane).getSpec().getNames().getShortNames())
                    .containsExactly("fgpu");
            assertThat(client.apps()
                            .deployments()
                            .inNamespace(NAMESPACE)
                            .withName(RELEASE)
                            .require()
                            .getSpec()
                            .getReplicas())
                    .isEqualTo(2);
            assertThat(client.apps().daemonSets().inAnyNamespace().list().getItems())
                    .hasSize(1);

            // And: a cluster can have only one release
            assertThat(commands.helm("install", "second", "deploy/chart", "-n", "elsewhere", "--create-namespace")
                            .failed())
                    .contains("cannot be imported into the current release");

            // When: a FakeGpu is created as in the notes
            var operator =
                    OperatorProcess.startAs(controlPlane, controlPlane.config().getMasterUrl(), NAMESPACE, Map.of());
            try (operator) {
                var fakeGpus = new FakeGpuFixture(client);
                commands.shell(below("Create a simulated node", notes)).succeeded();
                fakeGpus.awaitReady("a100");
                assertThat(commands.shell(below("See the result", notes)).succeeded())
                        .contains(
                                "fakegpu.fakegpu.dev/a100",
                                "deviceclass.resource.k8s.io/",
                                "resourceslice.resource.k8s.io/");
                remains.awaitGarbageCollector();
                commands.helm("uninstall", RELEASE, "-n", NAMESPACE, "--wait").succeeded();

                // Then
                remains.assertNone();
            }
            assertThat(client.apps().deployments().inNamespace(NAMESPACE).list().getItems())
                    .isEmpty();
            assertThat(commands.helm("list", "-A", "-q").succeeded()).isBlank();
        }
    }

    /** The command below a line of the notes. */
    private static String below(String line, String notes) {
        assertThat(notes).contains(line);
        int begin = notes.indexOf("\n\n", notes.indexOf(line)) + 2;
        int end = notes.indexOf("\n\n", begin);
        return notes.substring(begin, end < 0 ? notes.length() : end);
    }

    private static CustomResourceDefinition definition(ControlPlane controlPlane) {
        return controlPlane
                .client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("fakegpus.fakegpu.dev")
                .require();
    }

    /** A package of this chart with a lower version and without short names. */
    private String earlierChart(CommandLine commands) throws IOException {
        Path source = ProjectFiles.resolve("deploy/chart");
        Path copy = dir.resolve("chart");
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(source.relativize(file)));
            }
        }
        Path definition = copy.resolve("files/crd.yaml");
        Files.writeString(definition, Files.readString(definition).replace("    shortNames:\n    - \"fgpu\"\n", ""));
        commands.helm("package", copy.toString(), "--version", "0.0.9", "-d", dir.toString())
                .succeeded();
        return dir.resolve("fakegpu-operator-0.0.9.tgz").toString();
    }
}
