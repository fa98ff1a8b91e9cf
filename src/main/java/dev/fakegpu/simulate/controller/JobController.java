package dev.fakegpu.simulate.controller;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * As many pods as it needs, at most {@code spec.parallelism} at a time ({@code pkg/controller/job}). Pods that fail or are deleted are
 * replaced.
 */
final class JobController {

    private final ControlledCluster cluster;
    private final OwnedPods pods;

    /** UIDs of the pods that have succeeded, by the UID of their Job: they count even if they are deleted. */
    private final Map<String, Set<String>> succeeded = new HashMap<>();

    JobController(ControlledCluster cluster, OwnedPods pods) {
        this.cluster = cluster;
        this.pods = pods;
    }

    void sync(Job job) {
        Set<String> done = succeeded.computeIfAbsent(job.getMetadata().getUid(), ignored -> new HashSet<>());
        cluster.dependents(job, Pod.class).stream()
                .filter(pod -> "Succeeded".equals(pod.getStatus().getPhase()))
                .forEach(pod -> done.add(pod.getMetadata().getUid()));
        List<Pod> active = pods.active(job);
        int missing = wanted(job.getSpec(), active.size(), done.size()) - active.size();
        if (missing > 0) {
            pods.create(job, job.getMetadata().getName(), job.getSpec().getTemplate(), missing);
        } else {
            pods.deleteSome(active, -missing);
        }
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
        return Math.min(parallelism, spec.getCompletions() - succeeded);
    }
}
