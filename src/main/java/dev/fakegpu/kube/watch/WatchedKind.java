package dev.fakegpu.kube.watch;

import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

/**
 * A kind that is watched. Resource versions can be compared only within a kind (KEP-5504), since the kinds of a cluster may be stored in
 * different etcds ({@code --etcd-servers-overrides} of kube-apiserver).
 *
 * @param all lists the objects that are watched
 */
public record WatchedKind(SharedIndexInformer<?> informer, Listable<? extends KubernetesResourceList<?>> all) {

    String name() {
        return informer.getApiTypeClass().getSimpleName();
    }

    boolean isWatching() {
        return informer.hasSynced() && informer.isWatching();
    }

    /** The newest resource version that the informer has seen; 0 if there is none. */
    public long seen() {
        String version = informer.lastSyncResourceVersion();
        return version == null || version.isEmpty() ? 0 : Long.parseLong(version);
    }

    /**
     * The newest resource version that is stored. The method lists without a resource version, so the answer is current, whichever API
     * server gives it.
     *
     * @throws KubernetesClientException if the API server does not answer
     */
    public long stored() {
        return Long.parseLong(all.list(new ListOptionsBuilder().withLimit(1L).build())
                .getMetadata()
                .getResourceVersion());
    }
}
