package dev.fakegpu.kube.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

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
        forEach(resources, size, all::addAll);
        return all;
    }

    /**
     * Passes on each page as soon as it has been read. If listing takes longer than the API server keeps old versions, the rest is listed
     * as it is then: an object that exists all the time is not missed. client-go lists everything again in one response instead, for which
     * there may not be enough memory.
     *
     * @param size objects per response
     */
    public static <T extends HasMetadata> void forEach(
            Listable<? extends KubernetesResourceList<T>> resources, long size, Consumer<List<T>> page) {
        var options = new ListOptionsBuilder().withLimit(size).build();
        do {
            KubernetesResourceList<T> read = read(resources, options);
            page.accept(read.getItems());
            options.setContinue(
                    read.getMetadata() == null ? null : read.getMetadata().getContinue());
        } while (options.getContinue() != null && !options.getContinue().isEmpty());
    }

    private static <T extends HasMetadata> KubernetesResourceList<T> read(
            Listable<? extends KubernetesResourceList<T>> resources, ListOptions options) {
        while (true) {
            try {
                return resources.list(options);
            } catch (KubernetesClientException e) {
                options.setContinue(rest(e).orElseThrow(() -> e));
            }
        }
    }

    /** The API server refuses an expired token with one for the rest. Upstream: {@code handleCompactedErrorForList} in {@code etcd3}. */
    private static Optional<String> rest(KubernetesClientException refusal) {
        return Optional.ofNullable(refusal.getStatus())
                .filter(status -> refusal.getCode() == HttpURLConnection.HTTP_GONE)
                .map(Status::getMetadata)
                .map(ListMeta::getContinue)
                .filter(token -> !token.isEmpty());
    }
}
