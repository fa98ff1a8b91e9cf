package dev.fakegpu.simulate.controller;

import dev.fakegpu.util.CronSchedule;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates Jobs at the times of a schedule ({@code syncCronJob} in {@code pkg/controller/cronjob}), and deletes finished ones beyond the
 * history limits.
 */
final class CronJobController {

    private static final int SUCCESSFUL_KEPT = 3;
    private static final int FAILED_KEPT = 1;
    private static final int SECONDS_OF_MINUTE = 60;

    private final ControlledCluster cluster;
    private final ControllerTime time;
    private final Consumer<CronJob> enqueue;

    /** By UID, the time of the last Job that was created or skipped. */
    private final Map<String, Instant> last = new HashMap<>();

    /** By UID, the time of the next Job. */
    private final Map<String, Instant> planned = new HashMap<>();

    CronJobController(ControlledCluster cluster, ControllerTime time, Consumer<CronJob> enqueue) {
        this.cluster = cluster;
        this.time = time;
        this.enqueue = enqueue;
    }

    void sync(CronJob cronJob) {
        deleteFinished(cronJob);
        CronJobSpec spec = cronJob.getSpec();
        if (Boolean.TRUE.equals(spec.getSuspend())) {
            return;
        }
        CronSchedule schedule = CronSchedule.parse(spec.getSchedule());
        ZoneId zone = spec.getTimeZone() == null ? ZoneOffset.UTC : ZoneId.of(spec.getTimeZone());
        mostRecent(cronJob, schedule, zone).ifPresent(due -> start(cronJob, due));
        schedule.next(time.instant(), zone).ifPresent(next -> plan(cronJob, next));
    }

    private void plan(CronJob cronJob, Instant next) {
        if (!next.equals(planned.put(cronJob.getMetadata().getUid(), next))) {
            time.after(Duration.between(time.instant(), next), () -> enqueue.accept(cronJob));
        }
    }

    /** The latest scheduled time since the last Job or the creation, unless it is too long ago ({@code mostRecentScheduleTime}). */
    private Optional<Instant> mostRecent(CronJob cronJob, CronSchedule schedule, ZoneId zone) {
        var metadata = cronJob.getMetadata();
        Instant now = time.instant();
        Instant since = last.getOrDefault(metadata.getUid(), Instant.parse(metadata.getCreationTimestamp()));
        Long deadline = cronJob.getSpec().getStartingDeadlineSeconds();
        if (deadline != null && Duration.between(since, now).compareTo(Duration.ofSeconds(deadline)) > 0) {
            since = now.minusSeconds(deadline);
        }
        return schedule.latest(since, now, zone);
    }

    private void start(CronJob cronJob, Instant due) {
        String policy = Objects.requireNonNullElse(cronJob.getSpec().getConcurrencyPolicy(), "Allow");
        List<Job> active = jobs(cronJob).filter(job -> !isFinished(job)).toList();
        if (policy.equals("Forbid") && !active.isEmpty()) {
            return; // once the last Job has ended, the latest one that was skipped starts
        }
        last.put(cronJob.getMetadata().getUid(), due);
        if (policy.equals("Replace")) {
            active.forEach(cluster::delete);
        }
        cluster.create(job(cronJob, Long.toString(due.getEpochSecond() / SECONDS_OF_MINUTE)));
    }

    /**
     * Creates a Job now, as {@code kubectl create job --from=cronjob/NAME} does.
     *
     * @return false if the CronJob is suspended or has a Job
     */
    boolean startAtOnce(CronJob cronJob) {
        boolean isWanted = !Boolean.TRUE.equals(cronJob.getSpec().getSuspend())
                && jobs(cronJob).findAny().isEmpty();
        if (isWanted) {
            cluster.create(job(cronJob, "0"));
        }
        return isWanted;
    }

    private static Job job(CronJob cronJob, String suffix) {
        var template = cronJob.getSpec().getJobTemplate();
        var metadata = template.getMetadata();
        return new JobBuilder()
                .withNewMetadata()
                .withNamespace(cronJob.getMetadata().getNamespace())
                .withName(cronJob.getMetadata().getName() + "-" + suffix)
                .withLabels(metadata == null ? Map.of() : metadata.getLabels())
                .withAnnotations(metadata == null ? Map.of() : metadata.getAnnotations())
                .withOwnerReferences(Owners.reference(cronJob))
                .endMetadata()
                .withSpec(template.getSpec().edit().build())
                .build();
    }

    private Stream<Job> jobs(CronJob cronJob) {
        return cluster.dependents(cronJob, Job.class).stream();
    }

    /** Implements {@code cleanupFinishedJobs}. */
    private void deleteFinished(CronJob cronJob) {
        var spec = cronJob.getSpec();
        deleteOldest(cronJob, "Complete", spec.getSuccessfulJobsHistoryLimit(), SUCCESSFUL_KEPT);
        deleteOldest(cronJob, "Failed", spec.getFailedJobsHistoryLimit(), FAILED_KEPT);
    }

    private void deleteOldest(CronJob cronJob, String condition, @Nullable Integer limit, int byDefault) {
        List<Job> finished =
                jobs(cronJob).filter(job -> JobController.is(job, condition)).toList();
        finished.stream()
                .limit(Math.max(0, finished.size() - Objects.requireNonNullElse(limit, byDefault)))
                .forEach(cluster::delete);
    }

    private static boolean isFinished(Job job) {
        return JobController.is(job, "Complete") || JobController.is(job, "Failed");
    }
}
