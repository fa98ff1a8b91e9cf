package dev.fakegpu.dashboard.server;

import dev.fakegpu.dashboard.server.Admission.DeniedException;
import dev.fakegpu.dashboard.server.Admission.UndecidedException;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Sha256;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Vertx;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows callers the names that they may see in the cluster: requests carry a bearer token of the cluster. */
public final class AsUser implements Admission {

    /** Permissions of callers are checked again after this time, even for pages that are open. */
    static final Duration TRUSTED = Duration.ofSeconds(30);

    private static final Pattern BEARER =
            Pattern.compile("bearer +([A-Za-z0-9._~+/=-]{1,16384})", Pattern.CASE_INSENSITIVE);

    private static final int MAX_CALLERS = 500;
    private static final int THREADS = 4;
    private static final int MAX_QUEUED = 64;

    private static final String NOTE =
            "names of pods and claims in namespaces where you may not list them, and what they ask for";

    private final FeedPool feeds;
    private final Function<String, Caller> callerOf;
    private final Ticker ticker;
    private final ThreadPoolExecutor newCallers = executor("dashboard-new-callers");

    /** Accepted callers have their own threads, so that they do not wait for unknown tokens, which anyone can send. */
    private final ThreadPoolExecutor acceptedCallers = executor("dashboard-callers");

    /** Hashes of tokens that the cluster has accepted, oldest first. */
    private final Set<String> accepted = new LinkedHashSet<>();

    /** By the hash of the token, least recently requested first. */
    private final Map<String, Known> callers = new LinkedHashMap<>();

    private record Known(CompletableFuture<Caller> caller, Moment until) {}

    /**
     * @param feeds closed with this object
     * @param vertx the instance whose threads are used
     * @param server the address at which the API server is asked about callers
     */
    public AsUser(FeedPool feeds, LiveCluster cluster, Vertx vertx, Config server, Ticker ticker) {
        this(feeds, new CallerRights(vertx, server, cluster::objects)::of, ticker);
    }

    /** @param callerOf returns the caller with a token; may block, and may throw a {@link DeniedException} */
    AsUser(FeedPool feeds, Function<String, Caller> callerOf, Ticker ticker) {
        this.feeds = feeds;
        this.callerOf = callerOf;
        this.ticker = ticker;
    }

    private static ThreadPoolExecutor executor(String name) {
        var executor = new ThreadPoolExecutor(
                THREADS, THREADS, 60, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_QUEUED), task -> {
                    var thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    @Override
    public CompletableFuture<Admitted> admit(@Nullable String authorization) {
        Matcher bearer = BEARER.matcher(authorization == null ? "" : authorization.strip());
        if (!bearer.matches()) {
            return CompletableFuture.failedFuture(new DeniedException(
                    HttpURLConnection.HTTP_UNAUTHORIZED,
                    "this page shows what its caller may see in the cluster: send a bearer token of the cluster in the header"
                            + " Authorization"));
        }
        return caller(bearer.group(1)).thenApply(caller -> new Admitted(caller.user(), feeds.feed(caller, NOTE)));
    }

    private synchronized CompletableFuture<Caller> caller(String token) {
        String hash = Sha256.hex(token);
        Moment now = ticker.now();
        Known known = callers.get(hash);
        if (known != null && now.isBefore(known.until()) && !known.caller().isCompletedExceptionally()) {
            return known.caller();
        }
        callers.remove(hash);
        CompletableFuture<Caller> asked = ask(token, hash);
        callers.put(hash, new Known(asked, now.plus(TRUSTED)));
        callers.values().removeIf(each -> callers.size() > MAX_CALLERS || !now.isBefore(each.until()));
        return asked;
    }

    private CompletableFuture<Caller> ask(String token, String hash) {
        ThreadPoolExecutor executor = accepted.contains(hash) ? acceptedCallers : newCallers;
        try {
            return CompletableFuture.supplyAsync(
                    () -> {
                        Caller caller = callerOf.apply(token);
                        accept(hash);
                        return caller;
                    },
                    executor);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(
                    new CompletionException(new UndecidedException("too many callers at once; try again")));
        }
    }

    private synchronized void accept(String hash) {
        accepted.remove(hash);
        accepted.add(hash);
        if (accepted.size() > MAX_CALLERS) {
            accepted.remove(accepted.iterator().next());
        }
    }

    @Override
    public void close() {
        newCallers.shutdownNow();
        acceptedCallers.shutdownNow();
        feeds.close();
    }
}
