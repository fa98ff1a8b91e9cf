package dev.fakegpu.e2e.faults;

import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketBase;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Relays watches that are WebSockets, in which each message is an event, and tracks all open watches. */
final class WatchRelay {

    static final int LONGEST_EVENT = 16 * 1024 * 1024;

    private static final int CONNECTIONS = 1000;

    private final Vertx vertx;
    private final URI apiServer;
    private final WebSocketClient client;
    private final Set<HttpServerRequest> open = ConcurrentHashMap.newKeySet();

    WatchRelay(Vertx vertx, URI apiServer, PemTrustOptions trust) {
        this.vertx = vertx;
        this.apiServer = apiServer;
        client = vertx.createWebSocketClient(new WebSocketClientOptions()
                .setSsl(true)
                .setPemTrustOptions(trust)
                .setMaxConnections(CONNECTIONS)
                .setMaxFrameSize(LONGEST_EVENT)
                .setMaxMessageSize(LONGEST_EVENT));
    }

    static boolean isWebSocket(HttpServerRequest request) {
        return "websocket".equalsIgnoreCase(request.getHeader("Upgrade"));
    }

    static boolean isBookmark(String event) {
        return event.startsWith("{\"type\":\"BOOKMARK\"");
    }

    /** Tracks a watch that is an ordinary response. */
    void keepUntilEnd(HttpServerRequest request) {
        open.add(request);
        request.connection().closeHandler(closed -> open.remove(request));
    }

    /** The event in the form in which it is passed on. */
    static String passed(String event, Optional<Fault> fault) {
        return fault.orElse(null) instanceof Fault.Rewritten rewritten
                ? rewritten.rewrite().changed(event)
                : event;
    }

    /** Closes the connections of all watches. */
    void closeAll() {
        open.forEach(request -> request.connection().close());
    }

    void relay(HttpServerRequest request, Optional<Fault> fault) {
        var options = new WebSocketConnectOptions()
                .setHost(apiServer.getHost())
                .setPort(apiServer.getPort())
                .setURI(request.uri())
                .setHeaders(headers(request));
        String protocol = request.getHeader("Sec-WebSocket-Protocol");
        if (protocol != null) {
            options.setSubProtocols(List.of(protocol.split(", *")));
        }
        client.connect(options)
                .onSuccess(server -> {
                    server.pause(); // the first events may arrive before there is a connection to pass them to
                    request.toWebSocket()
                            .onSuccess(accepted -> connect(request, server, accepted, fault))
                            .onFailure(gone -> server.close());
                })
                .onFailure(reason -> refuse(request, reason));
    }

    private static MultiMap headers(HttpServerRequest request) {
        var headers = MultiMap.caseInsensitiveMultiMap();
        request.headers().forEach(header -> {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!name.startsWith("sec-websocket")
                    && !Set.of("host", "connection", "upgrade").contains(name)) {
                headers.add(header.getKey(), header.getValue());
            }
        });
        return headers;
    }

    static int bytesUntilCut(Optional<Fault> fault) {
        return fault.orElse(null) instanceof Fault.Cut cut ? cut.afterBytes() : Integer.MAX_VALUE;
    }

    private static void refuse(HttpServerRequest request, Throwable reason) {
        if (reason instanceof UpgradeRejectedException refused) {
            request.resume();
            request.response()
                    .setStatusCode(refused.getStatus())
                    .putHeader("Content-Type", "application/json")
                    .end(refused.getBody() == null ? Buffer.buffer() : refused.getBody());
        } else {
            request.connection().close();
        }
    }

    private void connect(HttpServerRequest request, WebSocket server, ServerWebSocket accepted, Optional<Fault> fault) {
        open.add(request);
        int[] left = {bytesUntilCut(fault)};
        server.textMessageHandler(event -> {
            left[0] -= event.length();
            if (left[0] < 0) {
                request.connection().close();
            } else if (!(fault.orElse(null) instanceof Fault.BookmarksLost) || !isBookmark(event)) {
                pass(passed(event, fault), accepted, server);
            }
        });
        accepted.textMessageHandler(message -> pass(message, server, accepted));
        server.closeHandler(ended -> {
            open.remove(request);
            accepted.close();
        });
        accepted.closeHandler(ended -> {
            open.remove(request);
            server.close();
        });
        server.exceptionHandler(broken -> request.connection().close());
        accepted.exceptionHandler(broken -> server.close());
        if (fault.orElse(null) instanceof Fault.WatchClosed closed) {
            vertx.setTimer(
                    closed.after().toMillis(), ignored -> request.connection().close());
        }
        server.resume();
    }

    private static void pass(String message, WebSocketBase to, WebSocketBase from) {
        to.writeTextMessage(message);
        if (to.writeQueueFull()) {
            from.pause();
            to.drainHandler(drained -> from.resume());
        }
    }
}
