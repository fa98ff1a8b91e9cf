package dev.fakegpu.dashboard.server;

import dev.fakegpu.dashboard.server.Admission.DeniedException;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.net.HttpURLConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jboss.logging.Logger;

/** Sends responses to requests, or refuses them with a sentence. */
final class Answers {

    private static final Logger LOG = Logger.getLogger(Answers.class);

    private Answers() {}

    /**
     * Sends a future result as JSON.
     *
     * @param context the context on which to send
     */
    static void send(CompletableFuture<?> answer, HttpServerResponse response, Context context) {
        var ignored = answer.whenComplete((value, failure) -> context.runOnContext(now -> {
            if (failure == null) {
                response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json").end(DashboardFeed.json(value));
            } else {
                refuse(response, cause(failure));
            }
        }));
    }

    /** The exception that was originally thrown. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : cause;
    }

    static void refuse(HttpServerResponse response, Throwable failure) {
        if (failure instanceof DeniedException denied) {
            if (denied.status() == HttpURLConnection.HTTP_UNAUTHORIZED) {
                response.putHeader("WWW-Authenticate", "Bearer");
            }
            end(response, denied.status(), denied.getMessage() + "\n");
        } else if (failure instanceof Trials.UnknownWaiterException) {
            end(response, HttpURLConnection.HTTP_NOT_FOUND, failure.getMessage() + "\n");
        } else if (failure instanceof DraftReader.InvalidDraftException
                || failure instanceof IllegalArgumentException) {
            end(response, HttpURLConnection.HTTP_BAD_REQUEST, failure.getMessage() + "\n");
        } else if (failure instanceof RejectedExecutionException) {
            end(response, HttpURLConnection.HTTP_UNAVAILABLE, "too many changes are being tried now; try again\n");
        } else {
            LOG.warn("a change could not be tried", failure);
            end(response, HttpURLConnection.HTTP_INTERNAL_ERROR, "it could not be tried; the log says why\n");
        }
    }

    static void end(HttpServerResponse response, int status, String text) {
        response.setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(text);
    }
}
