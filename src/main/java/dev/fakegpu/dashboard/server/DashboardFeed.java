package dev.fakegpu.dashboard.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dashboard.Dashboard;
import dev.fakegpu.dashboard.DashboardChange;
import dev.fakegpu.util.CoalescingWorker;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps the picture of a cluster up to date, and tells what changes. Changes within {@link #PAUSE} are told together. */
public final class DashboardFeed implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final LiveCluster cluster;
    private final DashboardReader reader;
    private final Clock clock;
    private final CoalescingWorker worker = new CoalescingWorker("dashboard", this::update);
    private final AtomicBoolean requested = new AtomicBoolean();
    private final List<Consumer<DashboardChange>> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Dashboard dashboard;
    private final Trials trials;
    private volatile Instant connected;

    /**
     * Begins to make pictures.
     *
     * @param cluster is closed with this feed
     */
    public DashboardFeed(LiveCluster cluster, DashboardReader reader, DraftReader drafts, Clock clock) {
        this.cluster = cluster;
        this.reader = reader;
        this.clock = clock;
        trials = new Trials(cluster::objects, reader.another(), drafts);
        connected = clock.instant();
        cluster.addListener(this::request);
        worker.request();
    }

    private void request() {
        if (requested.compareAndSet(false, true)) {
            worker.requestIn(PAUSE);
        }
    }

    private void update() {
        requested.set(false);
        Dashboard before = dashboard;
        Dashboard after = reader.read(cluster.objects());
        dashboard = after;
        if (before != null) {
            DashboardChange.between(before, after)
                    .ifPresent(change -> listeners.forEach(listener -> listener.accept(change)));
        }
    }

    /** The newest picture; empty until there is a first one. */
    public Optional<Dashboard> dashboard() {
        return Optional.ofNullable(dashboard);
    }

    Trials trials() {
        return trials;
    }

    /** @param listener of what changes from now on, one call after the other */
    public void addListener(Consumer<DashboardChange> listener) {
        listeners.add(listener);
    }

    /**
     * Whether the picture is up to date.
     *
     * @param now the time here, for ages
     * @param connected false while the API server cannot be watched
     * @param asOf until when changes were noticed
     */
    public record Status(String now, boolean connected, String asOf) {}

    public Status status() {
        Instant now = clock.instant();
        boolean isConnected = cluster.isConnected();
        if (isConnected) {
            connected = now;
        }
        return new Status(now.toString(), isConnected, connected.toString());
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
        worker.close();
        trials.close();
        cluster.close();
    }
}
