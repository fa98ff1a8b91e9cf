package dev.fakegpu.dashboard.server;

import dev.fakegpu.dashboard.server.Admission.DeniedException;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.FairPlaces;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pictures of a cluster for callers who may see different names, in a process that has other work to do. Callers who may see the same names
 * share one feed, and unused feeds are closed, so that they take neither memory nor processor time.
 */
public final class FeedPool implements AutoCloseable {

    /** The maximum number of different pictures. The objects behind them are in memory only once. */
    static final int MAX_FEEDS = 8;

    /**
     * The maximum number of GPUs in all pictures together, unless there is only one picture: 8,000 take up to 174 MB
     * (docs/benchmarks/page.md).
     */
    private static final int MAX_GPUS = 16_000;

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(20);

    /**
     * After each picture, the feed rests for this many times as long as it took to create, unless something has changed in the meantime.
     */
    private static final int REST = 3;

    /** The usual maximum number of GPUs whose devices are in one slice. */
    private static final int GPUS_OF_A_SLICE = 8;

    private final LiveCluster cluster;
    private final DashboardReader reader;
    private final Clock clock;
    private final Ticker ticker;
    private final int maxGpus;
    private final CoalescingWorker keeper = new CoalescingWorker("dashboard-feeds", this::closeIdle);
    private final Map<Visibility, Place> places = new HashMap<>();

    /** Closes feeds on its own thread, since closing one may take as long as creating a picture. */
    private final CoalescingWorker closer = new CoalescingWorker("dashboard-evicted", this::closeEvicted);

    private final List<DashboardFeed> evicted = new ArrayList<>();
    private boolean wasConnected;

    /** @param asked the time of each user's last request for the feed */
    private record Place(DashboardFeed feed, Map<String, Moment> asked) {

        Moment lastAsked() {
            return asked.values().stream().max(Comparator.naturalOrder()).orElse(Moment.NEVER);
        }

        /** The only user of the feed, whose share it counts toward; empty if it has several users. */
        Optional<String> owner() {
            return asked.size() == 1 ? asked.keySet().stream().findFirst() : Optional.empty();
        }
    }

    /**
     * @param cluster closed with the pool
     * @param reader each feed gets its own copy
     */
    public FeedPool(LiveCluster cluster, DashboardReader reader, Clock clock, Ticker ticker) {
        this(cluster, reader, clock, ticker, MAX_GPUS);
    }

    FeedPool(LiveCluster cluster, DashboardReader reader, Clock clock, Ticker ticker, int maxGpus) {
        this.maxGpus = maxGpus;
        this.cluster = cluster;
        this.reader = reader;
        this.clock = clock;
        this.ticker = ticker;
        keeper.requestIn(CHECK_INTERVAL);
    }

    /**
     * The feed for all callers who may see the same names. If all places are taken, the user with the most places loses one, if that user
     * has more than the caller.
     *
     * @param note the text on the page about withheld names
     * @throws DeniedException if there are too many different pictures, or nothing is known about the cluster yet
     */
    synchronized DashboardFeed feed(Caller caller, String note) {
        wasConnected |= cluster.isConnected();
        if (!wasConnected) {
            throw new DeniedException(HttpURLConnection.HTTP_UNAVAILABLE, "the cluster has not been read yet");
        }
        Place known = places.get(caller.visibility());
        if (known != null) {
            known.feed().keep();
            known.asked().put(caller.user(), ticker.now());
            return known.feed();
        }
        while (!hasRoom()) {
            evicted.add(evict(caller.user()));
            closer.request();
        }
        boolean isForAllNames = caller.visibility().equals(Visibility.EVERYTHING);
        var feed = new DashboardFeed(
                new ScopedCluster(cluster, caller.visibility()),
                isForAllNames ? reader.another() : reader.withheld(note),
                DraftReader.NONE,
                Plays.builtIn(),
                clock,
                ticker,
                REST);
        places.put(caller.visibility(), new Place(feed, new HashMap<>(Map.of(caller.user(), ticker.now()))));
        return feed;
    }

    /** Closes the least recently requested feed of the user with the most feeds. */
    private DashboardFeed evict(String newcomer) {
        forgetIdleUsers();
        String most = FairPlaces.whoGivesUp(
                        places.values().stream()
                                .flatMap(place -> place.owner().stream())
                                .toList(),
                        newcomer)
                .orElseThrow(() -> new DeniedException(
                        HttpURLConnection.HTTP_UNAVAILABLE,
                        "others look at this cluster with %d different sets of rights; try again later"
                                .formatted(places.size())));
        var oldest = places.entrySet().stream()
                .filter(entry -> entry.getValue().owner().filter(most::equals).isPresent())
                .min(Comparator.comparing(entry -> entry.getValue().lastAsked()))
                .orElseThrow();
        places.remove(oldest.getKey());
        return oldest.getValue().feed();
    }

    /** Users who are viewing a page are admitted repeatedly ({@link AsUser#TRUSTED}), so others are idle. */
    private void forgetIdleUsers() {
        Moment idleSince = ticker.now().minus(AsUser.TRUSTED.multipliedBy(2));
        places.values().forEach(place -> {
            Moment last = place.lastAsked();
            place.asked().values().removeIf(at -> at.isBefore(idleSince) && at.isBefore(last));
        });
    }

    /** A picture that does not exist yet is assumed to be as large as the others or, if there are none, as large as the cluster may be. */
    private boolean hasRoom() {
        int largest = places.values().stream()
                .mapToInt(place -> place.feed().gpus())
                .max()
                .orElse(0);
        int expected = largest > 0
                ? largest
                : GPUS_OF_A_SLICE * cluster.objects().slices().size();
        return places.isEmpty() || places.size() < MAX_FEEDS && (places.size() + 1) * expected <= maxGpus;
    }

    private void closeEvicted() {
        List<DashboardFeed> leaving;
        synchronized (this) {
            leaving = List.copyOf(evicted);
            evicted.clear();
        }
        leaving.forEach(DashboardFeed::close);
    }

    private void closeIdle() {
        List<DashboardFeed> idle = new ArrayList<>();
        synchronized (this) {
            places.values().removeIf(place -> place.feed().isIdle() && idle.add(place.feed()));
        }
        idle.forEach(DashboardFeed::close);
        keeper.requestIn(CHECK_INTERVAL);
    }

    @Override
    public void close() {
        keeper.close();
        closer.close();
        closeEvicted();
        List<DashboardFeed> all;
        synchronized (this) {
            all = places.values().stream().map(Place::feed).toList();
            places.clear();
        }
        all.forEach(DashboardFeed::close);
        cluster.close();
    }
}
