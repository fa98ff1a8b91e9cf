package dev.fakegpu.prepare.plugin;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock among the threads of this process and all plugins of a driver on the node. The kernel releases it when a process dies. The
 * file is never deleted: otherwise a process already waiting and one that opens it later would hold locks on different inodes.
 */
final class NodeLock implements AutoCloseable {

    /** File locks are held by the whole process, so its threads need a lock of their own, by path. */
    private static final Map<Path, ReentrantLock> THREAD_LOCKS = new ConcurrentHashMap<>();

    private final ReentrantLock threadLock;
    private final FileChannel file;
    private final FileLock fileLock;

    private NodeLock(ReentrantLock threadLock, FileChannel file, FileLock fileLock) {
        this.threadLock = threadLock;
        this.file = file;
        this.fileLock = fileLock;
    }

    static NodeLock acquire(Path path) throws IOException {
        var threadLock = THREAD_LOCKS.computeIfAbsent(path.toAbsolutePath(), unused -> new ReentrantLock());
        threadLock.lock();
        FileChannel file = null;
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            return new NodeLock(threadLock, file, file.lock());
        } catch (IOException | RuntimeException e) {
            if (file != null) {
                file.close();
            }
            threadLock.unlock();
            throw e;
        }
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
