package dev.fakegpu.junit.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The operator as files in {@code fakegpu-testing-operator}, which must be unpacked because Java cannot run it from inside another archive.
 */
final class PackagedOperator {

    private static final String DIRECTORY = "dev/fakegpu/junit/operator/";

    /** The file of the CustomResourceDefinition, which belongs to the operator. */
    static final String DEFINITION = DIRECTORY + "fakegpus.fakegpu.dev.yaml";

    private final JarFile jar;

    private PackagedOperator(JarFile jar) {
        this.jar = jar;
    }

    static PackagedOperator onClassPath() {
        URL definition = PackagedOperator.class.getClassLoader().getResource(DEFINITION);
        if (definition == null) {
            throw new ClusterException(
                    "there is no operator: add dev.fakegpu:fakegpu-testing-operator to the class path of the tests");
        }
        try {
            if (definition.openConnection() instanceof JarURLConnection connection) {
                return new PackagedOperator(connection.getJarFile());
            }
        } catch (IOException e) {
            throw new ClusterException("the operator at " + definition + " cannot be read", e);
        }
        throw new ClusterException("the operator at " + definition + " is not in an archive; name its directory in "
                + Option.HOME.variable());
    }

    /**
     * Unpacks it, unless the same files have been unpacked before.
     *
     * @return the directory
     */
    Path unpackInto(Path cache) {
        Path target = cache.resolve("testing").resolve(digest());
        if (Files.isDirectory(target)) {
            return target;
        }
        try {
            Files.createDirectories(target.getParent());
            Path unpacked = Files.createTempDirectory(target.getParent(), ".unpacked-");
            for (JarEntry file : files()) {
                copy(file, unpacked.resolve(file.getName().substring(DIRECTORY.length())));
            }
            publish(unpacked, target);
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException("the operator cannot be unpacked into " + target, e);
        }
    }

    /** Another process may have done the same in the meantime. */
    private static void publish(Path unpacked, Path target) throws IOException {
        try {
            Files.move(unpacked, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException | AtomicMoveNotSupportedException e) {
            try (Stream<Path> files = Files.walk(unpacked)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void copy(JarEntry file, Path target) throws IOException {
        Files.createDirectories(target.getParent());
        try (InputStream in = jar.getInputStream(file)) {
            Files.copy(in, target);
        }
    }

    private List<JarEntry> files() {
        return jar.stream()
                .filter(entry -> entry.getName().startsWith(DIRECTORY) && !entry.isDirectory())
                .sorted(Comparator.comparing(JarEntry::getName))
                .toList();
    }

    /** A digest of the names and checksums in the archive. */
    private String digest() {
        var digest = new CRC32();
        for (JarEntry file : files()) {
            digest.update((file.getName() + file.getSize() + "/" + file.getCrc()).getBytes(StandardCharsets.UTF_8));
        }
        return "operator-%08x".formatted(digest.getValue());
    }
}
