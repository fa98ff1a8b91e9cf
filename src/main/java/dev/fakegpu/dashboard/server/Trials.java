package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.whatif.Changes;
import dev.fakegpu.cluster.whatif.WhatIf;
import dev.fakegpu.cluster.whatif.WhatIfText;
import dev.fakegpu.dashboard.Comparison;
import dev.fakegpu.dashboard.Dashboard;
import dev.fakegpu.dashboard.DashboardChange;
import dev.fakegpu.dashboard.Tried;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.simulate.change.PlayedChanges;
import dev.fakegpu.simulate.memory.SimulationException;
import dev.fakegpu.util.FatalErrors;
import dev.fakegpu.util.QuietWork;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Tries hypothetical changes one after the other on its own thread, as {@code fakegpu what-if} does. Nothing is written. */
final class Trials implements AutoCloseable {

    private static final int MAX_QUEUED = 8;
    private static final DashboardChange NO_CHANGE =
            new DashboardChange(null, List.of(), List.of(), List.of(), List.of());

    private final Supplier<ClusterObjects> cluster;
    private final DashboardReader reader;
    private final DraftReader drafts;
    private final ThreadPoolExecutor executor =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_QUEUED), task -> {
                var thread = new Thread(task, "dashboard-trials");
                thread.setDaemon(true);
                return thread;
            });

    private final Plays plays;

    /** @param reader a reader that is not used elsewhere */
    Trials(Supplier<ClusterObjects> cluster, DashboardReader reader, DraftReader drafts, Plays plays) {
        this.cluster = cluster;
        this.reader = reader;
        this.drafts = drafts;
        this.plays = plays;
    }

    /**
     * Makes a waiting pod or claim tolerate a taint, and tries to place it.
     *
     * @param taint the taint as {@code key=value:effect}
     * @return fails like {@link #release}, and with an {@link IllegalArgumentException} if the text is not a taint
     */
    CompletableFuture<Tried> tolerate(String id, String taint) {
        return run(() -> {
            ClusterObjects before = cluster.get();
            DeviceTaint tolerated = DeviceTaint.parse(taint);
            var changes = new Changes().await(waiting(id, before));
            claims(id, before).forEach(claim -> changes.tolerate(claim, tolerated));
            return tried(before, changes, List.of());
        });
    }

    /** The claims of a pod, or the claim itself. */
    private static List<ResourceClaim> claims(String id, ClusterObjects objects) {
        String[] parts = parts(id);
        if (!parts[0].equals("Pod")) {
            return List.of(objects.claim(parts[1], parts[2]).orElseThrow(() -> new UnknownWaiterException(id)));
        }
        Pod pod = objects.pod(parts[1], parts[2]).orElseThrow(() -> new UnknownWaiterException(id));
        return PodClaims.names(pod).stream()
                .flatMap(name -> objects.claim(parts[1], name).stream())
                .toList();
    }

    private static String[] parts(String id) {
        String[] parts = id.split("/", 3);
        if (parts.length != 3) {
            throw new UnknownWaiterException(id);
        }
        return parts;
    }

    /**
     * Releases claims, and tries to place a waiting pod or claim.
     *
     * @param id the id of the waiting object, {@code kind/namespace/name}
     * @param claims the claims, each as {@code namespace/name}
     * @return fails with an {@link UnknownWaiterException} if there is no such object, and with a {@link RejectedExecutionException} if
     *     there are too many other trials
     */
    CompletableFuture<Tried> release(String id, List<String> claims) {
        return run(() -> tried(id, claims));
    }

    /**
     * Checks and tries objects that do not exist.
     *
     * @return fails with a {@link DraftReader.InvalidDraftException} if they cannot be read
     */
    CompletableFuture<Tried> draft(String yaml) {
        return run(() -> {
            ClusterObjects before = cluster.get();
            DraftReader.Draft draft = drafts.read(yaml);
            return tried(before, new Changes().apply(draft.objects()), draft.remarks());
        });
    }

    /** What can be played. */
    List<Plays.Group> plays() {
        return plays.groups();
    }

    /** See {@link Plays#play}; fails in the same way. */
    CompletableFuture<Comparison> play(String name, String difference) {
        return run(() -> plays.play(name, difference));
    }

    private <T> CompletableFuture<T> run(Supplier<T> trial) {
        try {
            return CompletableFuture.supplyAsync(() -> QuietWork.of(trial), executor)
                    .whenComplete((tried, failure) -> {
                        if (failure != null && failure.getCause() instanceof Error e) {
                            FatalErrors.end(e);
                        }
                    });
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Tried tried(String id, List<String> claims) {
        ClusterObjects before = cluster.get();
        var changes = new Changes().await(waiting(id, before));
        for (String claim : claims) {
            String[] name = claim.split("/", 2);
            before.claim(name[0], name[name.length - 1]).ifPresent(changes::release);
        }
        return tried(before, changes, List.of());
    }

    private Tried tried(ClusterObjects before, Changes changes, List<String> remarks) {
        WhatIf answer = played(before, changes);
        Dashboard now = reader.read(answer.unchanged());
        Dashboard then = reader.read(answer.after());
        return new Tried(
                Stream.concat(remarks.stream(), answer.notes().stream())
                        .map(DashboardReader::text)
                        .toList(),
                WhatIfText.sentences(
                        answer, attempt -> !WaitingViews.isWithheld(attempt.namespace(), attempt.name(), before)),
                answer.tried().stream().allMatch(attempt -> attempt.isPlaced()),
                DashboardChange.between(now, then).orElse(NO_CHANGE));
    }

    private WhatIf played(ClusterObjects before, Changes changes) {
        try {
            return PlayedChanges.of(before, changes, reader.gate(), reader.version());
        } catch (SimulationException e) {
            throw new DraftReader.InvalidDraftException(e.messages());
        }
    }

    private static HasMetadata waiting(String id, ClusterObjects objects) {
        String[] parts = parts(id);
        Optional<? extends HasMetadata> waiting =
                parts[0].equals("Pod") ? objects.pod(parts[1], parts[2]) : objects.claim(parts[1], parts[2]);
        return waiting.orElseThrow(() -> new UnknownWaiterException(id));
    }

    /** Thrown if there is no pod or claim with the given name. */
    static final class UnknownWaiterException extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        UnknownWaiterException(String id) {
            super("there is no " + id);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
