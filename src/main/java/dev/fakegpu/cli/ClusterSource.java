package dev.fakegpu.cli;

import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.cli.input.StoredObjects;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterReader;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.Unseen;
import dev.fakegpu.dashboard.server.WatchedCluster;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select the source of a cluster's state: its API server or files. */
final class ClusterSource {

    /** Changes come in bursts. */
    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(1);

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "Read the cluster's objects from files instead, as kubectl get -o yaml prints them. Repeat it for several files.")
    private List<String> files = List.of();

    /**
     * A cluster.
     *
     * @param namespace the namespace of objects that have none
     */
    record Source(ClusterSnapshot snapshot, String namespace) {}

    /** Whether the state comes from files, which are not watched. */
    boolean isFromFiles() {
        return !files.isEmpty();
    }

    /**
     * Watches the cluster until the thread is interrupted, and reports what the caller may not see.
     *
     * @param use called with the first state and with the state after each change
     */
    void watch(PrintWriter err, Consumer<Source> use) {
        cluster.with((client, namespace) -> {
            var changes = new Semaphore(1);
            try (var watched = new WatchedCluster(client, namespace)) {
                watched.addListener(changes::release);
                watched.awaitObjects();
                report(source(watched, namespace), err);
                while (true) {
                    changes.acquire();
                    changes.drainPermits();
                    use.accept(source(watched, namespace));
                    TimeUnit.MILLISECONDS.sleep(AT_MOST_EVERY.toMillis());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return true;
            }
        });
    }

    private static Source source(WatchedCluster watched, String namespace) {
        return new Source(new ClusterSnapshot(watched.objects()), namespace);
    }

    /**
     * Reads the cluster, and reports what the caller may not see.
     *
     * @param mixins how schedulers treat mixins of slices in files
     * @param use uses the cluster, from which it may read more
     */
    <T> T with(PrintWriter err, MixinsGate mixins, Function<Source, T> use) {
        return withUnreported(err, mixins, source -> use.apply(reported(source, err)));
    }

    /** Does the same, but does not report what the caller may not see. */
    <T> T withUnreported(PrintWriter err, MixinsGate mixins, Function<Source, T> use) {
        return files.isEmpty()
                ? cluster.with((client, namespace) ->
                        use.apply(new Source(new ClusterReader(client).read(namespace), namespace)))
                : use.apply(fromFiles(err, mixins));
    }

    /** All objects as they are stored, with what decisions do not depend on, too; reports what the caller may not see. */
    Source whole(PrintWriter err, MixinsGate mixins) {
        Source source = files.isEmpty()
                ? cluster.withWholeObjects(
                        (client, namespace) -> new Source(new ClusterReader(client).read(namespace), namespace))
                : fromFiles(err, mixins);
        return reported(source, err);
    }

    private static Source reported(Source source, PrintWriter err) {
        report(source, err);
        return source;
    }

    private static void report(Source source, PrintWriter err) {
        source.snapshot().objects().unseen().stream()
                .filter(unseen -> unseen.cause() == Unseen.Cause.FORBIDDEN)
                .map(Unseen::text)
                .forEach(text -> err.println("fakegpu: note: " + text + "; what is there is missing below"));
        source.snapshot().unreadable().forEach(text -> err.println("fakegpu: note: " + text));
        err.flush();
    }

    /** See {@link ClusterOptions#apiServerGate()}; empty for files. */
    Optional<GroupsGate> apiServerGate() {
        return files.isEmpty() ? cluster.apiServerGate() : Optional.empty();
    }

    /** See {@link ClusterConnection#version}; the newest one for files. */
    KubernetesVersion version(Consumer<String> notes) {
        return files.isEmpty() ? cluster.version(notes) : KubernetesVersion.NEWEST;
    }

    boolean isNamespaceGiven() {
        return cluster.isNamespaceGiven();
    }

    private Source fromFiles(PrintWriter err, MixinsGate mixins) {
        String namespace = cluster.namespaceOr("default");
        var objects = StoredObjects.read(
                Manifests.of(files), namespace, mixins, note -> err.println("fakegpu: note: " + note));
        return new Source(new ClusterSnapshot(ClusterObjects.of(objects)), namespace);
    }
}
