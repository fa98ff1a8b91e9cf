package dev.fakegpu.dashboard.server;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Consumer;

/**
 * Sends server-sent events to one browser. A browser that reads too slowly gets no further changes; once it has caught up, it gets the
 * complete picture again. An instance is confined to one event loop.
 */
final class EventStream {

    static final String TYPE = "text/event-stream; charset=utf-8";

    private enum State {
        /** No picture has been sent to which changes could be applied. */
        NEW,
        /** The browser is up to date. */
        CURRENT,
        /** The browser has missed changes. */
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

    /** Whether it needs, and can be sent, the picture on which later changes are based. */
    boolean lacksPicture() {
        return state == State.NEW || state == State.BEHIND && !response.writeQueueFull();
    }

    /** Sends the picture on which later changes are based; completes when it has been sent. */
    Future<Void> sendPicture(String event, Buffer json) {
        state = State.CURRENT;
        if (response.closed()) {
            return Future.succeededFuture();
        }
        response.write("event: " + event + "\ndata: ");
        response.write(json);
        return response.write("\n\n");
    }

    /** Sends a change to the picture, if a picture was sent. */
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
