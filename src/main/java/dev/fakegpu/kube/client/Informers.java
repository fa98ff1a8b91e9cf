package dev.fakegpu.kube.client;

import dev.fakegpu.util.FatalErrors;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import org.jboss.logging.Logger;

/** Informers that never end by themselves. */
public final class Informers {

    private static final Logger LOG = Logger.getLogger(Informers.class);

    private Informers() {}

    /**
     * Has an informer try again whatever went wrong with a list or a watch. By default it ends for good when its first list fails, or a
     * watch in another way than usual, and its store is outdated from then on. If it ends all the same, so does the process. To be called
     * before it is started.
     */
    public static <T> SharedIndexInformer<T> retryForever(SharedIndexInformer<T> informer) {
        informer.stopped().whenComplete((nothing, failure) -> {
            if (failure != null) {
                String kind = informer.getApiTypeClass().getSimpleName();
                FatalErrors.end(
                        new Error("watching " + kind + " has ended: its objects are not known any more", failure));
            }
        });
        return informer.exceptionHandler((started, failure) -> {
            LOG.warnf(
                    "watching %s is tried again: %s", informer.getApiTypeClass().getSimpleName(), failure);
            return true;
        });
    }
}
