package dev.fakegpu.kube.watch;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.kube.client.Informers;
import dev.fakegpu.kube.client.Pages;
import dev.fakegpu.kube.client.TaintRuleVersions;
import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** One informer and one store per watched kind, shared by all controllers. Add listeners before {@link #start()}. */
public final class ClusterWatch extends ObjectStores implements AutoCloseable {

    private final KubernetesClient client;
    private final String catalogNamespace;
    private final String namespace;
    private final List<WatchedKind> kinds = new CopyOnWriteArrayList<>();

    private final UnreadableObjects unreadable = new UnreadableObjects();
    private final WatchedBytes bytes;

    /**
     * Creates the informers.
     *
     * @param catalogNamespace the namespace where ConfigMaps can add models to the catalog
     * @param namespace the operator's namespace
     */
    public ClusterWatch(KubernetesClient client, String catalogNamespace, String namespace) {
        super(namespace);
        this.client = client;
        this.bytes = new WatchedBytes(client);
        this.catalogNamespace = catalogNamespace;
        this.namespace = namespace;
    }

    /**
     * Starts all informers and returns once each has listed its kind.
     *
     * @throws KubernetesClientException if the API server does not say what it serves; then nothing is started, and the caller can try
     *     again
     */
    public void start() {
        watchTaintRules();
        if (client.supports(PodGroup.class)) {
            readPodGroups();
            watch(PodGroup.class, podGroups());
        }
        watch(FakeGpu.class, fakeGpus());
        watch(Node.class, nodes());
        watch(ResourceSlice.class, slices());
        watch(DeviceClass.class, deviceClasses());
        watch(ResourceClaim.class, claims());
        watch(Namespace.class, namespaces());
        watch(Pod.class, pods());
        watch(client.configMaps().inNamespace(catalogNamespace).withLabel(Labels.CATALOG, "true"), catalogFiles());
        watch(client.configMaps().inNamespace(namespace).withField("metadata.name", SETTINGS), settings());
        CompletableFuture.allOf(kinds.stream()
                        .map(kind -> kind.informer().start().toCompletableFuture())
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /** The size of the objects that are kept in memory. */
    public WatchedBytes bytes() {
        return bytes;
    }

    /** The objects of all kinds that have unreadable fields. */
    public UnreadableObjects unreadable() {
        return unreadable;
    }

    /** The slices whose devices are not kept because memory is short. */
    public List<CompactSlice> slicesWithoutDevices() {
        return slices().leftOut().stream()
                .filter(CompactSlice::isWithoutDevices)
                .map(CompactSlice.class::cast)
                .toList();
    }

    /**
     * Reads the devices that were not kept again, as long as there is memory for them. It uses lists, for which every part of the operator
     * has the rights.
     *
     * @throws KubernetesClientException if the API server does not answer
     */
    public void readDevicesAgain() {
        for (CompactSlice slice : slicesWithoutDevices()) {
            var named = client.resources(ResourceSlice.class)
                    .withField("metadata.name", slice.getMetadata().getName());
            Optional<ResourceSlice> read =
                    Pages.list(named, Pages.SMALL).stream().findFirst();
            if (read.filter(CompactSlice::isWithoutDevices).isPresent()) {
                return;
            }
            read.ifPresent(known -> slices().onUpdate(slice, known));
        }
    }

    /** Whether every kind is being watched at the moment. */
    public boolean isWatching() {
        return !kinds.isEmpty() && kinds.stream().allMatch(WatchedKind::isWatching);
    }

    /** Whether the kind is being watched at the moment. */
    public boolean isWatching(String kind) {
        return kinds.stream().filter(watched -> watched.name().equals(kind)).allMatch(WatchedKind::isWatching);
    }

    /** The watched kinds; empty before the start. */
    public List<WatchedKind> kinds() {
        return List.copyOf(kinds);
    }

    @Override
    public void close() {
        kinds.forEach(kind -> kind.informer().stop());
    }

    private void watchTaintRules() {
        TaintRuleVersions.served(client)
                .ifPresent(type -> watch(
                        client.resources(type).inAnyNamespace(),
                        taintRules(),
                        rule -> TaintRuleVersions.toV1(client, rule)));
    }

    private <T extends HasMetadata> void watch(Class<T> type, ObjectStore<T> store) {
        watch(client.resources(type).inAnyNamespace(), store);
    }

    private <T extends HasMetadata> void watch(
            FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, ?> all, ObjectStore<T> store) {
        watch(all, store, Function.identity());
    }

    private <S extends HasMetadata, T extends HasMetadata> void watch(
            FilterWatchListDeletable<S, ? extends KubernetesResourceList<S>, ?> all,
            ObjectStore<T> store,
            Function<S, T> converter) {
        SharedIndexInformer<S> informer = Informers.of(all, Pages.SMALL);
        String kind = informer.getApiTypeClass().getSimpleName();
        informer.addEventHandler(bytes.counting(kind));
        informer.addEventHandler(ObjectStore.converting(unreadable.reporting(kind, store), converter));
        kinds.add(new WatchedKind(informer, all));
    }
}
