package dev.fakegpu.schedule;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets one of the companion's writes of claims and bindings go wrong, the one with a certain number. */
final class FaultyApi implements Interceptor {

    /** What goes wrong. */
    enum Fault {
        /** The request never leaves. */
        NOT_SENT,
        /** The API server does what was asked, and nobody hears of it. */
        ANSWER_LOST,
        /** The same with a broken connection, after which the client asks again by itself. */
        CONNECTION_CUT
    }

    private final Fault fault;
    private final int number;
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();

    FaultyApi(Fault fault, int number) {
        this.fault = fault;
        this.number = number;
    }

    /** How many writes there were. */
    int writes() {
        return Math.max(sent.get(), answered.get());
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        if (isWrite(request) && sent.incrementAndGet() == number && fault == Fault.NOT_SENT) {
            throw new KubernetesClientException("injected: not sent");
        }
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        if (!isWrite(request) || answered.incrementAndGet() != number) {
            return;
        }
        if (fault == Fault.ANSWER_LOST) {
            throw new KubernetesClientException("injected: answer lost");
        }
        if (fault == Fault.CONNECTION_CUT) {
            FaultyApi.<RuntimeException>sneak(new IOException("injected: connection cut"));
        }
    }

    private static boolean isWrite(HttpRequest request) {
        String path = request.uri().getPath();
        return !request.method().equals("GET") && (path.contains("/resourceclaims") || path.endsWith("/bindings"));
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
