package dev.fakegpu.e2e.faults;

import dev.fakegpu.testing.Patience;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.parsetools.RecordParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Forwards requests to an API server, and watches as WebSockets or as plain responses. It uses HTTP/1.1 without TLS on the loopback
 * interface; clients send the same bearer token as to the API server. Connections that a fault closes end without a close message.
 */
public final class FaultProxy implements AutoCloseable {

    private static final int CONNECTIONS = 2000;
    /** Bodies are not compressed, so that they can be cut and rewritten. */
    private static final Set<String> NOT_FORWARDED = Set.of(
            "connection", "host", "transfer-encoding", "upgrade", "keep-alive", "http2-settings", "accept-encoding");

    private static final int MULTIPLE_CHOICES = 300;

    private final Vertx vertx = Vertx.vertx();
    private final URI apiServer;
    private final HttpClient client;
    private final WatchRelay watches;
    private final FaultSchedule faults;
    private final Map<ApiRequest, Integer> seen = new ConcurrentHashMap<>();
    private final List<Write> stored = new CopyOnWriteArrayList<>();
    private volatile boolean isRecording;

    /** Bound to the port but never listening, so that no other process gets the port while the proxy has disappeared. */
    private final Socket reservation = new Socket();

    private final int port;
    private Optional<HttpServer> server;

    /**
     * A change that the API server has accepted.
     *
     * @param uri the path and the query
     * @param contentType the content type, which says what kind of patch the body is
     */
    public record Write(ApiRequest request, String uri, String contentType, String body) {}

    private FaultProxy(Config to, long seed) {
        apiServer = URI.create(to.getMasterUrl());
        var trust = new PemTrustOptions().addCertValue(certificate(to));
        client = vertx.createHttpClient(
                new HttpClientOptions().setSsl(true).setPemTrustOptions(trust).setMaxPoolSize(CONNECTIONS));
        watches = new WatchRelay(vertx, apiServer, trust);
        faults = new FaultSchedule(seed);
        port = reserve(reservation);
        server = Optional.of(listen(port));
    }

    private static int reserve(Socket reservation) {
        try {
            reservation.setReuseAddress(true); // allows the proxy to listen on the same port
            reservation.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return reservation.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param seed decides which of the requests that a rule selects have its fault */
    public static FaultProxy to(Config apiServer, long seed) {
        return new FaultProxy(apiServer, seed);
    }

    private static Buffer certificate(Config config) {
        try {
            return config.getCaCertData() != null
                    ? Buffer.buffer(Base64.getMimeDecoder().decode(config.getCaCertData()))
                    : Buffer.buffer(Files.readAllBytes(Path.of(config.getCaCertFile())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The URL of the proxy. */
    public String address() {
        return "http://127.0.0.1:" + port;
    }

    /** Replaces all rules with these, in this order. Open watches are closed, so that the rules apply to them, too. */
    public void inject(FaultRule... rules) {
        faults.set(Arrays.asList(rules));
        watches.closeAll();
    }

    /** Ends all faults. */
    public void heal() {
        faults.set(List.of());
        watches.closeAll();
        if (server.isEmpty()) {
            server = Optional.of(listen(port));
        }
    }

    /** Closes all connections and refuses new ones until {@link #heal()}. */
    public void disappear() {
        server.ifPresent(running -> await(running.close()));
        server = Optional.empty();
    }

    /** How often each kind of fault has happened since the start. */
    public Map<String, Long> injected() {
        return faults.injected();
    }

    public long injectedInAll() {
        return injected().values().stream().mapToLong(Long::longValue).sum();
    }

    /** Forgets all requests so far. */
    public void forgetRequests() {
        seen.clear();
    }

    /** The kinds of write requests so far, including those with faults. */
    public Set<ApiRequest> writes() {
        var writes = new TreeSet<>(Comparator.comparing(ApiRequest::toString));
        seen.keySet().stream().filter(ApiRequest::isWrite).forEach(writes::add);
        return writes;
    }

    /** Starts to record the changes that are stored, for {@link #stored()}. They stay in memory. */
    public void recordWrites() {
        isRecording = true;
    }

    /** The stored changes, in the order of the API server's responses. */
    public List<Write> stored() {
        return List.copyOf(stored);
    }

    private HttpServer listen(int at) {
        var options = new HttpServerOptions()
                .setHost("127.0.0.1")
                .setPort(at)
                // Each request in progress has its own connection, so that closing one affects no other.
                .setHttp2ClearTextEnabled(false)
                .setMaxHeaderSize(64 * 1024)
                .setMaxWebSocketFrameSize(WatchRelay.LONGEST_EVENT)
                .setMaxWebSocketMessageSize(WatchRelay.LONGEST_EVENT);
        return await(
                vertx.createHttpServer(options).requestHandler(this::accept).listen());
    }

    private void accept(HttpServerRequest request) {
        var asked = ApiRequest.of(request.method().name(), request.uri());
        seen.merge(asked, 1, Integer::sum);
        Optional<Fault> fault = faults.next(asked);
        boolean isLost = fault.orElse(null) instanceof Fault.RequestLost
                // A watch changes nothing, so this has the same effect as a lost request; the end of its response would
                // never come.
                || asked.isWatch() && fault.orElse(null) instanceof Fault.AnswerLost;
        if (isLost) {
            request.connection().close();
        } else if (fault.orElse(null) instanceof Fault.Unanswered) {
            request.pause();
        } else if (fault.orElse(null) instanceof Fault.Refused refused) {
            request.body().onSuccess(ignored -> refuse(request.response(), refused));
        } else if (WatchRelay.isWebSocket(request)) {
            request.pause();
            after(fault, () -> watches.relay(request, fault));
        } else {
            request.body().onSuccess(body -> after(fault, () -> forward(request, body, asked, fault)));
        }
    }

    private void after(Optional<Fault> fault, Runnable then) {
        if (fault.orElse(null) instanceof Fault.Late late) {
            vertx.setTimer(late.by().toMillis(), ignored -> then.run());
        } else {
            then.run();
        }
    }

    private static void refuse(HttpServerResponse response, Fault.Refused refused) {
        if (refused.retryAfterSeconds() > 0) {
            response.putHeader("Retry-After", String.valueOf(refused.retryAfterSeconds()));
        }
        response.setStatusCode(refused.code())
                .putHeader("Content-Type", "application/json")
                .end("""
                        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"injected",\
                        "reason":"%s","code":%d}""".formatted(reason(refused.code()), refused.code()));
    }

    private static String reason(int code) {
        return switch (code) {
            case 409 -> "Conflict";
            case 410 -> "Expired";
            case 429 -> "TooManyRequests";
            default -> "InternalError";
        };
    }

    private void forward(HttpServerRequest request, Buffer body, ApiRequest asked, Optional<Fault> fault) {
        var options = new RequestOptions()
                .setMethod(request.method())
                .setHost(apiServer.getHost())
                .setPort(apiServer.getPort())
                .setURI(request.uri());
        request.headers().forEach(header -> {
            if (!NOT_FORWARDED.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                options.addHeader(header.getKey(), header.getValue());
            }
        });
        client.request(options)
                .compose(forwarded -> body.length() == 0 ? forwarded.send() : forwarded.send(body))
                .onSuccess(answer -> {
                    if (isRecording && asked.isWrite() && answer.statusCode() < MULTIPLE_CHOICES) {
                        stored.add(new Write(
                                asked,
                                request.uri(),
                                String.valueOf(request.getHeader("Content-Type")),
                                body.toString()));
                    }
                    answer(request, answer, asked, fault);
                })
                .onFailure(gone -> request.connection().close());
    }

    private void answer(HttpServerRequest request, HttpClientResponse from, ApiRequest asked, Optional<Fault> fault) {
        if (fault.orElse(null) instanceof Fault.AnswerLost && asked.isWatch()) {
            request.connection().close(); // the response would take minutes
            from.request().reset();
            return;
        }
        if (fault.orElse(null) instanceof Fault.AnswerLost) {
            from.end().onComplete(done -> request.connection().close());
            from.resume();
            return;
        }
        HttpServerResponse to = request.response().setStatusCode(from.statusCode());
        from.headers().forEach(header -> {
            if (!NOT_FORWARDED.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                to.putHeader(header.getKey(), header.getValue());
            }
        });
        if (from.getHeader("Content-Length") == null) {
            to.setChunked(true);
        }
        to.closeHandler(ignored -> from.request().reset());
        if (asked.isWatch()) {
            passEvents(request, from, fault);
        } else if (fault.orElse(null) instanceof Fault.Cut cut) {
            from.body().onComplete(whole -> cut(request, whole.succeeded() ? whole.result() : Buffer.buffer(), cut));
        } else if (fault.orElse(null) instanceof Fault.Rewritten rewritten && hasObjects(from)) {
            to.headers().remove("Content-Length");
            to.setChunked(true);
            from.body()
                    .onSuccess(body -> to.end(rewritten.rewrite().changed(body.toString())))
                    .onFailure(broken -> request.connection().close());
        } else {
            from.pipeTo(to);
        }
    }

    private static boolean hasObjects(HttpClientResponse response) {
        return response.statusCode() < MULTIPLE_CHOICES
                && String.valueOf(response.getHeader("Content-Type")).startsWith("application/json");
    }

    private static void cut(HttpServerRequest request, Buffer body, Fault.Cut cut) {
        request.response()
                .write(body.slice(0, Math.min(cut.afterBytes(), body.length() / 2)))
                .onComplete(written -> request.connection().close());
    }

    /** Passes on a watch that is an ordinary response, with an event on each line. */
    private void passEvents(HttpServerRequest request, HttpClientResponse from, Optional<Fault> fault) {
        if (fault.orElse(null) instanceof Fault.WatchClosed closed) {
            vertx.setTimer(
                    closed.after().toMillis(), ignored -> request.connection().close());
        }
        watches.keepUntilEnd(request);
        var response = request.response();
        response.writeHead();
        int[] left = {WatchRelay.bytesUntilCut(fault)};
        RecordParser.newDelimited("\n", from)
                .handler(line -> {
                    left[0] -= line.length();
                    if (left[0] < 0) {
                        request.connection().close();
                    } else if (!(fault.orElse(null) instanceof Fault.BookmarksLost)
                            || !WatchRelay.isBookmark(line.toString())) {
                        response.write(WatchRelay.passed(line.toString(), fault) + "\n");
                    }
                })
                .endHandler(ended -> response.end())
                .exceptionHandler(broken -> request.connection().close());
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        await(vertx.close());
        try {
            reservation.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
