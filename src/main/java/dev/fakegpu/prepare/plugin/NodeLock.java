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
 * One at a time, among the threads of this process and the plugins of a driver on the node. A process that dies lets go of it. The
 * file is not deleted: who waits for a deleted file waits for another one than who comes later.
 */
final class NodeLock implements AutoCloseable {

    /** A file is locked for a whole process, so its threads need a lock of their own; by path, since a file is that of all of them. */
    private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

    private final ReentrantLock threads;
    private final FileChannel file;
    private final FileLock processes;

    private NodeLock(ReentrantLock threads, FileChannel file, FileLock processes) {
        this.threads = threads;
        this.file = file;
        this.processes = processes;
    }

    static NodeLock acquire(Path path) throws IOException {
        var threads = LOCKS.computeIfAbsent(path.toAbsolutePath(), unused -> new ReentrantLock());
        threads.lock();
        FileChannel file = null;
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            return new NodeLock(threads, file, file.lock());
        } catch (IOException | RuntimeException e) {
            if (file != null) {
                file.close();
            }
            threads.unlock();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            processes.release();
            file.close();
        } finally {
            threads.unlock();
        }
    }
}
