package dev.fakegpu.e2e.support;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * The classes that the operator loads at its start, in a form that Java loads quickly, as in the image: the start then needs two thirds of
 * the processor time. The kubelet plugin is the same program. The first of several JVMs that run tests at the same time creates it for all
 * of them.
 */
public final class StartArchive {

    private static final String NO_CLUSTER = """
            {"apiVersion": "v1", "kind": "Config", "current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}],
             "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}], "users": [{"name": "c", "user": {"token": "c"}}]}
            """;

    private StartArchive() {}

    /**
     * The option of Java that names the archive.
     *
     * @param app the operator's JAR; another JAR has another archive
     */
    public static synchronized String option(Path java, Path app) throws IOException {
        var directory = Files.createDirectories(Path.of("target/e2e"));
        var archive =
                directory.resolve("operator-" + Files.getLastModifiedTime(app).toMillis() + ".jsa");
        try (var lock = FileChannel.open(
                directory.resolve("archive.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.lock();
            if (!Files.exists(archive)) {
                make(archive, java, app);
            }
        }
        return "-XX:SharedArchiveFile=" + archive;
    }

    /** Creates the archive with an operator that starts, and waits for an API server that does not exist. */
    private static void make(Path archive, Path java, Path app) throws IOException {
        var kubeconfig = Files.writeString(archive.resolveSibling("no-cluster.kubeconfig"), NO_CLUSTER);
        var log = archive.resolveSibling("archive.log");
        var unfinished = archive.resolveSibling("unfinished.jsa");
        var builder = new ProcessBuilder(List.of(
                        java.toString(),
                        "@deploy/image/java.options",
                        "-XX:ArchiveClassesAtExit=" + unfinished,
                        "-jar",
                        app.toString(),
                        "operator"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().put("QUARKUS_HTTP_PORT", "0");
        Process operator = builder.start();
        try {
            Awaitility.await()
                    .until(() -> List.of("waits for the API server", "Listening on").stream()
                            .allMatch(ProjectFiles.read(log)::contains));
            operator.destroy(); // a clean shutdown, which writes the archive
            Awaitility.await().until(() -> !operator.isAlive());
            Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            operator.destroyForcibly();
        }
    }
}
