package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.hardware.dcgm.DcgmGpu;
import dev.fakegpu.testing.Patience;
import dev.fakegpu.util.Ticker;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a client that reads the metrics slowly or often does not block other clients. */
class DcgmRouteTest {

    private static final String SLOW = "127.0.0.1";
    private static final String OTHER = "127.0.0.2";

    private final Vertx vertx = Vertx.vertx();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Semaphore begun = new Semaphore(0);
    private final List<Socket> sockets = new ArrayList<>();
    private volatile boolean isSlow = true;
    private @Nullable HttpServer server;

    @BeforeEach
    void serve() {
        Router router = Router.router(vertx);
        new DcgmRoute(this::gpus, Clock.systemUTC(), Ticker.SYSTEM).register(router);
        server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    /** Blocks like the response to a client that does not read. */
    private List<DcgmGpu> gpus() {
        if (isSlow) {
            begun.release();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return List.of();
    }

    @AfterEach
    void stop() throws IOException {
        end.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void slowReadersLeaveAPlaceToOthers() throws IOException {
        // Given
        Socket oldest = scrape(SLOW);
        begun.acquireUninterruptibly();
        for (int i = 1; i < DcgmRoute.MAX_SCRAPES; i++) {
            scrape(SLOW);
            begun.acquireUninterruptibly();
        }
        isSlow = false;
        assertThat(status(scrape(SLOW))).as("one more of the same address").contains("503");

        // When
        String status = status(scrape(OTHER));

        // Then
        assertThat(status).contains("200");
        assertThat(status(oldest)).as("its connection was closed").isNull();
    }

    private Socket scrape(String from) throws IOException {
        var socket =
                new Socket(InetAddress.getByName("127.0.0.1"), server.actualPort(), InetAddress.getByName(from), 0);
        sockets.add(socket);
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        OutputStream out = socket.getOutputStream();
        out.write("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .formatted(DcgmRoute.PATH)
                .getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return socket;
    }

    private static @Nullable String status(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
    }
}
