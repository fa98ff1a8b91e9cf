package dev.fakegpu.dashboard.server;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Consumer;

/**
 * Server-sent events to one browser. One that does not read as fast as changes come is sent no more of them, and once it has caught up,
 * everything again. Confined to one event loop.
 */
final class EventStream {

    static final String TYPE = "text/event-stream; charset=utf-8";

    private enum State {
        /** Nothing that changes could be applied to has been sent. */
        NEW,
        /** It is up to date. */
        CURRENT,
        /** It has missed changes. */
        BEHIND
    }

    private final HttpServerResponse response;
    private State state = State.NEW;

    /** @param sendAll called when the browser has caught up */
    EventStream(HttpServerResponse response, Consumer<EventStream> sendAll) {
        this.response = response;
        response.setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, TYPE).drainHandler(ignored -> {
            if (state == State.BEHIND) {
                sendAll.accept(this);
            }
        });
    }

    /** Whether it can be sent what later changes are based on, and needs it. */
    boolean lacksPicture() {
        return state == State.NEW || state == State.BEHIND && !response.writeQueueFull();
    }

    /** Sends what later changes are based on; completes when it has been sent. */
    Future<Void> sendPicture(String event, Buffer json) {
        state = State.CURRENT;
        if (response.closed()) {
            return Future.succeededFuture();
        }
        response.write("event: " + event + "\ndata: ");
        response.write(json);
        return response.write("\n\n");
    }

    /** Sends a change of what was sent before, if anything was. */
    void sendChange(String event, String json) {
        if (state != State.NEW) {
            send(event, json);
        }
    }

    /** Sends an event, unless the browser is behind. */
    void send(String event, String json) {
        if (state == State.BEHIND) {
            return;
        }
        if (response.writeQueueFull()) {
            state = State.BEHIND;
        } else {
            write(event, json);
        }
    }

    /** JSON has no line breaks, which would end the event. */
    private void write(String event, String json) {
        if (!response.closed()) {
            response.write("event: " + event + "\ndata: " + json + "\n\n");
        }
    }
}
