package dev.fakegpu.runtime;

import dev.fakegpu.hardware.dcgm.DcgmGpu;
import dev.fakegpu.hardware.dcgm.DcgmText;
import dev.fakegpu.util.FairPlaces;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Serves at {@value #PATH} the metrics that dcgm-exporter would have for the fake GPUs, and writes them piece by piece. */
@Singleton
final class DcgmRoute {

    static final String PATH = "/dcgm/metrics";

    /** The maximum number of concurrent scrapes. */
    static final int MAX_SCRAPES = 4;

    /** The maximum duration of a scrape. By default, Prometheus waits for 10 s, and never longer than its interval. */
    private static final Duration LONGEST_SCRAPE = Duration.ofSeconds(60);

    private final Supplier<List<DcgmGpu>> gpus;
    private final Clock clock;
    private final Ticker ticker;

    /** The scrapes in progress, oldest first. */
    private final Map<HttpConnection, String> readers = new LinkedHashMap<>();

    @Inject
    DcgmRoute(DcgmSource source, Clock clock, Ticker ticker) {
        this(source::gpus, clock, ticker);
    }

    DcgmRoute(Supplier<List<DcgmGpu>> gpus, Clock clock, Ticker ticker) {
        this.gpus = gpus;
        this.clock = clock;
        this.ticker = ticker;
    }

    /** Runs on threads that may block, so that a slow reader does not delay others. */
    void register(@Observes Router router) {
        router.get(PATH).blockingHandler(this::respond, false);
    }

    private void respond(RoutingContext request) {
        HttpConnection reader = request.request().connection();
        if (!begin(reader, request.request().remoteAddress().hostAddress())) {
            request.response()
                    .setStatusCode(HttpURLConnection.HTTP_UNAVAILABLE)
                    .end("these metrics are being sent to others now; try again\n");
            return;
        }
        try {
            write(request);
        } finally {
            end(reader);
        }
    }

    /** If there are too many scrapes, ends one of the address with the most, since any pod may read here. */
    private synchronized boolean begin(HttpConnection reader, String address) {
        if (readers.size() >= MAX_SCRAPES) {
            Optional<HttpConnection> slow = FairPlaces.whoGivesUp(readers.values(), address)
                    .flatMap(most -> readers.entrySet().stream()
                            .filter(each -> each.getValue().equals(most))
                            .map(Map.Entry::getKey)
                            .findFirst());
            slow.ifPresent(each -> {
                readers.remove(each);
                each.close();
            });
        }
        return readers.size() < MAX_SCRAPES && readers.putIfAbsent(reader, address) == null;
    }

    private synchronized void end(HttpConnection reader) {
        readers.remove(reader);
    }

    private void write(RoutingContext request) {
        List<DcgmGpu> known = gpus.get(); // before the response has begun
        HttpServerResponse response = request.response();
        response.setChunked(true).putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        try (var out = new PieceWriter(response, ticker.now().plus(LONGEST_SCRAPE), ticker)) {
            DcgmText.write(known, clock.instant(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (CompletionException e) { // the reader is gone or does not read
            request.request().connection().close();
            return;
        }
        response.end();
    }

    /** Waits after each piece until it is sent, so that a slow reader takes no memory. */
    private static final class PieceWriter extends Writer {

        private static final int PIECE = 1 << 17;

        private static final Duration PATIENCE = Duration.ofSeconds(10);

        private final HttpServerResponse response;
        private final Moment end;
        private final Ticker ticker;
        private final StringBuilder piece = new StringBuilder(PIECE + (1 << 10));

        PieceWriter(HttpServerResponse response, Moment end, Ticker ticker) {
            this.response = response;
            this.end = end;
            this.ticker = ticker;
        }

        @Override
        public void write(char[] text, int from, int length) {
            piece.append(text, from, length);
            sendFull();
        }

        @Override
        public Writer append(CharSequence text) {
            piece.append(text);
            sendFull();
            return this;
        }

        @Override
        public Writer append(char c) {
            piece.append(c);
            return this;
        }

        private void sendFull() {
            if (piece.length() >= PIECE) {
                flush();
            }
        }

        @Override
        public void flush() {
            var bytes = Buffer.buffer(piece.toString().getBytes(StandardCharsets.UTF_8));
            piece.setLength(0);
            Duration left = ticker.until(end);
            Duration patience = left.compareTo(PATIENCE) < 0 ? left : PATIENCE;
            response.write(bytes)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }

        @Override
        public void close() {
            flush();
        }
    }
}
