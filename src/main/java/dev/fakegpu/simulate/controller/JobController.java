package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.simulate.controller.JobProgress.Outcome;
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
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Creates the pods of a Job, at most {@code spec.parallelism} at a time ({@code pkg/controller/job}), and one for each index if the Job is
 * {@code Indexed}. Pods that fail or are deleted are replaced after a back-off, until there are more than {@code spec.backoffLimit}, {@code
 * spec.activeDeadlineSeconds} have passed, or a policy says so. A finished Job is deleted after {@code spec.ttlSecondsAfterFinished}
 * ({@code pkg/controller/ttlafterfinished}).
 */
final class JobController {

    /** The default in {@code SetDefaults_Job}. */
    private static final int BACKOFF_LIMIT = 6;

    static final String INDEX = "batch.kubernetes.io/job-completion-index";

    /** The number of failures of the pod's index before the pod. */
    private static final String FAILURES = "batch.kubernetes.io/job-index-failure-count";

    private static final String IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count";

    /** The controller in kube-controller-manager ({@code JobControllerName}). */
    private static final String NAME = "kubernetes.io/job-controller";

    /** The finalizer of pods that real Jobs create ({@code JobTrackingFinalizer}). Pods of simulated Jobs have none. */
    private static final String TRACKING = "batch.kubernetes.io/job-tracking";

    private final ControlledCluster cluster;
    private final ControllerTime time;
    private final OwnedPods pods;
    private final Consumer<Job> enqueue;

    /** The progress by UID of the Job. */
    private final Map<String, JobProgress> progress = new HashMap<>();

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

    /** Handles a pod that was created, changed or deleted. */
    void changed(Pod pod) {
        Owners.workload(cluster, pod)
                .filter(Job.class::isInstance)
                .map(Job.class::cast)
                .ifPresent(job -> {
                    String phase =
                            pod.getStatus() == null ? "" : pod.getStatus().getPhase();
                    if ("Succeeded".equals(phase)) {
                        progress(job).succeeded(pod, time.instant());
                    } else if (hasFailed(pod, phase, job.getSpec())) {
                        progress(job).failed(pod, time.instant(), JobPolicies.verdict(job.getSpec(), pod));
                    }
                });
    }

    /** A pod that is deleted before it has succeeded counts as failed, for some Jobs only when it is gone ({@code isPodFailed}). */
    private boolean hasFailed(Pod pod, String phase, JobSpec spec) {
        return "Failed".equals(phase)
                || cluster.get(pod) == null
                || (OwnedPods.isDeleted(pod) && !replacesOnlyFailed(spec));
    }

    /** With the default of the API server ({@code SetDefaults_Job}). */
    private static boolean replacesOnlyFailed(JobSpec spec) {
        return spec.getPodReplacementPolicy() == null
                ? spec.getPodFailurePolicy() != null
                : spec.getPodReplacementPolicy().equals("Failed");
    }

    private static boolean isIndexed(JobSpec spec) {
        return "Indexed".equals(spec.getCompletionMode());
    }

    private JobProgress progress(HasMetadata job) {
        return progress.computeIfAbsent(job.getMetadata().getUid(), ignored -> new JobProgress());
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

    /** The order of decisions is that of {@code syncJob}. */
    void sync(Job job) {
        JobProgress known = progress(job);
        JobSpec spec = job.getSpec();
        if (known.isFinished || pods.areManagedByAnother(job, spec.getManagedBy(), NAME)) {
            return;
        }
        if (isIndexed(spec)) {
            known.forgetIndexes(completions(spec));
        }
        List<Pod> active = pods.active(job);
        known.replaces = null;
        if (known.outcome == null) {
            known.outcome = outcome(job, known).orElse(null);
        }
        if (known.outcome == null) {
            adjust(job, known, active);
            boolean isComplete = pods.active(job).isEmpty() && isComplete(spec, known);
            known.outcome = isComplete
                    ? Outcome.complete("CompletionsReached", "Reached expected number of succeeded pods")
                    : null;
        }
        if (known.outcome != null) {
            end(job, known, known.outcome);
        }
    }

    private Optional<Outcome> outcome(Job job, JobProgress known) {
        JobSpec spec = job.getSpec();
        Optional<Outcome> byPod = known.failedByPod();
        if (byPod.isPresent()) {
            return byPod;
        } else if (known.failures() > backoffLimit(spec)) {
            return Optional.of(Outcome.failed("BackoffLimitExceeded", "Job has reached the specified backoff limit"));
        } else if (isPastDeadline(job, known)) {
            return Optional.of(Outcome.failed("DeadlineExceeded", "Job was active longer than specified deadline"));
        }
        return isIndexed(spec) ? ofIndexes(spec, known) : Optional.empty();
    }

    private static int backoffLimit(JobSpec spec) {
        return Objects.requireNonNullElse(
                spec.getBackoffLimit(), spec.getBackoffLimitPerIndex() == null ? BACKOFF_LIMIT : Integer.MAX_VALUE);
    }

    private static Optional<Outcome> ofIndexes(JobSpec spec, JobProgress known) {
        int failed = known.failedIndexes(spec.getBackoffLimitPerIndex()).size();
        if (spec.getMaxFailedIndexes() != null && failed > spec.getMaxFailedIndexes()) {
            return Optional.of(Outcome.failed(
                    "MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes"));
        } else if (failed > 0 && failed + succeeded(spec, known) >= completions(spec)) {
            return Optional.of(Outcome.failed("FailedIndexes", "Job has failed indexes"));
        }
        return JobPolicies.success(spec, known.succeededIndexes())
                .map(message -> Outcome.complete("SuccessPolicy", message));
    }

    private static int completions(JobSpec spec) {
        return Objects.requireNonNullElse(spec.getCompletions(), 0);
    }

    /** Creates or deletes pods ({@code manageJob}). */
    private void adjust(Job job, JobProgress known, List<Pod> active) {
        int wanted = wanted(job.getSpec(), active.size(), succeeded(job.getSpec(), known));
        List<Pod> unneeded = unneeded(job.getSpec(), active, active.size() - wanted);
        if (!unneeded.isEmpty()) {
            known.unneeded(unneeded);
            unneeded.forEach(cluster::delete);
            return; // as in manageJob, others are created when these are gone
        }
        List<Pod> terminating = replacesOnlyFailed(job.getSpec()) ? terminating(job) : List.of();
        int missing = wanted - terminating.size() - active.size();
        if (missing <= 0) {
            return;
        } else if (!isIndexed(job.getSpec())) {
            if (!waits(job, known, known.backoff())) {
                pods.create(job, job.getMetadata().getName(), job.getSpec().getTemplate(), missing);
            }
            return;
        }
        Set<Integer> taken = JobProgress.indexes(active);
        taken.addAll(JobProgress.indexes(terminating));
        createIndexed(job, known, taken, missing);
    }

    /** {@code activePodsForRemoval}. */
    static List<Pod> unneeded(JobSpec spec, List<Pod> active, int atLeast) {
        List<Pod> first = isIndexed(spec) ? withoutOwnIndex(completions(spec), active) : List.of();
        Set<Pod> isFirst = Collections.newSetFromMap(new IdentityHashMap<>()); // Pod.equals compares all fields
        isFirst.addAll(first);
        List<Pod> others = active.stream().filter(pod -> !isFirst.contains(pod)).toList();
        return Stream.concat(first.stream(), OwnedPods.cheapest(others, atLeast - first.size()).stream())
                .toList();
    }

    /** Pods with no index, one that is too high, or one that another pod has ({@code appendDuplicatedIndexPodsForRemoval}). */
    private static List<Pod> withoutOwnIndex(int completions, List<Pod> active) {
        var byIndex = active.stream()
                .collect(Collectors.groupingBy(
                        pod -> JobProgress.index(pod).orElse(completions), TreeMap::new, Collectors.toList()));
        return byIndex.entrySet().stream()
                .flatMap(same ->
                        OwnedPods.cheapest(
                                same.getValue(), same.getValue().size() - (same.getKey() < completions ? 1 : 0))
                                .stream())
                .toList();
    }

    private List<Pod> terminating(Job job) {
        return cluster.dependents(job, Pod.class).stream()
                .filter(pod -> OwnedPods.isDeleted(pod) && !PodState.hasEnded(pod))
                .toList();
    }

    /** Deletes the pods that are left, and reports the outcome when the last one is gone ({@code enactJobFinished}). */
    private void end(Job job, JobProgress known, Outcome outcome) {
        pods.active(job).forEach(cluster::delete);
        addCondition(job, outcome.interimType(), outcome);
        if (terminating(job).isEmpty()) {
            known.isFinished = true;
            addCondition(job, outcome.type(), outcome);
            Integer seconds = job.getSpec().getTtlSecondsAfterFinished();
            if (seconds != null) {
                time.after(Duration.ofSeconds(seconds), () -> deleteFinished(job));
            }
        }
    }

    /** Time counts only while the Job is not suspended ({@code pastActiveDeadline}). */
    private boolean isPastDeadline(Job job, JobProgress known) {
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

    private void wake(Job job, JobProgress known, Instant at) {
        if (known.wakes.add(at)) {
            time.after(Duration.between(time.instant(), at), () -> enqueue.accept(job));
        }
    }

    /** Whether failed pods must not be replaced yet. */
    private boolean waits(Job job, JobProgress known, Optional<Instant> until) {
        known.replaces = until.filter(time.instant()::isBefore).orElse(null);
        if (known.replaces != null) {
            wake(job, known, known.replaces);
        }
        return known.replaces != null;
    }

    private void createIndexed(Job job, JobProgress known, Set<Integer> taken, int count) {
        JobSpec spec = job.getSpec();
        boolean areIndependent = spec.getBackoffLimitPerIndex() != null;
        Set<Integer> failed = known.failedIndexes(spec.getBackoffLimitPerIndex());
        List<Integer> pending = IntStream.range(0, completions(spec))
                .filter(index ->
                        !taken.contains(index) && !known.succeededIndexes().contains(index) && !failed.contains(index))
                .limit(count)
                .boxed()
                .toList();
        List<Integer> now = pending.stream()
                .filter(index -> !areIndependent
                        || known.backoff(index).filter(time.instant()::isBefore).isEmpty())
                .toList();
        Optional<Instant> until = !areIndependent
                ? known.backoff()
                : now.isEmpty()
                        ? pending.stream()
                                .flatMap(index -> known.backoff(index).stream())
                                .min(Comparator.naturalOrder())
                        : Optional.empty();
        if (!waits(job, known, until)) {
            now.forEach(index -> pods.create(job, indexed(job, index, known)));
        }
    }

    /** A pod with the name {@code <job>-<index>}, which is also its host name. If a failed pod has that name, a number is appended. */
    private Pod indexed(Job job, int index, JobProgress known) {
        var metadata = job.getMetadata();
        String host = metadata.getName() + "-" + index;
        boolean isFree = cluster.get(Owners.named(new Pod(), metadata.getNamespace(), host)) == null;
        String name = isFree ? host : pods.freeName(metadata.getNamespace(), host);
        var pod = new PodBuilder(OwnedPods.pod(job, job.getSpec().getTemplate(), name))
                .editMetadata()
                .addToLabels(INDEX, Integer.toString(index))
                .addToAnnotations(INDEX, Integer.toString(index))
                .endMetadata()
                .editSpec()
                .withHostname(host)
                .endSpec();
        if (job.getSpec().getBackoffLimitPerIndex() != null) {
            long ignored = known.failures(index, false);
            pod.editMetadata()
                    .addToAnnotations(FAILURES, Long.toString(known.failures(index, true)))
                    .addToAnnotations(ignored == 0 ? Map.of() : Map.of(IGNORED_FAILURES, Long.toString(ignored)))
                    .endMetadata();
        }
        return pod.build();
    }

    private static int succeeded(JobSpec spec, JobProgress known) {
        return isIndexed(spec) ? known.succeededIndexes().size() : known.succeeded();
    }

    private static boolean isComplete(JobSpec spec, JobProgress known) {
        return spec.getCompletions() == null
                ? known.succeeded() > 0 && !Boolean.TRUE.equals(spec.getSuspend())
                : succeeded(spec, known) >= spec.getCompletions();
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

    private void addCondition(Job job, String type, Outcome outcome) {
        Job stored = Objects.requireNonNull(cluster.get(job));
        if (!is(stored, type)) {
            cluster.updateStatus(
                    stored,
                    new JobBuilder(stored)
                            .editOrNewStatus()
                            .addNewCondition()
                            .withType(type)
                            .withStatus("True")
                            .withReason(outcome.reason())
                            .withMessage(SafeText.of(outcome.message(), SafeText.CONDITION_MESSAGE))
                            .endCondition()
                            .endStatus()
                            .build());
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
