package dev.fakegpu.kube.client;

import dev.fakegpu.util.FailureLog;
import dev.fakegpu.util.FatalErrors;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import org.jboss.logging.Logger;

/** Creates informers that never stop by themselves. */
public final class Informers {

    private static final Logger LOG = Logger.getLogger(Informers.class);

    private Informers() {}

    /**
     * Makes an informer retry after any failure of a list or watch. By default it stops for good when its first list fails, or when a watch
     * fails in an unusual way, and its store is then outdated. If the informer stops anyway, the process ends. Call this before the
     * informer is started.
     */
    public static <T> SharedIndexInformer<T> retryForever(SharedIndexInformer<T> informer) {
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
