package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.util.CronSchedule;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;

/** {@code ValidateCronJobCreate} of {@code pkg/apis/batch/validation}. */
final class CronJobValidation {

    private static final int MAX_NAME = 52;
    private static final Set<String> POLICIES = Set.of("Allow", "Forbid", "Replace");

    private CronJobValidation() {}

    static void check(JsonNode object, FieldErrors errors) {
        JsonNode spec = object.path("spec");
        schedule(spec.path("schedule").asText(""), errors);
        number(spec, "startingDeadlineSeconds", errors);
        if (spec.hasNonNull("timeZone")) {
            timeZone(spec.path("timeZone").asText(), errors);
        }
        String policy = spec.path("concurrencyPolicy").asText("");
        if (!policy.isEmpty() && !POLICIES.contains(policy)) {
            errors.unsupported("spec.concurrencyPolicy", policy, List.of("Allow", "Forbid", "Replace"));
        }
        jobTemplate(spec.path("jobTemplate").path("spec"), "spec.jobTemplate.spec", errors);
        number(spec, "successfulJobsHistoryLimit", errors);
        number(spec, "failedJobsHistoryLimit", errors);
        String name = object.path("metadata").path("name").asText();
        if (name.length() > MAX_NAME) {
            errors.invalid("metadata.name", name, "must be no more than 52 characters");
        }
    }

    /** {@code ValidateJobTemplateSpec}. */
    private static void jobTemplate(JsonNode job, String path, FieldErrors errors) {
        WorkloadValidation.job(job, path, errors);
        if (job.hasNonNull("selector")) {
            errors.invalid(path + ".selector", job.path("selector"), "`selector` will be auto-generated");
        }
        if (job.path("manualSelector").asBoolean()) {
            errors.add(path + ".manualSelector", "Unsupported value: true", "supported values: \"nil\", \"false\"");
        }
    }

    private static void number(JsonNode spec, String field, FieldErrors errors) {
        if (spec.path(field).asLong() < 0) {
            errors.invalid("spec." + field, spec.path(field).asLong(), "must be greater than or equal to 0");
        }
    }

    private static void schedule(String schedule, FieldErrors errors) {
        if (schedule.isEmpty()) {
            errors.required("spec.schedule", "");
            return;
        }
        if (schedule.contains("TZ")) {
            errors.invalid(
                    "spec.schedule", schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
            return;
        }
        try {
            CronSchedule.parse(schedule);
        } catch (IllegalArgumentException e) {
            errors.invalid("spec.schedule", schedule, String.valueOf(e.getMessage()));
        }
    }

    private static void timeZone(String zone, FieldErrors errors) {
        if (zone.isEmpty()) {
            errors.invalid("spec.timeZone", zone, "timeZone must be nil or non-empty string");
        } else if (!ZoneId.getAvailableZoneIds().contains(zone)) {
            errors.invalid("spec.timeZone", zone, "unknown time zone " + zone);
        }
    }
}
