package dev.fakegpu.dashboard.server;

import dev.fakegpu.dashboard.server.Admission.DeniedException;
import dev.fakegpu.util.CoalescingWorker;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pictures of a cluster for callers who may see different names, in a process that has other work to do: callers who may see the same
 * share one feed, and a feed that nobody looks at ends, so that it takes neither memory nor processor time.
 */
public final class FeedPool implements AutoCloseable {

    /** So many different pictures are made and kept at a time. The objects behind them are there once. */
    static final int MAX_FEEDS = 8;

    /** So many GPUs are in all pictures together, but for a single one: 8,000 take up to 174 MB (docs/benchmarks/page.md). */
    private static final int MAX_GPUS = 16_000;

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(20);

    /** Each picture is followed by a rest of three times as long as it took to make, unless something changed while it was made. */
    private static final int REST = 3;

    /** A slice has devices of so many GPUs at most, in the usual case. */
    private static final int GPUS_OF_A_SLICE = 8;

    private final LiveCluster cluster;
    private final DashboardReader reader;
    private final Clock clock;
    private final int maxGpus;
    private final CoalescingWorker keeper = new CoalescingWorker("dashboard-feeds", this::closeIdle);
    private final Map<Visibility, DashboardFeed> feeds = new HashMap<>();
    private boolean wasConnected;

    /**
     * @param cluster is closed with the pool
     * @param reader of which each feed gets one of its own
     */
    public FeedPool(LiveCluster cluster, DashboardReader reader, Clock clock) {
        this(cluster, reader, clock, MAX_GPUS);
    }

    FeedPool(LiveCluster cluster, DashboardReader reader, Clock clock, int maxGpus) {
        this.maxGpus = maxGpus;
        this.cluster = cluster;
        this.reader = reader;
        this.clock = clock;
        keeper.requestIn(CHECK_INTERVAL);
    }

    /**
     * The pictures of all who may see the same names.
     *
     * @param note what the page says about names that are withheld
     * @throws DeniedException if there are too many different ones, or nothing is known of the cluster yet
     */
    synchronized DashboardFeed feed(Visibility visibility, String note) {
        wasConnected |= cluster.isConnected();
        if (!wasConnected) {
            throw new DeniedException(HttpURLConnection.HTTP_UNAVAILABLE, "the cluster has not been read yet");
        }
        DashboardFeed known = feeds.get(visibility);
        if (known != null) {
            known.keep();
            return known;
        }
        if (!hasRoom()) {
            throw new DeniedException(
                    HttpURLConnection.HTTP_UNAVAILABLE,
                    "others look at this cluster with %d different sets of rights; try again later"
                            .formatted(feeds.size()));
        }
        List<String> notes = visibility.equals(Visibility.EVERYTHING) ? List.of() : List.of(note);
        var feed = new DashboardFeed(
                new ScopedCluster(cluster, visibility), reader.another(notes), DraftReader.NONE, clock, REST);
        feeds.put(visibility, feed);
        return feed;
    }

    /** A picture that is not there yet is expected to be as large as the others; as long as there is none, as the cluster can be. */
    private boolean hasRoom() {
        int largest =
                feeds.values().stream().mapToInt(DashboardFeed::gpus).max().orElse(0);
        int expected = largest > 0
                ? largest
                : GPUS_OF_A_SLICE * cluster.objects().slices().size();
        return feeds.isEmpty() || feeds.size() < MAX_FEEDS && (feeds.size() + 1) * expected <= maxGpus;
    }

    private void closeIdle() {
        List<DashboardFeed> idle = new ArrayList<>();
        synchronized (this) {
            feeds.values().removeIf(feed -> feed.isIdle() && idle.add(feed));
        }
        idle.forEach(DashboardFeed::close);
        keeper.requestIn(CHECK_INTERVAL);
    }

    @Override
    public void close() {
        keeper.close();
        List<DashboardFeed> all;
        synchronized (this) {
            all = List.copyOf(feeds.values());
            feeds.clear();
        }
        all.forEach(DashboardFeed::close);
        cluster.close();
    }
}
