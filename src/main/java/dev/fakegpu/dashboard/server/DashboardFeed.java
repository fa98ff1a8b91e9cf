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
 * Keeps the picture of a cluster up to date, and tells what changes. A change is told after {@link #COLLECTED}; where changes follow each other, they are told together,
 * one picture each {@link #PAUSE}.
 */
public final class DashboardFeed implements AutoCloseable {

    /** For this long, changes are collected before a picture is made: those that are made together are mostly noticed within it. */
    private static final Duration COLLECTED = Duration.ofMillis(20);

    /** For this long at least, there is no picture made after one. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** So many pictures are made at the beginning even if nothing changes: until Java has compiled what makes them, they take longer. */
    private static final int WARM_UP = 20;

    /** How long a feed that nobody listens to is kept after somebody has asked for it. */
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
     * Begins to make pictures.
     *
     * @param cluster is closed with this feed
     */
    public DashboardFeed(LiveCluster cluster, DashboardReader reader, DraftReader drafts, Clock clock, Ticker ticker) {
        this(cluster, reader, drafts, Plays.builtIn(), clock, ticker, 0);
    }

    /**
     * @param plays what can be played whatever is in the cluster
     * @param rest how many times as long as it takes to make a picture there is none made after it
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

    /** Plays an example: it explains what waits, so that the first change in the cluster does not have to wait until the code for that is loaded. */
    private void prepareForChanges() {
        var ignored = trials.play(EXAMPLE, "gate");
    }

    private void tell(String change) {
        listeners.forEach(listener -> listener.accept(change));
    }

    /** Completes when there is a first picture. */
    CompletableFuture<Void> first() {
        return first;
    }

    /** Somebody wants to look at it. */
    void keep() {
        asked = ticker.now();
    }

    /** Whether nobody looks at it any more. */
    boolean isIdle() {
        return listeners.isEmpty() && asked.plus(KEPT).isBefore(ticker.now());
    }

    /** The newest picture; empty until there is a first one. */
    public Optional<Dashboard> dashboard() {
        return Optional.ofNullable(dashboard);
    }

    /** The newest picture as JSON, the same one for all who ask; empty until there is a first one. */
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

    /** Whether objects that somebody writes can be tried. */
    boolean triesDrafts() {
        return triesDrafts;
    }

    /** How many GPUs are in it. */
    int gpus() {
        Dashboard newest = dashboard;
        return newest == null
                ? 0
                : newest.nodes().stream().mapToInt(node -> node.gpus().size()).sum();
    }

    Trials trials() {
        return trials;
    }

    /** @param listener of what changes from now on, each a {@link DashboardChange} as JSON, one call after the other */
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
     * @param now the time here, for ages
     * @param connected false while the API server cannot be watched
     * @param asOf until when changes were noticed
     * @param drafts whether objects that somebody writes can be tried
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
