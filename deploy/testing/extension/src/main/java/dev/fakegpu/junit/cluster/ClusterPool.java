package dev.fakegpu.junit.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The clusters of this JVM. A test class uses a cluster alone while it runs, because objects of other classes would use its devices. So
 * classes that run one after the other share a cluster, and there are as many clusters as classes that run at the same time. An existing
 * cluster is used by one class at a time. All clusters end with the JVM.
 */
public final class ClusterPool {

    /** The pool of the whole JVM, regardless of how tests are started. */
    public static final ClusterPool SHARED = new ClusterPool();

    private record Entry(ClusterSettings settings, RunningCluster cluster) {}

    private final Semaphore given = new Semaphore(1, true);
    private final List<Entry> free = new ArrayList<>();
    private final List<Entry> used = new ArrayList<>();
    private boolean isOver;

    private ClusterPool() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::endAll, "fakegpu-clusters-end"));
    }

    /** Returns an unused cluster without leftovers of earlier users. The caller must give it back. */
    public RunningCluster take(ClusterSettings settings) {
        if (!GivenKubernetes.isNamed()) {
            return takeOrStart(settings);
        }
        given.acquireUninterruptibly();
        try {
            endOthers(settings); // there is only this cluster, and it has one operator
            return takeOrStart(settings);
        } catch (RuntimeException e) {
            given.release();
            throw e;
        }
    }

    /** Returns a cluster to the pool. */
    public synchronized void giveBack(RunningCluster cluster) {
        find(used, cluster).ifPresent(entry -> {
            used.remove(entry);
            free.add(entry);
        });
        if (!cluster.isOwn()) {
            given.release();
        }
    }

    private RunningCluster takeOrStart(ClusterSettings settings) {
        for (Entry entry = takeFree(settings); entry != null; entry = takeFree(settings)) {
            if (new Leftovers(entry.cluster()).areRemoved()) {
                return entry.cluster();
            }
            end(entry); // a foreign finalizer, or an operator that has ended; a new cluster is certain to be clean
        }
        var started = new Entry(settings, RunningCluster.start(settings));
        if (!add(started)) {
            started.cluster().close();
            throw new IllegalStateException("this JVM is ending");
        }
        return started.cluster();
    }

    private synchronized @Nullable Entry takeFree(ClusterSettings settings) {
        Entry found = free.stream()
                .filter(entry -> entry.settings().equals(settings))
                .findFirst()
                .orElse(null);
        if (found != null) {
            free.remove(found);
            used.add(found);
        }
        return found;
    }

    private synchronized boolean add(Entry entry) {
        return !isOver && used.add(entry);
    }

    private void endOthers(ClusterSettings settings) {
        List<Entry> others;
        synchronized (this) {
            others = free.stream()
                    .filter(entry -> !entry.settings().equals(settings))
                    .toList();
            free.removeAll(others);
        }
        others.forEach(entry -> entry.cluster().close());
    }

    private void end(Entry entry) {
        synchronized (this) {
            used.remove(entry);
        }
        entry.cluster().close();
    }

    private void endAll() {
        List<Entry> rest;
        synchronized (this) {
            isOver = true;
            rest = new ArrayList<>(free);
            rest.addAll(used);
        }
        rest.parallelStream().forEach(entry -> entry.cluster().close());
    }

    private static Optional<Entry> find(List<Entry> entries, RunningCluster cluster) {
        return entries.stream().filter(entry -> entry.cluster() == cluster).findFirst();
    }
}
