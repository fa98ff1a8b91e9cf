package dev.fakegpu.operator.prepare.plugin;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/** Writes files atomically and durably: at any moment, even after a crash, a file has either the old content or the new. */
final class DurableFiles {

    /** Suffix of incomplete files, which readers of the CDI directory ignore. */
    static final String UNFINISHED = ".tmp";

    /** Permissions of what only plugins use. */
    static final String PRIVATE = "rw-------";

    /** Permissions of what containers and their runtime read, as whatever user. */
    static final String READABLE = "rw-r--r--";

    /** Permissions of scripts that containers run. */
    static final String EXECUTABLE = "rwxr-xr-x";

    private static final String PRIVATE_DIRECTORY = "rwxr-x---";

    private DurableFiles() {}

    /** @param permissions whatever the process' umask is */
    static void write(Path file, byte[] content, String permissions) throws IOException {
        Path unfinished = file.resolveSibling("." + file.getFileName() + UNFINISHED);
        try {
            writeUnfinished(unfinished, content, permissions);
        } catch (IOException e) {
            deleteAfter(e, unfinished); // it would keep a full disk full
            throw e;
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncDirectoryOf(file);
    }

    private static void writeUnfinished(Path unfinished, byte[] content, String permissions) throws IOException {
        try (var channel = FileChannel.open(
                unfinished,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE),
                permissions(PRIVATE))) {
            Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString(permissions));
            var buffer = ByteBuffer.wrap(content);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
    }

    private static void deleteAfter(IOException failure, Path unfinished) {
        try {
            Files.deleteIfExists(unfinished);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Creates a directory for the plugin and its group, with the parents that are missing; one that exists stays as it is. */
    static Path createDirectories(Path directory) throws IOException {
        return Files.createDirectories(directory, permissions(PRIVATE_DIRECTORY));
    }

    /** For files that are created. */
    static FileAttribute<Set<PosixFilePermission>> permissions(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    static void delete(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            syncDirectoryOf(file);
        }
    }

    /** A rename or deletion is durable only once the directory is synced. */
    private static void syncDirectoryOf(Path file) throws IOException {
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a directory");
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
