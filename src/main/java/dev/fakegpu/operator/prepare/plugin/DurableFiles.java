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

/** Writes files atomically and durably: at any time, even after a crash, a file has either the old or the new content. */
final class DurableFiles {

    /** The suffix of incomplete files, which readers of the CDI directory ignore. */
    static final String UNFINISHED = ".tmp";

    /** Permissions of files that only plugins use. */
    static final String PRIVATE = "rw-------";

    /** Permissions of files that containers and their runtime read as any user. */
    static final String READABLE = "rw-r--r--";

    /** Permissions of scripts that containers run. */
    static final String EXECUTABLE = "rwxr-xr-x";

    private static final String PRIVATE_DIRECTORY = "rwxr-x---";

    private DurableFiles() {}

    /** @param permissions the permissions, regardless of the process's umask */
    static void write(Path file, byte[] content, String permissions) throws IOException {
        Path unfinished = file.resolveSibling("." + file.getFileName() + UNFINISHED);
        try {
            writeUnfinished(unfinished, content, permissions);
        } catch (IOException e) {
            deleteAfter(e, unfinished); // the file would keep a full disk full
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

    /** Creates a directory and its missing parents for the plugin and its group; an existing directory is not changed. */
    static Path createDirectories(Path directory) throws IOException {
        return Files.createDirectories(directory, permissions(PRIVATE_DIRECTORY));
    }

    /** The permissions of files to create. */
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
