package dev.fakegpu.prepare.plugin;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Writes files atomically and durably: at any moment, even after a crash, a file has either the old content or the new. */
final class DurableFiles {

    /** Suffix of incomplete files, which readers of the CDI directory ignore. */
    static final String UNFINISHED = ".tmp";

    private DurableFiles() {}

    static void write(Path file, byte[] content) throws IOException {
        Path unfinished = file.resolveSibling("." + file.getFileName() + UNFINISHED);
        try (var channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            var buffer = ByteBuffer.wrap(content);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncDirectoryOf(file);
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
