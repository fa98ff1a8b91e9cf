package dev.fakegpu.cluster.snapshot;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells that objects of a cluster have changed, by watching all kinds on which allocations depend. As a {@link ClusterReader} does, it falls
 * back to one namespace where the user has no right to all. Used by one thread.
 */
public final class ClusterChanges implements AutoCloseable {

    private static final List<ObjectKind> KINDS = List.of(
            ObjectKind.SLICES,
            ObjectKind.CLASSES,
            ObjectKind.CLAIMS,
            ObjectKind.TAINT_RULES,
            ObjectKind.PODS,
            ObjectKind.NODES,
            ObjectKind.FAKE_GPUS);

    /** Changes come in groups, and after each of them a cluster is read anew. */
    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(1);

    private final KubernetesClient client;
    private final String namespace;
    private final Semaphore changes = new Semaphore(0);
    private final Map<ObjectKind, Watch> watches = new EnumMap<>(ObjectKind.class);
    private final Set<ObjectKind> ended = ConcurrentHashMap.newKeySet();
    private final List<Unseen> unwatched = new ArrayList<>();

    /**
     * Begins to watch: whatever is read after this, and changes then, is told.
     *
     * @param namespace whose pods and claims are watched if those of all namespaces cannot be
     * @throws ClusterUnreadableException if the API server does not answer
     */
    public ClusterChanges(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        KINDS.forEach(this::watch);
    }

    /** What the user may not watch. */
    public List<Unseen> unwatched() {
        return List.copyOf(unwatched);
    }

    /**
     * Waits until something has changed since the last call, but at least a second.
     *
     * @throws ClusterUnreadableException if a watch has ended and cannot be begun again
     */
    public void await() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(AT_MOST_EVERY.toMillis());
        changes.acquire();
        changes.drainPermits();
        for (ObjectKind kind : List.copyOf(ended)) {
            ended.remove(kind);
            stop(watches.remove(kind));
            watch(kind);
        }
    }

    private void watch(ObjectKind kind) {
        try {
            if (!watch(kind, kind.type(), null) && kind.isNamespaced()) {
                watch(kind, kind.type(), namespace);
            }
        } catch (KubernetesClientException e) {
            close();
            throw ClusterReader.unreadable(client, e);
        }
    }

    /** From the present state on: without a version, all objects would be told as changes first. */
    private <T extends HasMetadata> boolean watch(ObjectKind kind, Class<T> type, @Nullable String only) {
        var all = client.resources(type);
        AnyNamespaceOperation<T, KubernetesResourceList<T>, Resource<T>> resources =
                only == null ? all.inAnyNamespace() : all.inNamespace(only);
        try {
            String version = resources
                    .list(new ListOptionsBuilder().withLimit(1L).build())
                    .getMetadata()
                    .getResourceVersion();
            watches.put(
                    kind,
                    resources.watch(
                            new ListOptionsBuilder()
                                    .withResourceVersion(version)
                                    .build(),
                            new Changed<>(kind)));
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                unwatched.add(new Unseen(kind, "watch", only, Unseen.Cause.FORBIDDEN));
                return false;
            }
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return true; // not served
            }
            throw e;
        }
    }

    private final class Changed<T> implements Watcher<T> {
        private final ObjectKind kind;

        Changed(ObjectKind kind) {
            this.kind = kind;
        }

        @Override
        public void eventReceived(Action action, T resource) {
            if (action != Action.BOOKMARK) {
                changes.release();
            }
        }

        /** The API server no longer has the version from which to go on; the client repairs broken connections itself. */
        @Override
        public void onClose(WatcherException cause) {
            ended.add(kind);
            changes.release();
        }
    }

    @Override
    public void close() {
        watches.values().forEach(Watch::close);
        watches.clear();
    }

    private static void stop(@Nullable Watch watch) {
        if (watch != null) {
            watch.close();
        }
    }
}
