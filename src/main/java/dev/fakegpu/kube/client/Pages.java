package dev.fakegpu.kube.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;

/** Lists objects page by page: an object may have more than a megabyte, and takes twice that while it is read. */
public final class Pages {

    /** For the operator, which has little memory and reads several kinds at a time. */
    public static final long SMALL = 25;

    /** For commands, whose users wait; as in {@code kubectl}. */
    public static final long LARGE = 500;

    private Pages() {}

    /**
     * All objects.
     *
     * @param size objects per response
     */
    public static <T extends HasMetadata> List<T> list(
            Listable<? extends KubernetesResourceList<T>> resources, long size) {
        var all = new ArrayList<T>();
        String next = null;
        do {
            KubernetesResourceList<T> page;
            try {
                page = resources.list(new ListOptionsBuilder()
                        .withLimit(size)
                        .withContinue(next)
                        .build());
            } catch (KubernetesClientException e) {
                if (e.getCode() == HttpURLConnection.HTTP_GONE && next != null) {
                    return resources.list().getItems(); // listing took longer than the API server keeps old versions
                }
                throw e;
            }
            all.addAll(page.getItems());
            next = page.getMetadata() == null ? null : page.getMetadata().getContinue();
        } while (next != null && !next.isEmpty());
        return all;
    }
}
