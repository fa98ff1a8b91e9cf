package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.util.Ticker;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock that excludes other threads of this process and other plugins of the same driver on the node. The kernel releases it when a
 * process dies. The file is never deleted, because a process that is already waiting and one that opens the file later would hold locks on
 * different inodes.
 */
final class NodeLock implements AutoCloseable {

    /** Waiting ends before the kubelet gives up on a call, which it does after 45 s, so that the kubelet learns the reason. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long RETRY_MILLIS = 20;

    /** File locks belong to the whole process, so its threads need locks of their own, by path. */
    private static final Map<Path, ReentrantLock> THREAD_LOCKS = new ConcurrentHashMap<>();

    private final ReentrantLock threadLock;
    private final FileChannel file;
    private final FileLock fileLock;

    private NodeLock(ReentrantLock threadLock, FileChannel file, FileLock fileLock) {
        this.threadLock = threadLock;
        this.file = file;
        this.fileLock = fileLock;
    }

    /** @throws IOException also if another call or another plugin does not release the lock within {@code patience} */
    static NodeLock acquire(Path path, Duration patience) throws IOException {
        long deadline = Ticker.SYSTEM.nanos() + patience.toNanos();
        var threadLock = THREAD_LOCKS.computeIfAbsent(path.toAbsolutePath(), unused -> new ReentrantLock());
        try {
            if (!threadLock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw busy(path, "another call of this plugin", patience);
            }
            return acquireFile(path, threadLock, patience, deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + path, e);
        }
    }

    private static NodeLock acquireFile(Path path, ReentrantLock threadLock, Duration patience, long deadline)
            throws IOException, InterruptedException {
        FileChannel file = null;
        try {
            file = FileChannel.open(
                    path,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    DurableFiles.permissions(DurableFiles.PRIVATE));
            FileLock fileLock = poll(file, deadline);
            if (fileLock == null) {
                throw busy(path, "another plugin of the driver", patience);
            }
            return new NodeLock(threadLock, file, fileLock);
        } catch (IOException | RuntimeException | InterruptedException e) {
            if (file != null) {
                file.close();
            }
            threadLock.unlock();
            throw e;
        }
    }

    /** Polls, because the blocking system call has no timeout. */
    private static @Nullable FileLock poll(FileChannel file, long deadline) throws IOException, InterruptedException {
        FileLock lock = file.tryLock();
        while (lock == null && Ticker.SYSTEM.nanos() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            lock = file.tryLock();
        }
        return lock;
    }

    private static IOException busy(Path path, String holder, Duration patience) {
        return new IOException(
                "%s has held the lock %s for more than %s s".formatted(holder, path, patience.toSeconds()));
    }

    @Override
    public void close() throws IOException {
        try {
            fileLock.release();
            file.close();
        } finally {
            threadLock.unlock();
        }
    }
}
