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
 * The page over HTTP: its files, {@code /api/dashboard} with the picture as JSON, and {@code /api/events} with the picture and then each
 * change as server-sent events, {@code /api/try} with what a change would lead to, and {@code /api/scenarios} and
 * {@code /api/scenario} with scenarios that are played in memory.
 * It answers GET, and POST of YAML that is to be tried, and writes nothing.
 *
 * <p>All methods that use {@link #streams} run on one event loop.
 */
public final class DashboardServer implements AutoCloseable {

    /** RFC 9110, 15.5.20. */
    private static final int MISDIRECTED_REQUEST = 421;

    private static final String DRAFT_TYPE = "application/yaml";

    /** In bytes. */
    private static final int MAX_DRAFT = 1 << 18;

    private static final long STATUS_MILLIS = 1_000;

    /** So many browsers are sent changes at a time. */
    static final int MAX_STREAMS = 200;

    /** So many whole pictures are being sent at a time, which are megabytes in large clusters. */
    private static final int MAX_PICTURES = 8;

    /** So often in a row it may be unknown what a browser's caller may see, before it is shown nothing any more. */
    private static final int MAX_UNDECIDED = 4;

    /** In seconds; a browser that listens is told every second that the server is there. */
    private static final int IDLE_TIMEOUT = 60;

    private final Vertx vertx;
    private final Admission admission;
    private final PageFiles files = PageFiles.read();
    private final AllowedHosts hosts;
    private final HttpServer server;
    private final long timer;
    private final long admissionTimer;

    /** Browsers that are sent changes, the oldest first, and how often in a row it was unknown what their callers may see. */
    private final Map<Subscriber, Integer> streams = new LinkedHashMap<>();

    private int picturesBeingSent;
    private boolean admits;

    /** @param authorization with which it was admitted */
    private record Subscriber(
            EventStream stream,
            HttpServerResponse response,
            String user,
            DashboardFeed feed,
            Consumer<String> listener,
            @Nullable String authorization) {}

    /**
     * Begins to listen.
     *
     * @param address an IP address or a name of this machine, and a port; 0 for any free one
     * @throws IllegalStateException if that is not possible; the message is for users
     */
    public DashboardServer(Vertx vertx, InetSocketAddress address, DashboardFeed feed) {
        this(vertx, address, Admission.everybody(feed));
    }

    /**
     * Begins to listen.
     *
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
                .setHttp2ClearTextEnabled(false); // its requests have no header Host
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

    /** Where it listens. */
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

    /** Nothing of the request is read before it is known whose it is. */
    private void admit(HttpServerRequest request, Consumer<Admitted> handler) {
        Context context = vertx.getOrCreateContext();
        request.pause();
        var ignored = admission
                .admit(request.getHeader(HttpHeaders.AUTHORIZATION))
                .whenComplete((caller, failure) -> context.runOnContext(now -> {
                    request.resume();
                    if (request.response().closed()) {
                        return; // nothing would tell later that it is gone
                    }
                    if (failure != null) {
                        Answers.refuse(request.response(), Answers.cause(failure));
                        return;
                    }
                    try {
                        handler.accept(caller);
                    } catch (IllegalArgumentException e) { // as of a broken escape in the query
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

    /** {@code name} is one of the list, and {@code worlds} in what two worlds differ. */
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
     * What releasing claims would lead to for one that waits, or tolerating a taint: {@code waiting} is its id, {@code release} a claim, as
     * often as needed, {@code tolerate} a taint.
     */
    private static CompletableFuture<Tried> change(MultiMap parameters, DashboardFeed feed) {
        String id = Objects.requireNonNullElse(parameters.get("waiting"), "");
        String taint = parameters.get("tolerate");
        if (taint != null) {
            return feed.trials().tolerate(id, taint);
        }
        return feed.trials().release(id, parameters.getAll("release"));
    }

    /** Other sites' pages cannot send this media type without asking first, which is not answered. */
    private void tryDraft(HttpServerRequest request, HttpServerResponse response, DashboardFeed feed) {
        if (!DRAFT_TYPE.equals(request.getHeader(HttpHeaders.CONTENT_TYPE))) {
            Answers.end(response, HttpURLConnection.HTTP_UNSUPPORTED_TYPE, "only " + DRAFT_TYPE + " is read\n");
            return;
        }
        if (!feed.triesDrafts()) {
            Answers.send(
                    feed.trials().draft(""),
                    response,
                    vertx.getOrCreateContext()); // which says why; the body is not kept
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

    /** Ends the oldest stream of the user who has most, if that is more than the newcomer has. */
    private boolean leaveOneOfTheMost(String newcomer) {
        Optional<Subscriber> left = FairPlaces.whoGivesUp(
                        streams.keySet().stream().map(Subscriber::user).toList(), newcomer)
                .flatMap(most -> streams.keySet().stream()
                        .filter(subscriber -> subscriber.user().equals(most))
                        .findFirst());
        left.ifPresent(this::leave);
        return left.isPresent();
    }

    /** Its browser asks anew. */
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
        } // else a second later
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

    /** One after the other, since callers of new requests wait meanwhile. */
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
     * A browser whose caller may see something else by now is left; it asks anew. While nobody can tell, its last picture stays for some
     * time.
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
