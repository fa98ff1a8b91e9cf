package dev.fakegpu.operator.schedule;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes one of the companion's writes of claims and bindings fail, which is selected by its number. */
final class FaultyApi implements Interceptor {

    /** The kind of failure. */
    enum Fault {
        /** The request is never sent. */
        NOT_SENT,
        /** The API server performs the request, but the connection breaks before the response. */
        ANSWER_LOST
    }

    private final Fault fault;
    private final int number;
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicBoolean injected = new AtomicBoolean();

    FaultyApi(Fault fault, int number) {
        this.fault = fault;
        this.number = number;
    }

    /** Whether the write was reached, and failed. */
    boolean isInjected() {
        return injected.get();
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        if (fault == Fault.NOT_SENT && isTheOne(request)) {
            injected.set(true);
            throw new KubernetesClientException("injected: not sent");
        }
    }

    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
        if (fault != Fault.ANSWER_LOST || !isTheOne(request)) {
            return consumer;
        }
        return (bytes, body) -> {
            injected.set(true);
            throw new IOException("injected: answer lost");
        };
    }

    private boolean isTheOne(HttpRequest request) {
        String path = request.uri().getPath();
        boolean isWrite =
                !request.method().equals("GET") && (path.contains("/resourceclaims") || path.endsWith("/bindings"));
        return isWrite && writes.incrementAndGet() == number;
    }
}
