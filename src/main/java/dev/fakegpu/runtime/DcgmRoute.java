package dev.fakegpu.runtime;

import dev.fakegpu.hardware.dcgm.DcgmGpu;
import dev.fakegpu.hardware.dcgm.DcgmText;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** {@value #PATH}: the metrics that dcgm-exporter would have of the fake GPUs, written piece by piece. */
@Singleton
final class DcgmRoute {

    static final String PATH = "/dcgm/metrics";

    private final DcgmSource source;
    private final Clock clock;

    DcgmRoute(DcgmSource source, Clock clock) {
        this.source = source;
        this.clock = clock;
    }

    /** One scrape after the other, on a thread that may block. */
    void register(@Observes Router router) {
        router.get(PATH).blockingHandler(this::respond, true);
    }

    private void respond(RoutingContext request) {
        List<DcgmGpu> gpus = source.gpus(); // before the answer has begun
        HttpServerResponse response = request.response();
        response.setChunked(true).putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        try (var out = new PieceWriter(response)) {
            DcgmText.write(gpus, clock.instant(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (CompletionException e) { // the reader is gone, or does not read
            request.request().connection().close();
            return;
        }
        response.end();
    }

    /** Waits after each piece until it is sent, so that a slow reader costs no memory. */
    private static final class PieceWriter extends Writer {

        private static final int PIECE = 1 << 17;

        private static final int PATIENCE_SECONDS = 10;

        private final HttpServerResponse response;
        private final StringBuilder piece = new StringBuilder(PIECE + (1 << 10));

        PieceWriter(HttpServerResponse response) {
            this.response = response;
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
            response.write(bytes)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
        }

        @Override
        public void close() {
            flush();
        }
    }
}
