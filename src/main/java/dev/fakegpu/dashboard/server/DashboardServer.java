package dev.fakegpu.dashboard.server;

import dev.fakegpu.dashboard.Comparison;
import dev.fakegpu.dashboard.Tried;
import dev.fakegpu.dashboard.server.Admission.UndecidedException;
import dev.fakegpu.util.FairPlaces;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page over HTTP: its files; {@code /api/dashboard}, the picture as JSON; {@code /api/events}, the picture and then each change
 * as server-sent events; {@code /api/try}, the consequences of a change; and {@code /api/scenarios} and {@code /api/scenario}, scenarios
 * that are played in memory. It accepts GET, and POST of YAML to be tried, and writes nothing.
 *
 * <p>All methods that use {@link #streams} run on one event loop.
 */
public final class DashboardServer implements AutoCloseable {

    /** RFC 9110, 15.5.20. */
    private static final int MISDIRECTED_REQUEST = 421;

    private static final String DRAFT_TYPE = "application/yaml";

    /** The maximum size of a draft in bytes. */
    private static final int MAX_DRAFT = 1 << 18;

    private static final long STATUS_MILLIS = 1_000;

    /** The maximum number of browsers that receive changes. */
    static final int MAX_STREAMS = 200;

    /** The maximum number of complete pictures in transit, which take megabytes in large clusters. */
    private static final int MAX_PICTURES = 8;

    /** After this many consecutive checks that could not determine what a browser's caller may see, nothing more is sent to the browser. */
    private static final int MAX_UNDECIDED = 4;

    /** The idle timeout in seconds; a listening browser receives a sign of life every second. */
    private static final int IDLE_TIMEOUT = 60;

    private final Vertx vertx;
    private final Admission admission;
    private final PageFiles files = PageFiles.read();
    private final AllowedHosts hosts;
    private final HttpServer server;
    private final long timer;
    private final long admissionTimer;

    /**
     * The browsers that receive changes, oldest first, and the number of consecutive checks that could not determine what their callers may
     * see.
     */
    private final Map<Subscriber, Integer> streams = new LinkedHashMap<>();

    private int picturesBeingSent;
    private boolean admits;

    /** @param authorization the header with which it was admitted */
    private record Subscriber(
            EventStream stream,
            HttpServerResponse response,
            String user,
            DashboardFeed feed,
            Consumer<String> listener,
            @Nullable String authorization) {}

    /**
     * Starts listening.
     *
     * @param address an IP address or name of this machine, and a port; 0 for any free port
     * @throws IllegalStateException if that is not possible; the message is for users
     */
    public DashboardServer(Vertx vertx, InetSocketAddress address, Admission admission) {
        this.vertx = vertx;
        this.admission = admission;
        hosts = new AllowedHosts(address);
        Context context = vertx.getOrCreateContext();
        server = listen(context, address);
        timer = vertx.setPeriodic(STATUS_MILLIS, ignored -> context.runOnContext(now -> sendStatus()));
        admissionTimer = vertx.setPeriodic(
                AsUser.TRUSTED.toMillis(), ignored -> context.runOnContext(now -> admitAgain(context)));
    }

    private HttpServer listen(Context context, InetSocketAddress address) {
        var options = new HttpServerOptions()
                .setHost(address.getHostString())
                .setPort(address.getPort())
                .setIdleTimeout(IDLE_TIMEOUT)
                .setHttp2ClearTextEnabled(false); // such requests have no Host header
        var listening = new CompletableFuture<HttpServer>();
        context.runOnContext(now -> vertx.createHttpServer(options)
                .requestHandler(this::handle)
                .listen()
                .onSuccess(listening::complete)
                .onFailure(listening::completeExceptionally));
        try {
            return listening.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "cannot listen on %s port %d: %s"
                            .formatted(
                                    address.getHostString(),
                                    address.getPort(),
                                    Answers.cause(e).getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }

    /** The port on which it listens. */
    public int port() {
        return server.actualPort();
    }

    private void handle(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        SecurityHeaders.set(response);
        if (!hosts.allow(request.getHeader(HttpHeaders.HOST))) {
            Answers.end(response, MISDIRECTED_REQUEST, "this page is not served under this name\n");
        } else if (isDraft(request)) {
            admit(request, caller -> tryDraft(request, response, caller.feed()));
        } else if (request.method() != HttpMethod.GET && request.method() != HttpMethod.HEAD) {
            response.putHeader(HttpHeaders.ALLOW, "GET, HEAD");
            Answers.end(response, HttpURLConnection.HTTP_BAD_METHOD, "this page only shows something\n");
        } else {
            admit(request, caller -> answer(request, response, caller));
        }
    }

    private static boolean isDraft(HttpServerRequest request) {
        return request.method() == HttpMethod.POST && path(request).equals("/api/try");
    }

    /** Admits the caller before anything of the request is read. */
    private void admit(HttpServerRequest request, Consumer<Admitted> handler) {
        Context context = vertx.getOrCreateContext();
        request.pause();
        var ignored = admission
                .admit(request.getHeader(HttpHeaders.AUTHORIZATION))
                .whenComplete((caller, failure) -> context.runOnContext(now -> {
                    request.resume();
                    if (request.response().closed()) {
                        return; // there would be no later notification that it is closed
                    }
                    if (failure != null) {
                        Answers.refuse(request.response(), Answers.cause(failure));
                        return;
                    }
                    try {
                        handler.accept(caller);
                    } catch (IllegalArgumentException e) { // for example because of an invalid escape in the query
                        Answers.refuse(request.response(), e);
                    }
                }));
    }

    private static String path(HttpServerRequest request) {
        return Objects.requireNonNullElse(request.path(), "");
    }

    private void answer(HttpServerRequest request, HttpServerResponse response, Admitted caller) {
        DashboardFeed feed = caller.feed();
        switch (path(request)) {
            case "/api/events" -> subscribe(request, response, caller);
            case "/api/try" -> Answers.send(change(request.params(), feed), response, vertx.getOrCreateContext());
            case "/api/scenarios" ->
                Answers.send(
                        CompletableFuture.completedFuture(feed.trials().plays()), response, vertx.getOrCreateContext());
            case "/api/scenario" -> Answers.send(play(request.params(), feed), response, vertx.getOrCreateContext());
            case "/api/dashboard" -> sendPicture(feed, response);
            default ->
                files.get(path(request))
                        .ifPresentOrElse(
                                file -> response.putHeader(HttpHeaders.CONTENT_TYPE, file.type())
                                        .end(file.content()),
                                () -> Answers.end(
                                        response, HttpURLConnection.HTTP_NOT_FOUND, "there is no such page\n"));
        }
    }

    /** {@code name} is a name from the list, and {@code worlds} is the difference between two worlds. */
    private static CompletableFuture<Comparison> play(MultiMap parameters, DashboardFeed feed) {
        return feed.trials()
                .play(
                        Objects.requireNonNullElse(parameters.get("name"), ""),
                        Objects.requireNonNullElse(parameters.get("worlds"), ""));
    }

    private void sendPicture(DashboardFeed feed, HttpServerResponse response) {
        Context context = vertx.getOrCreateContext();
        var ignored = feed.first()
                .thenRun(() -> context.runOnContext(now -> {
                    if (picturesBeingSent >= MAX_PICTURES) {
                        Answers.end(
                                response,
                                HttpURLConnection.HTTP_UNAVAILABLE,
                                "this is being sent to too many readers now; try again\n");
                    } else if (!response.closed()) {
                        response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
                        count(response.end(feed.json().orElseThrow()));
                    }
                }));
    }

    private void count(Future<Void> sending) {
        picturesBeingSent++;
        sending.onComplete(sent -> picturesBeingSent--);
    }

    /**
     * The consequences of releasing claims or tolerating a taint for a waiting pod or claim: {@code waiting} is its id, {@code release} is
     * a claim and may be repeated, {@code tolerate} is a taint.
     */
    private static CompletableFuture<Tried> change(MultiMap parameters, DashboardFeed feed) {
        String id = Objects.requireNonNullElse(parameters.get("waiting"), "");
        String taint = parameters.get("tolerate");
        if (taint != null) {
            return feed.trials().tolerate(id, taint);
        }
        return feed.trials().release(id, parameters.getAll("release"));
    }

    /** Pages of other sites cannot send this media type without a preflight request, which is not answered. */
    private void tryDraft(HttpServerRequest request, HttpServerResponse response, DashboardFeed feed) {
        if (!DRAFT_TYPE.equals(request.getHeader(HttpHeaders.CONTENT_TYPE))) {
            Answers.end(response, HttpURLConnection.HTTP_UNSUPPORTED_TYPE, "only " + DRAFT_TYPE + " is read\n");
            return;
        }
        if (!feed.triesDrafts()) {
            Answers.send(
                    feed.trials().draft(""),
                    response,
                    vertx.getOrCreateContext()); // the failure says why; the body is not kept
            return;
        }
        Buffer body = Buffer.buffer();
        request.handler(part -> {
            if (body.length() + part.length() > MAX_DRAFT) {
                request.connection().close();
            } else {
                body.appendBuffer(part);
            }
        });
        Context context = vertx.getOrCreateContext();
        request.endHandler(
                ignored -> Answers.send(feed.trials().draft(body.toString(StandardCharsets.UTF_8)), response, context));
    }

    private void subscribe(HttpServerRequest request, HttpServerResponse response, Admitted caller) {
        if (streams.size() >= MAX_STREAMS && !leaveOneOfTheMost(caller.user())) {
            Answers.end(
                    response,
                    HttpURLConnection.HTTP_UNAVAILABLE,
                    "too many browsers look at this page; try again later\n");
            return;
        }
        if (request.method() == HttpMethod.HEAD) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, EventStream.TYPE).end();
            return;
        }
        Context context = vertx.getOrCreateContext();
        DashboardFeed feed = caller.feed();
        var stream = new EventStream(response, behind -> sendAll(behind, feed));
        Consumer<String> listener = change -> context.runOnContext(ignored -> stream.sendChange("change", change));
        var subscriber = new Subscriber(
                stream, response, caller.user(), feed, listener, request.getHeader(HttpHeaders.AUTHORIZATION));
        streams.put(subscriber, 0);
        response.closeHandler(ignored -> unsubscribe(subscriber));
        response.exceptionHandler(ignored -> unsubscribe(subscriber));
        feed.addListener(listener);
        sendAll(stream, feed);
    }

    /** Closes the oldest stream of the user with the most streams, if that is more than the new user has. */
    private boolean leaveOneOfTheMost(String newcomer) {
        Optional<Subscriber> left = FairPlaces.whoGivesUp(
                        streams.keySet().stream().map(Subscriber::user).toList(), newcomer)
                .flatMap(most -> streams.keySet().stream()
                        .filter(subscriber -> subscriber.user().equals(most))
                        .findFirst());
        left.ifPresent(this::leave);
        return left.isPresent();
    }

    /** Closes the stream; the browser reconnects. */
    private void leave(Subscriber subscriber) {
        unsubscribe(subscriber);
        subscriber.response().end();
    }

    private void unsubscribe(Subscriber subscriber) {
        if (streams.remove(subscriber) != null) {
            subscriber.feed().removeListener(subscriber.listener());
        }
    }

    private void sendAll(EventStream stream, DashboardFeed feed) {
        stream.send("status", DashboardFeed.json(feed.status()));
        if (picturesBeingSent < MAX_PICTURES) {
            feed.json().ifPresent(picture -> count(stream.sendPicture("dashboard", picture)));
        } // otherwise one second later
    }

    private void sendStatus() {
        streams.keySet().forEach(subscriber -> {
            if (subscriber.stream().lacksPicture()) {
                sendAll(subscriber.stream(), subscriber.feed());
            } else {
                subscriber.stream()
                        .send("status", DashboardFeed.json(subscriber.feed().status()));
            }
        });
    }

    private void admitAgain(Context context) {
        if (!admits) {
            admits = true;
            admitAgain(context, List.copyOf(streams.keySet()).iterator());
        }
    }

    /** Admits one after the other, so that callers with new requests are not delayed. */
    private void admitAgain(Context context, Iterator<Subscriber> left) {
        if (!left.hasNext()) {
            admits = false;
            return;
        }
        Subscriber subscriber = left.next();
        var ignored = admission
                .admit(subscriber.authorization())
                .whenComplete((caller, failure) -> context.runOnContext(now -> {
                    admittedAgain(subscriber, caller == null ? null : caller.feed(), failure);
                    admitAgain(context, left);
                }));
    }

    /**
     * Closes the stream of a browser whose caller may see something else by now; the browser reconnects. If this cannot be determined, its
     * last picture remains for some time.
     */
    private void admittedAgain(Subscriber subscriber, @Nullable DashboardFeed feed, @Nullable Throwable failure) {
        boolean isUndecided = failure != null && Answers.cause(failure) instanceof UndecidedException;
        Integer undecided =
                streams.computeIfPresent(subscriber, (same, before) -> isUndecided ? Integer.valueOf(before + 1) : 0);
        boolean stays = isUndecided
                ? undecided != null && undecided < MAX_UNDECIDED
                : subscriber.feed().equals(feed);
        if (!stays && !subscriber.response().ended()) {
            leave(subscriber);
        }
    }

    @Override
    public void close() {
        vertx.cancelTimer(timer);
        vertx.cancelTimer(admissionTimer);
        server.close().toCompletionStage().toCompletableFuture().join();
    }
}
