package dev.fakegpu.simulate.controller;

import dev.fakegpu.kube.manifest.JobSetSpec;
import dev.fakegpu.kube.manifest.JobSetSpec.FailureRule;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The restarts that a JobSet's failure policy has caused ({@code pkg/controllers/failure_policy.go} of {@code kubernetes-sigs/jobset}). Not
 * thread-safe.
 */
final class JobRestarts {

    /** The number of restarts of the whole JobSet. */
    private int restarts;

    /** The number of restarts of the whole JobSet or of single Jobs that count toward {@code maxRestarts}. */
    private int counted;

    /** The UIDs of the Jobs that are recreated individually. */
    private final Set<String> alone = new HashSet<>();

    int restarts() {
        return restarts;
    }

    boolean isOutdated(Job job) {
        return alone.contains(job.getMetadata().getUid()) || JobTemplates.restarts(job) < restarts;
    }

    /** @return false if the JobSet has failed */
    boolean restart(JobSetSpec spec, Job failed) {
        var policy = spec.failurePolicy();
        if (policy == null) {
            return false;
        }
        String action = Objects.requireNonNullElse(policy.rules(), List.<FailureRule>of()).stream()
                .filter(rule -> isFor(rule, failed))
                .map(FailureRule::action)
                .findFirst()
                .orElse("RestartJobSet");
        if (action.equals("FailJobSet")) {
            return false;
        }
        if (!action.endsWith("IgnoreMaxRestarts")) {
            if (counted >= Objects.requireNonNullElse(policy.maxRestarts(), 0)) {
                return false;
            }
            counted++;
        }
        if (action.startsWith("RestartJobSet")) {
            restarts++;
        } else {
            alone.add(failed.getMetadata().getUid());
        }
        return true;
    }

    private static boolean isFor(FailureRule rule, Job failed) {
        var condition = failed.getStatus().getConditions().stream()
                .filter(each -> "Failed".equals(each.getType()))
                .findFirst()
                .orElseThrow();
        return isIn(condition.getReason(), rule.onJobFailureReasons())
                && isIn(JobTemplates.replicatedJob(failed), rule.targetReplicatedJobs())
                && matches(condition.getMessage(), rule.onJobFailureMessagePatterns());
    }

    private static boolean isIn(String value, @Nullable List<String> allowed) {
        return allowed == null || allowed.isEmpty() || allowed.contains(value);
    }

    private static boolean matches(String message, @Nullable List<String> patterns) {
        return patterns == null
                || patterns.isEmpty()
                || patterns.stream()
                        .anyMatch(pattern ->
                                Pattern.compile(pattern).matcher(message).find());
    }
}
