package dev.fakegpu.simulate.controller;

import dev.fakegpu.util.SafeText;
import dev.fakegpu.util.Timestamps;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates the pods of a Job, at most {@code spec.parallelism} at a time ({@code pkg/controller/job}), and one for each index if the Job is
 * {@code Indexed}. Pods that fail or are deleted are replaced after a back-off, until there are more than {@code spec.backoffLimit} or
 * {@code spec.activeDeadlineSeconds} have passed. A finished Job is deleted after {@code spec.ttlSecondsAfterFinished}
 * ({@code pkg/controller/ttlafterfinished}).
 */
final class JobController {

    /** The default in {@code SetDefaults_Job}. */
    private static final int BACKOFF_LIMIT = 6;

    private static final String INDEX = "batch.kubernetes.io/job-completion-index";

    /** The finalizer of pods that real Jobs create ({@code JobTrackingFinalizer}). Pods of simulated Jobs have none. */
    private static final String TRACKING = "batch.kubernetes.io/job-tracking";

    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);

    private final ControlledCluster cluster;
    private final ControllerTime time;
    private final OwnedPods pods;
    private final Consumer<Job> enqueue;

    /** The progress by UID of the Job. */
    private final Map<String, Progress> progress = new HashMap<>();

    /** The progress of a Job, with the UIDs of pods, which count even after they were deleted. */
    private static final class Progress {
        private final Set<String> succeeded = new HashSet<>();
        private final Set<String> succeededIndexes = new HashSet<>();

        /** The failed pods, with the time of the failure. */
        private final Map<String, Instant> failed = new HashMap<>();

        private final Set<String> unneeded = new HashSet<>();
        private final Set<Instant> wakes = new HashSet<>();
        private @Nullable Instant started;
        private @Nullable Instant lastSuccess;
        private @Nullable Instant replaces;
        private boolean isFinished;

        /** The time after which failed pods may be replaced ({@code getRemainingTime}); empty if none has failed since the last success. */
        private Optional<Instant> backoff() {
            List<Instant> failures = failed.values().stream()
                    .filter(at -> lastSuccess == null || at.isAfter(lastSuccess))
                    .sorted()
                    .toList();
            if (failures.isEmpty()) {
                return Optional.empty();
            }
            Duration backoff = FIRST_BACKOFF;
            for (int i = 1; i < failures.size() && backoff.compareTo(LONGEST_BACKOFF) < 0; i++) {
                backoff = backoff.multipliedBy(2);
            }
            return Optional.of(failures.get(failures.size() - 1)
                    .plus(backoff.compareTo(LONGEST_BACKOFF) < 0 ? backoff : LONGEST_BACKOFF));
        }
    }

    /** @param enqueue requests that a Job is processed again */
    JobController(ControlledCluster cluster, ControllerTime time, OwnedPods pods, Consumer<Job> enqueue) {
        this.cluster = cluster;
        this.time = time;
        this.pods = pods;
        this.enqueue = enqueue;
    }

    /** The next time when failed pods are replaced. */
    Optional<Instant> nextReplacement() {
        return progress.values().stream()
                .flatMap(known -> Stream.ofNullable(known.replaces))
                .filter(time.instant()::isBefore)
                .min(Comparator.naturalOrder());
    }

    /**
     * Handles a pod that was created, changed or deleted. A pod that is deleted before it has succeeded counts as failed
     * ({@code isPodFailed}).
     */
    void changed(Pod pod) {
        Owners.workload(cluster, pod).filter(Job.class::isInstance).ifPresent(job -> {
            Progress known = progress(job);
            String uid = pod.getMetadata().getUid();
            String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
            if ("Succeeded".equals(phase)) {
                if (known.succeeded.add(uid)) {
                    known.lastSuccess = time.instant();
                    index(pod).ifPresent(known.succeededIndexes::add);
                }
            } else if ("Failed".equals(phase) || OwnedPods.isDeleted(pod) || cluster.get(pod) == null) {
                known.failed.putIfAbsent(uid, time.instant());
            }
        });
    }

    private static Optional<String> index(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getAnnotations()).map(annotations -> annotations.get(INDEX));
    }

    private static boolean isIndexed(JobSpec spec) {
        return "Indexed".equals(spec.getCompletionMode());
    }

    private Progress progress(HasMetadata job) {
        return progress.computeIfAbsent(job.getMetadata().getUid(), ignored -> new Progress());
    }

    /** Removes the finalizer from a deleted pod of the copied cluster ({@code syncOrphanPod} if its Job was not copied). */
    void release(Pod pod) {
        if (OwnedPods.isDeleted(pod) && pod.getMetadata().getFinalizers().contains(TRACKING)) {
            cluster.update(
                    pod,
                    new PodBuilder(pod)
                            .editMetadata()
                            .removeFromFinalizers(TRACKING)
                            .endMetadata()
                            .build());
        }
    }

    void sync(Job job) {
        Progress known = progress(job);
        if (known.isFinished) {
            return;
        }
        known.failed.keySet().removeAll(known.succeeded);
        known.failed.keySet().removeAll(known.unneeded);
        JobSpec spec = job.getSpec();
        List<Pod> active = pods.active(job);
        if (known.failed.size() > Objects.requireNonNullElse(spec.getBackoffLimit(), BACKOFF_LIMIT)) {
            fail(job, known, active, "BackoffLimitExceeded", "Job has reached the specified backoff limit");
            return;
        }
        if (isPastDeadline(job, known)) {
            fail(job, known, active, "DeadlineExceeded", "Job was active longer than specified deadline");
            return;
        }
        int missing = wanted(spec, active.size(), succeeded(spec, known)) - active.size();
        known.replaces =
                missing > 0 ? known.backoff().filter(time.instant()::isBefore).orElse(null) : null;
        if (known.replaces != null) {
            wake(job, known, known.replaces);
        } else if (missing > 0) {
            create(job, known, active, missing);
        } else if (missing < 0) {
            deleteSome(known, active, -missing);
        } else if (active.isEmpty() && isComplete(spec, known)) {
            known.isFinished = true;
            finish(job, "Complete", "CompletionsReached", "Reached expected number of succeeded pods");
        }
    }

    private void fail(Job job, Progress known, List<Pod> active, String reason, String message) {
        known.isFinished = true;
        known.replaces = null;
        active.forEach(cluster::delete);
        finish(job, "Failed", reason, message);
    }

    /** Time counts only while the Job is not suspended ({@code pastActiveDeadline}). */
    private boolean isPastDeadline(Job job, Progress known) {
        if (Boolean.TRUE.equals(job.getSpec().getSuspend())) {
            known.started = null;
            return false;
        }
        Instant started = known.started == null ? time.instant() : known.started;
        known.started = started;
        Long seconds = job.getSpec().getActiveDeadlineSeconds();
        if (seconds == null) {
            return false;
        }
        Instant deadline = Timestamps.later(started, Duration.ofSeconds(seconds));
        if (!time.instant().isBefore(deadline)) {
            return true;
        }
        wake(job, known, deadline);
        return false;
    }

    private void wake(Job job, Progress known, Instant at) {
        if (known.wakes.add(at)) {
            time.after(Duration.between(time.instant(), at), () -> enqueue.accept(job));
        }
    }

    private void create(Job job, Progress known, List<Pod> active, int count) {
        JobSpec spec = job.getSpec();
        if (!isIndexed(spec)) {
            pods.create(job, job.getMetadata().getName(), spec.getTemplate(), count);
            return;
        }
        Set<String> taken =
                active.stream().flatMap(pod -> index(pod).stream()).collect(Collectors.toCollection(HashSet::new));
        taken.addAll(known.succeededIndexes);
        IntStream.range(0, Objects.requireNonNullElse(spec.getCompletions(), 0))
                .mapToObj(Integer::toString)
                .filter(index -> !taken.contains(index))
                .limit(count)
                .forEach(index -> pods.create(job, indexed(job, index)));
    }

    /** A pod with the name {@code <job>-<index>}, which is also its host name. If a failed pod has that name, a number is appended. */
    private Pod indexed(Job job, String index) {
        var metadata = job.getMetadata();
        String host = metadata.getName() + "-" + index;
        boolean isFree = cluster.get(Owners.named(new Pod(), metadata.getNamespace(), host)) == null;
        String name = isFree ? host : pods.freeName(metadata.getNamespace(), host);
        return new PodBuilder(OwnedPods.pod(job, job.getSpec().getTemplate(), name))
                .editMetadata()
                .addToLabels(INDEX, index)
                .addToAnnotations(INDEX, index)
                .endMetadata()
                .editSpec()
                .withHostname(host)
                .endSpec()
                .build();
    }

    private static int succeeded(JobSpec spec, Progress known) {
        return isIndexed(spec) ? known.succeededIndexes.size() : known.succeeded.size();
    }

    /** Deletes pods that are not needed, which do not count as failed. */
    private void deleteSome(Progress known, List<Pod> active, int count) {
        var before = Set.copyOf(known.failed.keySet());
        pods.deleteSome(active, count);
        known.failed.keySet().stream().filter(uid -> !before.contains(uid)).forEach(known.unneeded::add);
    }

    private static boolean isComplete(JobSpec spec, Progress known) {
        return !Boolean.TRUE.equals(spec.getSuspend())
                && (spec.getCompletions() == null
                        ? !known.succeeded.isEmpty()
                        : succeeded(spec, known) >= spec.getCompletions());
    }

    /**
     * The number of pods to run. Without {@code completions}, one success means that the work is done, and the other pods end by
     * themselves.
     */
    private static int wanted(JobSpec spec, int active, int succeeded) {
        int parallelism = Objects.requireNonNullElse(spec.getParallelism(), 1);
        if (Boolean.TRUE.equals(spec.getSuspend())) {
            return 0;
        }
        if (spec.getCompletions() == null) {
            return succeeded > 0 ? active : parallelism;
        }
        return Math.max(0, Math.min(parallelism, spec.getCompletions() - succeeded));
    }

    /** @param condition the type of the condition, such as {@code Complete} */
    static boolean is(Job job, String condition) {
        return job.getStatus() != null
                && job.getStatus().getConditions().stream()
                        .anyMatch(each -> condition.equals(each.getType()) && "True".equals(each.getStatus()));
    }

    private void finish(Job job, String type, String reason, String message) {
        Job stored = Objects.requireNonNull(cluster.get(job));
        cluster.updateStatus(
                stored,
                new JobBuilder(stored)
                        .editOrNewStatus()
                        .addNewCondition()
                        .withType(type)
                        .withStatus("True")
                        .withReason(reason)
                        .withMessage(SafeText.of(message, SafeText.CONDITION_MESSAGE))
                        .endCondition()
                        .endStatus()
                        .build());
        Integer seconds = job.getSpec().getTtlSecondsAfterFinished();
        if (seconds != null) {
            time.after(Duration.ofSeconds(seconds), () -> deleteFinished(job));
        }
    }

    private void deleteFinished(Job job) {
        Job stored = cluster.get(job);
        if (stored != null
                && stored.getMetadata().getUid().equals(job.getMetadata().getUid())) {
            cluster.delete(stored);
        }
    }
}
