package dev.fakegpu.simulate.controller;

import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * As many pods as it needs, at most {@code spec.parallelism} at a time ({@code pkg/controller/job}). Pods that fail or are deleted are
 * replaced at once, until there are more than {@code spec.backoffLimit}. A finished Job is deleted after {@code
 * spec.ttlSecondsAfterFinished} ({@code pkg/controller/ttlafterfinished}).
 */
final class JobController {

    /** {@code SetDefaults_Job}. */
    private static final int BACKOFF_LIMIT = 6;

    private final ControlledCluster cluster;
    private final ControllerTime time;
    private final OwnedPods pods;

    /** By UID of the Job. */
    private final Map<String, Progress> progress = new HashMap<>();

    /** UIDs of pods, which count even when they are gone. */
    private static final class Progress {
        private final Set<String> succeeded = new HashSet<>();
        private final Set<String> failed = new HashSet<>();
        private final Set<String> unneeded = new HashSet<>();
        private boolean isFinished;
    }

    JobController(ControlledCluster cluster, ControllerTime time, OwnedPods pods) {
        this.cluster = cluster;
        this.time = time;
        this.pods = pods;
    }

    /** A pod that was created, changed or deleted. One that goes before it has succeeded has failed ({@code isPodFailed}). */
    void changed(Pod pod) {
        Owners.workload(cluster, pod).filter(Job.class::isInstance).ifPresent(job -> {
            Progress known = progress(job);
            String uid = pod.getMetadata().getUid();
            String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
            if ("Succeeded".equals(phase)) {
                known.succeeded.add(uid);
            } else if ("Failed".equals(phase) || OwnedPods.isDeleted(pod) || cluster.get(pod) == null) {
                known.failed.add(uid);
            }
        });
    }

    private Progress progress(HasMetadata job) {
        return progress.computeIfAbsent(job.getMetadata().getUid(), ignored -> new Progress());
    }

    void sync(Job job) {
        Progress known = progress(job);
        if (known.isFinished) {
            return;
        }
        known.failed.removeAll(known.succeeded);
        known.failed.removeAll(known.unneeded);
        JobSpec spec = job.getSpec();
        List<Pod> active = pods.active(job);
        if (known.failed.size() > Objects.requireNonNullElse(spec.getBackoffLimit(), BACKOFF_LIMIT)) {
            known.isFinished = true;
            active.forEach(cluster::delete);
            finish(job, "Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
            return;
        }
        int missing = wanted(spec, active.size(), known.succeeded.size()) - active.size();
        if (missing > 0) {
            pods.create(job, job.getMetadata().getName(), spec.getTemplate(), missing);
        } else if (missing < 0) {
            deleteSome(known, active, -missing);
        } else if (active.isEmpty() && isComplete(spec, known)) {
            known.isFinished = true;
            finish(job, "Complete", "CompletionsReached", "Reached expected number of succeeded pods");
        }
    }

    /** Pods that are deleted because they are not needed have not failed. */
    private void deleteSome(Progress known, List<Pod> active, int count) {
        var before = Set.copyOf(known.failed);
        pods.deleteSome(active, count);
        known.failed.stream().filter(uid -> !before.contains(uid)).forEach(known.unneeded::add);
    }

    private static boolean isComplete(JobSpec spec, Progress known) {
        return !Boolean.TRUE.equals(spec.getSuspend())
                && (spec.getCompletions() == null
                        ? !known.succeeded.isEmpty()
                        : known.succeeded.size() >= spec.getCompletions());
    }

    /** Without {@code completions}, one success means that the work is done, and the others end by themselves. */
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

    /** @param condition such as {@code Complete} */
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
