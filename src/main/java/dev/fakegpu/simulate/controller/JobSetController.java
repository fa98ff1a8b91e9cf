package dev.fakegpu.simulate.controller;

import dev.fakegpu.kube.manifest.JobSet;
import dev.fakegpu.kube.manifest.JobSetSpec;
import dev.fakegpu.kube.manifest.JobSetSpec.DependsOn;
import dev.fakegpu.kube.manifest.JobSetSpec.ReplicatedJob;
import dev.fakegpu.kube.manifest.JobSetSpec.StartupPolicy;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Creates the Jobs {@code <name>-<replicated job>-<index>} of JobSets in their order, and handles failed Jobs and the success of all
 * ({@code pkg/controllers} of {@code kubernetes-sigs/jobset}).
 */
final class JobSetController {

    private static final String FAILED = "Failed";

    private final ControlledCluster cluster;
    private final ControllerTime time;
    private final OwnedPods pods;

    /** By UID of the JobSet, the restarts. */
    private final Map<String, JobRestarts> restarts = new HashMap<>();

    JobSetController(ControlledCluster cluster, ControllerTime time, OwnedPods pods) {
        this.cluster = cluster;
        this.time = time;
        this.pods = pods;
    }

    void sync(JobSet set) {
        JobSetSpec spec = set.getSpec();
        if (isFinished(set) || pods.areManagedByAnother(set, spec.managedBy(), JobTemplates.CONTROLLER)) {
            return;
        }
        List<Job> jobs = cluster.dependents(set, Job.class);
        JobRestarts known = restarts.computeIfAbsent(set.getMetadata().getUid(), ignored -> new JobRestarts());
        List<Job> outdated = jobs.stream().filter(known::isOutdated).toList();
        List<Job> current = new ArrayList<>(jobs);
        current.removeAll(outdated);
        outdated.forEach(this::end);
        Optional<Job> failed =
                current.stream().filter(job -> JobController.is(job, FAILED)).findFirst();
        if (failed.isPresent()) {
            if (known.restart(spec, failed.get())) {
                sync(set);
            } else {
                finish(set, jobs, FAILED, "FailedJobs", "jobset failed due to one or more job failures");
            }
        } else if (isComplete(spec, current)) {
            finish(set, jobs, "Completed", "AllJobsCompleted", "jobset completed successfully");
        } else {
            start(set, current, jobs, known);
        }
    }

    /** Implements {@code executeSuccessPolicy}. */
    private static boolean isComplete(JobSetSpec spec, List<Job> jobs) {
        var policy = spec.successPolicy();
        List<String> targets =
                policy == null || policy.targetReplicatedJobs() == null ? List.of() : policy.targetReplicatedJobs();
        long succeeded = jobs.stream()
                .filter(job -> targets.isEmpty() || targets.contains(JobTemplates.replicatedJob(job)))
                .filter(job -> JobController.is(job, "Complete"))
                .count();
        long wanted = spec.replicatedJobs().stream()
                .filter(each -> targets.isEmpty() || targets.contains(each.name()))
                .mapToInt(ReplicatedJob::count)
                .sum();
        boolean isAny = policy != null && "Any".equals(policy.operator());
        return isAny ? succeeded > 0 : wanted > 0 && succeeded == wanted;
    }

    private void start(JobSet set, List<Job> current, List<Job> all, JobRestarts known) {
        JobSetSpec spec = set.getSpec();
        boolean isSuspended = Boolean.TRUE.equals(spec.suspend());
        StartupPolicy startup = spec.startupPolicy();
        boolean isInOrder = startup != null && "InOrder".equals(startup.startupPolicyOrder());
        for (ReplicatedJob replicated : spec.replicatedJobs()) {
            List<Job> ofThis = of(replicated, current);
            ofThis.forEach(job -> suspend(job, isSuspended));
            if (isSuspended || !areMet(spec, replicated, current)) {
                continue;
            }
            var names = all.stream().map(job -> job.getMetadata().getName()).toList();
            IntStream.range(0, replicated.count())
                    .mapToObj(index -> JobTemplates.job(set, replicated, index, known))
                    .filter(job -> !names.contains(job.getMetadata().getName()))
                    .forEach(cluster::create);
            if (isInOrder
                    && (ofThis.size() < replicated.count() || !ofThis.stream().allMatch(this::isReady))) {
                return;
            }
        }
    }

    /** Whether the dependencies of the Jobs are ready or complete ({@code dependencyReachedStatus}). */
    private boolean areMet(JobSetSpec spec, ReplicatedJob replicated, List<Job> jobs) {
        for (DependsOn dependency : Objects.requireNonNullElse(replicated.dependsOn(), List.<DependsOn>of())) {
            long reached = jobs.stream()
                    .filter(job -> JobTemplates.replicatedJob(job).equals(dependency.name()))
                    .filter(job ->
                            JobController.is(job, "Complete") || ("Ready".equals(dependency.status()) && isReady(job)))
                    .count();
            int wanted = spec.replicatedJobs().stream()
                    .filter(each -> each.name().equals(dependency.name()))
                    .mapToInt(ReplicatedJob::count)
                    .sum();
            if (reached < wanted) {
                return false;
            }
        }
        return true;
    }

    private static List<Job> of(ReplicatedJob replicated, List<Job> jobs) {
        return jobs.stream()
                .filter(job -> JobTemplates.replicatedJob(job).equals(replicated.name()))
                .toList();
    }

    /** Whether as many of its pods run or have succeeded as may exist at once. */
    private boolean isReady(Job job) {
        var spec = job.getSpec();
        int parallelism = Objects.requireNonNullElse(spec.getParallelism(), 1);
        int wanted = Math.min(parallelism, Objects.requireNonNullElse(spec.getCompletions(), parallelism));
        return cluster.dependents(job, Pod.class).stream()
                        .map(pod -> pod.getStatus().getPhase())
                        .filter(phase -> phase.equals("Running") || phase.equals("Succeeded"))
                        .count()
                >= wanted;
    }

    private void suspend(Job job, boolean isSuspended) {
        if (Boolean.TRUE.equals(job.getSpec().getSuspend()) != isSuspended) {
            cluster.update(
                    job,
                    new JobBuilder(job)
                            .editSpec()
                            .withSuspend(isSuspended)
                            .endSpec()
                            .build());
        }
    }

    /** Deletes a Job. Its successor has the same name, so it is created when the pods are gone. */
    private void end(Job job) {
        suspend(job, true);
        List<Pod> left = cluster.dependents(job, Pod.class);
        left.forEach(cluster::delete);
        if (cluster.dependents(job, Pod.class).isEmpty()) {
            cluster.delete(job);
        }
    }

    private static boolean isFinished(JobSet set) {
        return set.getStatus() != null && set.getStatus().terminalState() != null;
    }

    private void finish(JobSet set, List<Job> jobs, String state, String reason, String message) {
        Condition condition = new ConditionBuilder()
                .withType(state)
                .withStatus("True")
                .withReason(reason)
                .withMessage(SafeText.of(message, SafeText.CONDITION_MESSAGE))
                .build();
        var finished = new JobSet();
        finished.setMetadata(set.getMetadata());
        finished.setSpec(set.getSpec());
        finished.setStatus(new JobSet.Status(List.of(condition), null, state));
        cluster.updateStatus(set, finished);
        jobs.stream()
                .filter(job -> Stream.of("Complete", FAILED).noneMatch(type -> JobController.is(job, type)))
                .forEach(cluster::delete);
        Integer seconds = set.getSpec().ttlSecondsAfterFinished();
        if (seconds != null) {
            time.after(Duration.ofSeconds(seconds), () -> cluster.delete(set));
        }
    }
}
