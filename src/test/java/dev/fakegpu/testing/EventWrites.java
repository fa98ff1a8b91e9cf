package dev.fakegpu.testing;

import dev.fakegpu.kube.client.ClientSerialization;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Counts the Events that one client writes. The API server's own counter includes other tests: a delayed Event may be written a minute
 * after the test that caused it.
 */
public final class EventWrites implements AutoCloseable {

    private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH");
    private static final Pattern EVENTS = Pattern.compile(".*/events(/[^/]+)?");

    private final AtomicInteger count = new AtomicInteger();
    private final KubernetesClient client;

    /**
     * @param config the configuration of the counted client, which needs a long timeout: if the response came too late, the Event would be
     *     written twice
     */
    public EventWrites(Config config) {
        config.setRequestTimeout(ControlPlane.REQUEST_TIMEOUT_MILLIS);
        client = ClientSerialization.builder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(
                        builder -> builder.addOrReplaceInterceptor("event-writes", new Counter()))
                .build();
    }

    public KubernetesClient client() {
        return client;
    }

    /** The number of Events that the API server has accepted. */
    public int count() {
        return count.get();
    }

    @Override
    public void close() {
        client.close();
    }

    private final class Counter implements Interceptor {

        @Override
        public void after(
                HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            if (WRITES.contains(request.method())
                    && EVENTS.matcher(request.uri().getPath()).matches()
                    && response.isSuccessful()) {
                count.incrementAndGet();
            }
        }
    }
}
