package dev.fakegpu.e2e.docs;

import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.PageRun;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the pages of the samples. As for readers, each sample is removed before the next one. */
@Tag("long")
class SamplesE2E {

    private static final String FOLDER = "config/samples";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

    @TempDir
    private Path dir;

    static Stream<String> samples() throws IOException {
        return ProjectFiles.list(FOLDER).stream()
                .filter(Files::isDirectory)
                .map(folder -> FOLDER + "/" + folder.getFileName());
    }

    /** A page that lists all slices would find them, and a pod might get their devices. */
    @BeforeEach
    void awaitNothingOfTheSampleBefore() {
        cluster.fakeGpus().awaitNothingLeft();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void commandsOfTheSampleWork(String sample) {
        PageRun.of(sample + "/README.md")
                .with("KUBECONFIG", cluster.controlPlane().kubeconfig().toString())
                .cleaningUp("kubectl delete --ignore-not-found -f \"$ROOT/" + sample + "\"")
                .succeeds(dir);
    }
}
