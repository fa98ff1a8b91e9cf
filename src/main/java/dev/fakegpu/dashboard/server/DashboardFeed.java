package dev.fakegpu.dashboard.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dashboard.Dashboard;
import dev.fakegpu.dashboard.DashboardChange;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import io.vertx.core.buffer.Buffer;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the picture of a cluster up to date and publishes changes. A change is published after {@link #COLLECTED}; during a series of
 * changes, they are combined into one picture per {@link #PAUSE}.
 */
public final class DashboardFeed implements AutoCloseable {

    /** How long changes are collected before a picture is created, since related changes usually arrive within this time. */
    private static final Duration COLLECTED = Duration.ofMillis(20);

    /** The minimum time between two pictures. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** This many pictures are created at the start even without changes, because they take longer until the code is JIT-compiled. */
    private static final int WARM_UP = 20;

    /** How long a feed without listeners is kept after it was last requested. */
    private static final Duration KEPT = Duration.ofSeconds(60);

    private static final String EXAMPLE = "example-3.scenario.yaml";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final LiveCluster cluster;
    private final DashboardReader reader;
    private final Clock clock;
    private final Ticker ticker;
    private final int rest;
    private final boolean triesDrafts;
    private final CoalescingWorker worker = new CoalescingWorker("dashboard", this::update);
    private final AtomicBoolean requested = new AtomicBoolean();
    private final Runnable onChange = this::request;
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> first = new CompletableFuture<>();
    private volatile @Nullable Dashboard dashboard;
    private volatile @Nullable Encoded encoded;
    private volatile Moment restsUntil = Moment.NEVER;
    private Duration lastTaken = Duration.ZERO;
    private int made;
    private final Trials trials;
    private volatile Instant connected;
    private volatile Moment asked;

    private record Encoded(Dashboard picture, Buffer json) {}

    /**
     * Starts creating pictures.
     *
     * @param cluster closed with this feed
     */
    public DashboardFeed(LiveCluster cluster, DashboardReader reader, DraftReader drafts, Clock clock, Ticker ticker) {
        this(cluster, reader, drafts, Plays.builtIn(), clock, ticker, 0);
    }

    /**
     * @param plays what can be played, regardless of the cluster
     * @param rest the minimum pause after a picture, as a multiple of the time that it took
     */
    public DashboardFeed(
            LiveCluster cluster,
            DashboardReader reader,
            DraftReader drafts,
            Plays plays,
            Clock clock,
            Ticker ticker,
            int rest) {
        this.cluster = cluster;
        this.reader = reader;
        this.clock = clock;
        this.ticker = ticker;
        this.rest = rest;
        triesDrafts = drafts != DraftReader.NONE;
        trials = new Trials(cluster::objects, reader.another(), drafts, plays);
        connected = clock.instant();
        asked = ticker.now();
        cluster.addListener(onChange);
        worker.request();
    }

    private void request() {
        if (requested.compareAndSet(false, true)) {
            Duration rest = ticker.until(restsUntil);
            worker.requestIn(rest.compareTo(COLLECTED) > 0 ? rest : COLLECTED);
        }
    }

    private void update() {
        requested.set(false);
        Moment begin = ticker.now();
        Dashboard before = dashboard;
        Dashboard after = reader.read(cluster.objects());
        dashboard = after;
        if (before == null) {
            first.complete(null);
            prepareForChanges();
        } else if (!listeners.isEmpty() || made < WARM_UP) {
            DashboardChange.between(before, after).map(DashboardFeed::json).ifPresent(this::tell);
        }
        Moment end = ticker.now();
        Duration taken = begin.until(end);
        Duration usual = taken.compareTo(lastTaken) < 0 ? taken : lastTaken; // the first takes longer than all others
        lastTaken = taken;
        restsUntil = end.plus(PAUSE).plus(usual.multipliedBy(rest));
        if (++made < WARM_UP) {
            request();
        }
    }

    /**
     * Plays an example that explains waiting pods, so that the first change in the cluster does not have to wait until that code is loaded.
     */
    private void prepareForChanges() {
        var ignored = trials.play(EXAMPLE, "gate");
    }

    private void tell(String change) {
        listeners.forEach(listener -> listener.accept(change));
    }

    /** Completes when the first picture exists. */
    CompletableFuture<Void> first() {
        return first;
    }

    /** Keeps the feed because a caller wants to use it. */
    void keep() {
        asked = ticker.now();
    }

    /** Whether the feed is no longer used. */
    boolean isIdle() {
        return listeners.isEmpty() && asked.plus(KEPT).isBefore(ticker.now());
    }

    /** The latest picture; empty until the first one exists. */
    public Optional<Dashboard> dashboard() {
        return Optional.ofNullable(dashboard);
    }

    /** The latest picture as JSON, which is shared by all callers; empty until the first one exists. */
    Optional<Buffer> json() {
        Dashboard newest = dashboard;
        if (newest == null) {
            return Optional.empty();
        }
        Encoded known = encoded;
        if (known == null || known.picture() != newest) {
            known = new Encoded(newest, Buffer.buffer(json(newest)));
            encoded = known;
        }
        return Optional.of(known.json());
    }

    /** Whether drafts of objects can be tried. */
    boolean triesDrafts() {
        return triesDrafts;
    }

    /** The number of GPUs in the picture. */
    int gpus() {
        Dashboard newest = dashboard;
        return newest == null
                ? 0
                : newest.nodes().stream().mapToInt(node -> node.gpus().size()).sum();
    }

    Trials trials() {
        return trials;
    }

    /** @param listener receives each change from now on, a {@link DashboardChange} as JSON; calls do not overlap */
    void addListener(Consumer<String> listener) {
        listeners.add(listener);
    }

    void removeListener(Consumer<String> listener) {
        keep();
        listeners.remove(listener);
    }

    /**
     * Whether the picture is up to date.
     *
     * @param now the server's time, for ages
     * @param connected false while the API server cannot be watched
     * @param asOf the time up to which changes are included
     * @param drafts whether drafts of objects can be tried
     */
    public record Status(String now, boolean connected, String asOf, boolean drafts) {}

    public Status status() {
        Instant now = clock.instant();
        boolean isConnected = cluster.isConnected();
        if (isConnected) {
            connected = now;
        }
        return new Status(now.toString(), isConnected, connected.toString(), triesDrafts);
    }

    static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        cluster.removeListener(onChange);
        worker.close();
        trials.close();
        cluster.close();
    }
}
