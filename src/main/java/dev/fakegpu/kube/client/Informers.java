package dev.fakegpu.kube.client;

import dev.fakegpu.util.FailureLog;
import dev.fakegpu.util.FatalErrors;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import org.jboss.logging.Logger;

/** Creates informers that never stop by themselves. */
public final class Informers {

    private static final Logger LOG = Logger.getLogger(Informers.class);

    private Informers() {}

    /**
     * Creates an informer that lists page by page, and retries after any failure of a list or watch. By default it would stop for good when
     * its first list fails, or when a watch fails in an unusual way, and its store would then be outdated. If the informer stops anyway, the
     * process ends.
     *
     * @param size objects per response of a list
     */
    public static <T extends HasMetadata> SharedIndexInformer<T> of(
            FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, ?> all, long size) {
        SharedIndexInformer<T> informer = all.withLimit(size).runnableInformer(0);
        informer.stopped().whenComplete((nothing, failure) -> {
            if (failure != null) {
                String kind = informer.getApiTypeClass().getSimpleName();
                FatalErrors.end(
                        new Error("watching " + kind + " has ended: its objects are not known any more", failure));
            }
        });
        var log = new FailureLog(Ticker.SYSTEM, LOG::warn);
        return informer.exceptionHandler((started, failure) -> {
            log.failed(
                    "watching " + informer.getApiTypeClass().getSimpleName() + " is tried again",
                    explained(informer.getApiTypeClass(), failure));
            return true;
        });
    }

    /** Explains a 404: if the definition of a custom resource is missing, the API server only says that something was not found. */
    static Throwable explained(Class<?> type, Throwable failure) {
        Throwable root = failure;
        while (!(root instanceof KubernetesClientException) && root.getCause() != null) {
            root = root.getCause();
        }
        boolean isNotServed = CustomResource.class.isAssignableFrom(type)
                && root instanceof KubernetesClientException refused
                && refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
        return isNotServed
                ? new KubernetesClientException("the cluster does not have its definition; install it with"
                        + " kubectl apply --server-side -k crds, or with crds.enabled=true of the chart")
                : failure;
    }
}
