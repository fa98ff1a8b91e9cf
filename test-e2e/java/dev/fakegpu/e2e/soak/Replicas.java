package dev.fakegpu.e2e.soak;

import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Two operators. If one ends, it is replaced after some seconds by one with another name, as by a ReplicaSet. */
final class Replicas implements AutoCloseable {

    private static final int COUNT = 2;
    private static final Duration RESTART = Duration.ofSeconds(3);
    private static final int LOG_CHARACTERS = 20_000;

    /**
     * The default of Java within the Deployment's limit of 1 GiB. With a larger initial heap, memory would grow until all of it has been
     * used.
     */
    private static final String FIRST_HEAP = "-Xms16m";

    /** An operator, with its memory over time. */
    private final class Replica {
        private final String identity = "soak-" + started.incrementAndGet();
        private final long start = System.nanoTime();
        private final List<Sample> samples = new ArrayList<>();
        private final OperatorProcess process;

        Replica() {
            var settings = new HashMap<>(clock.environment());
            settings.put("FAKEGPU_IDENTITY", identity);
            settings.put("JAVA_TOOL_OPTIONS", FIRST_HEAP);
            process = OperatorProcess.start(controlPlane, apiServer, settings).withoutRestart();
        }

        void sample() {
            rss(process.pid())
                    .ifPresent(rss -> samples.add(new Sample(Duration.ofNanos(System.nanoTime() - start), rss / 1024)));
        }
    }

    /**
     * The memory of an operator at some age.
     *
     * @param rss the resident memory in MiB
     */
    record Sample(Duration age, long rss) {}

    private final ControlPlane controlPlane;
    private final String apiServer;
    private final SteppedClock clock;
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger failedStarts = new AtomicInteger();
    private final List<Replica> replicas = new ArrayList<>();
    private final ScheduledExecutorService keeper = Executors.newScheduledThreadPool(2);
    private volatile boolean isClosed;

    Replicas(ControlPlane controlPlane, String apiServer, SteppedClock clock) {
        this.controlPlane = controlPlane;
        this.apiServer = apiServer;
        this.clock = clock;
        for (int number = 0; number < COUNT; number++) {
            replicas.add(new Replica());
        }
        keeper.scheduleWithFixedDelay(this::replace, 1, 1, TimeUnit.SECONDS);
        keeper.scheduleWithFixedDelay(this::sample, 5, 5, TimeUnit.SECONDS);
    }

    /** The holder of the operator's Lease; empty if there is none. */
    private Optional<Replica> leader() {
        var lease = controlPlane
                .client()
                .leases()
                .inNamespace("fakegpu-system")
                .withName("fakegpu-operator")
                .get();
        return lease == null
                ? Optional.empty()
                : alive().stream()
                        .filter(replica ->
                                replica.identity.equals(lease.getSpec().getHolderIdentity()))
                        .findFirst();
    }

    /** Kills the leader; false if there is none. */
    boolean killLeader() {
        Optional<Replica> leader = leader();
        leader.ifPresent(replica -> replica.process.kill());
        return leader.isPresent();
    }

    /** Kills an operator that is not the leader; false if there is none. */
    boolean killStandby() {
        Optional<Replica> leader = leader();
        Optional<Replica> other = alive().stream()
                .filter(replica -> leader.isPresent() && replica != leader.get())
                .findFirst();
        other.ifPresent(replica -> replica.process.kill());
        return other.isPresent();
    }

    /** Whether the number of operators is right, and all are alive and ready. */
    boolean areHealthy() {
        var all = alive();
        return all.size() == COUNT
                && all.stream().allMatch(replica -> replica.process.isLive() && replica.process.isReady());
    }

    /** Describes why they are not healthy; their logs are complete afterwards. */
    String diagnosis() {
        var all = alive();
        all.forEach(replica -> replica.process.dumpThreads());
        return all.stream()
                .map(replica -> replica.identity + ": " + replica.process.healthReport() + "\nthe end of its log:\n"
                        + end(replica.process.log()))
                .collect(Collectors.joining("\n", all.size() + " of " + COUNT + " run\n", ""));
    }

    private static String end(String log) {
        return log.substring(Math.max(0, log.length() - LOG_CHARACTERS));
    }

    /** How many have ended or were killed. */
    int ended() {
        return ended.get();
    }

    /** How many ended before they had started. */
    int failedStarts() {
        return failedStarts.get();
    }

    /** The memory of the leader since it was started. */
    synchronized List<Sample> leadersMemory() {
        return leader().map(replica -> List.copyOf(replica.samples)).orElse(List.of());
    }

    private synchronized List<Replica> alive() {
        return replicas.stream().filter(replica -> replica.process.isAlive()).toList();
    }

    private synchronized void sample() {
        replicas.forEach(Replica::sample);
    }

    private void replace() {
        List<Replica> gone;
        synchronized (this) {
            gone = replicas.stream()
                    .filter(replica -> !replica.process.isAlive())
                    .toList();
            replicas.removeAll(gone);
        }
        ended.addAndGet(gone.size());
        while (!isClosed && count() < COUNT) {
            try {
                LockSupport.parkNanos(RESTART.toNanos());
                var replica = new Replica();
                keep(replica);
            } catch (RuntimeException | AssertionError e) {
                failedStarts.incrementAndGet(); // it is retried, as by the kubelet
            }
        }
    }

    /** It may have started while these were being closed. */
    private synchronized void keep(Replica replica) {
        if (isClosed) {
            replica.process.close();
        } else {
            replicas.add(replica);
        }
    }

    private synchronized int count() {
        return replicas.size();
    }

    private static Optional<Long> rss(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", "" + pid, "status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty(); // the process has just ended
        }
    }

    @Override
    public void close() {
        isClosed = true;
        keeper.shutdownNow();
        synchronized (this) {
            replicas.forEach(replica -> replica.process.close());
        }
    }
}
