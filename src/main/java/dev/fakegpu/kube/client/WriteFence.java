package dev.fakegpu.kube.client;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a process from changing anything unless it is certainly the leader. It blocks creations, updates, patches and deletions of all
 * kinds. It checks each attempt, including retries of a request that the client began while the process was the leader. Reads, dry runs and
 * events are allowed, because they cannot undo what the new leader has done.
 */
public final class WriteFence implements Interceptor {

    private static final Logger LOG = Logger.getLogger(WriteFence.class);
    private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH", "DELETE");

    /**
     * Matches the paths of events. Each segment is matched by position, since a namespace or object may itself be called {@code events}. If
     * the API server's URL has a path of its own, events are blocked like other writes.
     */
    private static final Pattern EVENTS =
            Pattern.compile("/(api/v1|apis/events\\.k8s\\.io/v1)/namespaces/[^/]+/events(/[^/]+)?");

    /**
     * Port 0 has no listener, so a request to it fails before anything is sent. Throwing an exception here would not work: the client loses
     * exceptions of its own retries, and the caller would wait forever.
     */
    private static final URI NOWHERE = URI.create("https://127.0.0.1:0/not-the-leader");

    private final BooleanSupplier mayWrite;
    private final AtomicBoolean isTold = new AtomicBoolean();

    /** @param mayWrite whether this process is certainly the leader now */
    public WriteFence(BooleanSupplier mayWrite) {
        this.mayWrite = mayWrite;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        if (!isWrite(request)) {
            return;
        }
        if (mayWrite.getAsBoolean()) {
            isTold.set(false);
            return;
        }
        // Warns once, since a process that has lost the lead may try hundreds of writes in the seconds until it ends.
        LOG.logf(
                isTold.getAndSet(true) ? Logger.Level.DEBUG : Logger.Level.WARN,
                "this process is not the leader, so nothing is written; not sent: %s %s",
                request.method(),
                request.uri());
        builder.uri(NOWHERE);
    }

    private static boolean isWrite(HttpRequest request) {
        URI uri = request.uri();
        return WRITES.contains(request.method())
                && !isDryRun(uri.getRawQuery())
                && !EVENTS.matcher(uri.getRawPath()).matches();
    }

    private static boolean isDryRun(@Nullable String query) {
        return query != null && List.of(query.split("&")).contains("dryRun=All");
    }
}
