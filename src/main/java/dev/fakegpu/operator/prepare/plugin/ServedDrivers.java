package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * The drivers that are registered with the kubelet: those whose devices are published for the node, and those that the kubelet still has to
 * call. Without the driver of a claim, the kubelet cannot unprepare the claim, and its pod does not terminate.
 */
final class ServedDrivers implements AutoCloseable {

    /** A driver's sockets. */
    interface Driver extends AutoCloseable {

        /**
         * Serves the kubelet until it is closed.
         *
         * @throws IOException if the state of an earlier plugin cannot be read or a socket cannot be created
         */
        void start() throws IOException;

        /** Whether the sockets respond. */
        boolean serves();

        /**
         * Whether the kubelet has claims to unprepare.
         *
         * @throws IOException if the checkpoint cannot be read
         */
        boolean isInUse() throws IOException;

        /**
         * Unprepares claims that are gone and that the kubelet has not unprepared.
         *
         * @throws IOException if the checkpoint cannot be read or written
         */
        void removeAbandoned() throws IOException;

        /** Handles a possible change in the health of a device. */
        void healthChanged();

        @Override
        void close() throws IOException;
    }

    /**
     * How long a driver is served after it was last needed: a restarted kubelet deletes the slices of its node, and it takes the operator
     * seconds to publish them again.
     */
    static final Duration LINGER = Duration.ofSeconds(10);

    private static final Logger LOG = Logger.getLogger(ServedDrivers.class);

    private final Supplier<Optional<Set<String>>> published;
    private final Function<String, Driver> create;
    private final Ticker ticker;

    /** When each driver was last needed. */
    private final Map<String, Moment> needed = new ConcurrentHashMap<>();

    private final Map<String, Driver> served = new ConcurrentHashMap<>();

    /** Why drivers cannot be served; kept so that each reason is logged once. */
    private final Map<String, String> failures = new HashMap<>();

    /** Drivers that only the kubelet still needs. */
    private final Set<String> leaving = new HashSet<>();

    private boolean closed;

    /**
     * @param published the drivers whose devices are published for the node; empty while this is unknown
     * @param create creates a driver, which is not started
     */
    ServedDrivers(Supplier<Optional<Set<String>>> published, Function<String, Driver> create, Ticker ticker) {
        this.published = published;
        this.create = create;
        this.ticker = ticker;
    }

    /** @param prepared the drivers for which an earlier plugin has prepared claims; they do not need the API server */
    synchronized void start(Collection<String> prepared) {
        prepared.forEach(this::need);
        update();
    }

    /** Starts and stops drivers. Failures are retried on the next call. */
    synchronized void update() {
        if (closed) {
            return;
        }
        Optional<Set<String>> known = published.get();
        known.ifPresent(names -> names.forEach(this::need));
        List.copyOf(needed.keySet()).stream()
                .filter(name -> !served.containsKey(name))
                .forEach(this::serve);
        if (known.isPresent()) {
            Map.copyOf(needed).forEach(this::endIfOver);
        }
    }

    /**
     * Whether all served drivers respond. A driver that cannot be served does not count, since a restart would not help it but harm others.
     */
    boolean respond() {
        return served.values().stream().allMatch(Driver::serves);
    }

    /** Called at the start and periodically; may take long, because it queries the API server. */
    void removeAbandoned() {
        served.forEach((name, driver) -> {
            try {
                driver.removeAbandoned();
            } catch (IOException | RuntimeException e) {
                LOG.warnf("cannot look for deleted claims of driver %s; trying again: %s", name, e);
            }
        });
    }

    void healthChanged(String name) {
        Optional.ofNullable(served.get(name)).ifPresent(Driver::healthChanged);
    }

    private void need(String name) {
        leaving.remove(name);
        needed.put(name, ticker.now());
    }

    private void serve(String name) {
        Driver driver = create.apply(name);
        try {
            driver.start();
            served.put(name, driver);
            failures.remove(name);
        } catch (IOException | RuntimeException e) {
            if (!e.toString().equals(failures.put(name, e.toString()))) {
                LOG.errorf("driver %s cannot be served; trying again: %s", name, e);
            }
            close(name, driver);
        }
    }

    private void endIfOver(String name, Moment lastNeeded) {
        if (lastNeeded.plus(LINGER).isAfter(ticker.now())) {
            return;
        }
        Driver driver = served.get(name);
        if (driver == null) {
            needed.remove(name);
            failures.remove(name);
        } else if (!isInUse(name, driver)) {
            end(name, driver);
        } else if (leaving.add(name)) {
            LOG.infof(
                    "no FakeGpu publishes devices of driver %s for this node any longer; it is served until the kubelet has"
                            + " unprepared its claims",
                    name);
        }
    }

    /** Ends a driver unless a call that was in progress has prepared a claim after all, in which case it is needed again. */
    private void end(String name, Driver driver) {
        LOG.infof("driver %s is no longer served: no FakeGpu publishes its devices for this node", name);
        served.remove(name);
        needed.remove(name);
        leaving.remove(name);
        close(name, driver);
        if (isInUse(name, driver)) {
            need(name);
        }
    }

    private static boolean isInUse(String name, Driver driver) {
        try {
            return driver.isInUse();
        } catch (IOException e) {
            LOG.warnf("whether driver %s is still in use cannot be read: %s", name, e.getMessage());
            return true;
        }
    }

    private static void close(String name, Driver driver) {
        try {
            driver.close();
        } catch (IOException e) {
            LOG.warnf("the sockets of driver %s cannot be deleted: %s", name, e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        served.forEach(ServedDrivers::close);
        served.clear();
    }
}
