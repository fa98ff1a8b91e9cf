package dev.fakegpu.e2e.kwok;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.CommandLine;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** KWOK as users run it in a cluster: with Stages as objects, and for the nodes with its annotation. */
final class KwokProcess implements AutoCloseable {

    /** The Stages of KWOK. */
    enum Stages {
        /** The Stages of its release. */
        OF_KWOK,
        /** The same with the patches of {@code config/kwok}. */
        PATCHED
    }

    private final Process process;

    private KwokProcess(Process process) {
        this.process = process;
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "kwok-end")); // for runs that are aborted
    }

    static KwokProcess start(ControlPlane controlPlane, Stages stages) {
        var commands = new CommandLine(controlPlane.kubeconfig());
        Path program = commands.kwok();
        apply(commands, program.resolveSibling("stages.yaml"), stages);
        try {
            Path log = Files.createTempFile(Files.createDirectories(Path.of("target/e2e")), "kwok", ".log");
            var kwok = new KwokProcess(new ProcessBuilder(
                            program.toString(),
                            "--kubeconfig=" + controlPlane.kubeconfig(),
                            "--enable-crds=Stage",
                            "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake",
                            "--node-lease-duration-seconds=40",
                            "--node-port=0")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start());
            kwok.awaitStages(commands, log);
            return kwok;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** KWOK looks at its Stages when they change; it may have listed them before it waits for the first change. */
    private void awaitStages(CommandLine commands, Path log) {
        try {
            Awaitility.await("KWOK runs its Stages").until(() -> {
                assertAlive();
                // If the API server refuses it, it is repeated.
                commands.kubectl(
                        "annotate", "stages", "--all", "--overwrite", "e2e.example.com/at=" + System.nanoTime());
                List<String> started = ProjectFiles.read(log)
                        .lines()
                        .filter(line -> line.contains("Start stage controller"))
                        .toList();
                return Stream.of("Pod", "Node")
                        .allMatch(
                                kind -> started.stream().anyMatch(line -> line.contains("\"Kind\":\"" + kind + "\"")));
            });
        } catch (RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    private static void apply(CommandLine commands, Path file, Stages stages) {
        // The definition is served shortly after it is stored.
        Awaitility.await()
                .untilAsserted(
                        () -> commands.kubectl("apply", "--server-side", "--force-conflicts", "-f", file.toString())
                                .succeeded());
        // Another test may have patched them.
        commands.kubectl("delete", "stages", "--all").succeeded();
        commands.kubectl("apply", "--server-side", "-f", file.toString()).succeeded();
        if (stages == Stages.PATCHED) {
            for (String stage : List.of("pod-ready", "pod-delete")) {
                commands.kubectl(
                                "patch",
                                "stage",
                                stage,
                                "--type",
                                "json",
                                "--patch-file",
                                "config/kwok/" + stage + ".yaml")
                        .succeeded();
            }
        }
    }

    /** A node as in KWOK's documentation. */
    static Node node(String name, Map<String, String> labels) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .addToLabels("kubernetes.io/hostname", name)
                .withAnnotations(Map.of("kwok.x-k8s.io/node", "fake"))
                .endMetadata()
                .build();
    }

    void assertAlive() {
        assertThat(process.isAlive()).as("KWOK runs").isTrue();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
