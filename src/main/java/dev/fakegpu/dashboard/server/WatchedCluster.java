package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterReader;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import dev.fakegpu.kube.client.Informers;
import dev.fakegpu.kube.client.Pages;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that is watched with the permissions of the client's user, whether or not it has FakeGpus. Which kinds the user may read and
 * the API server serves is determined once, at the start. The operator's settings and Deployment are read only at the start.
 */
public final class WatchedCluster implements LiveCluster {

    /** Kinds that are read by name, and only to determine the companion's gate. */
    private static final Set<ObjectKind> READ_ONCE = EnumSet.of(ObjectKind.SETTINGS, ObjectKind.OPERATOR);

    private final KubernetesClient client;
    private final List<Unseen> unseen;
    private final List<HasMetadata> readOnce = new ArrayList<>();
    private final Map<String, HasMetadata> watched = new ConcurrentHashMap<>();
    private final List<SharedIndexInformer<?>> informers = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<Void>> started = new ArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /**
     * Reads the cluster and starts watching it.
     *
     * @param namespace the namespace whose pods and claims are watched if those of all namespaces cannot be
     * @throws dev.fakegpu.cluster.snapshot.ClusterUnreadableException if the API server does not respond or rejects the user
     */
    public WatchedCluster(KubernetesClient client, String namespace) {
        this.client = client;
        ClusterSnapshot first = new ClusterReader(client).read(namespace);
        unseen = first.objects().unseen();
        first.objects().settings().ifPresent(readOnce::add);
        first.objects().operator().ifPresent(readOnce::add);
        for (ObjectKind kind : ObjectKind.values()) {
            if (!READ_ONCE.contains(kind)) {
                watch(first.objects(), kind, namespace);
            }
        }
    }

    private void watch(ClusterObjects first, ObjectKind kind, String namespace) {
        boolean isServed =
                unseen.stream().noneMatch(each -> each.kind() == kind && each.cause() == Unseen.Cause.NOT_SERVED);
        if (!isServed) {
            return;
        }
        if (kind == ObjectKind.TAINT_RULES && !client.supports(DeviceTaintRule.class)) {
            watch(
                    io.fabric8.kubernetes.api.model.resource.v1beta2.DeviceTaintRule.class,
                    null,
                    rule -> client.getKubernetesSerialization().convertValue(rule, DeviceTaintRule.class));
        } else if (first.isComplete(kind)) {
            watch(kind.type(), null, UnaryOperator.identity());
        } else if (kind.isNamespaced() && first.isComplete(kind, namespace)) {
            watch(kind.type(), namespace, UnaryOperator.identity());
        }
    }

    /** @param namespace null for all namespaces */
    private <T extends HasMetadata> void watch(
            Class<T> type, @Nullable String namespace, UnaryOperator<HasMetadata> conversion) {
        var resources = client.resources(type);
        SharedIndexInformer<T> informer = Informers.of(
                namespace == null ? resources.inAnyNamespace() : resources.inNamespace(namespace), Pages.LARGE);
        informers.add(informer);
        informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                stored(conversion.apply(object));
            }

            @Override
            public void onUpdate(T before, T after) {
                stored(conversion.apply(after));
            }

            @Override
            public void onDelete(T object, boolean finalStateUnknown) {
                watched.remove(key(conversion.apply(object)));
                changed();
            }
        });
        started.add(informer.start().toCompletableFuture());
    }

    private void stored(HasMetadata object) {
        watched.put(key(object), object);
        changed();
    }

    private static String key(HasMetadata object) {
        var metadata = object.getMetadata();
        return object.getKind() + "/" + metadata.getNamespace() + "/" + metadata.getName();
    }

    /** Waits until all objects are known. */
    public void awaitObjects() {
        CompletableFuture.allOf(started.toArray(CompletableFuture[]::new)).join();
    }

    private void changed() {
        listeners.forEach(Runnable::run);
    }

    @Override
    public ClusterObjects objects() {
        return ClusterObjects.of(readOnce).with(watched.values()).withUnseen(unseen);
    }

    @Override
    public void addListener(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    @Override
    public boolean isConnected() {
        return informers.stream().allMatch(informer -> informer.hasSynced() && informer.isWatching());
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::stop);
    }
}
