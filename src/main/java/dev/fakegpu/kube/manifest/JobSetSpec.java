package dev.fakegpu.kube.manifest;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The spec of a JobSet. Fields without a type here do not affect which pods exist. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record JobSetSpec(
        List<ReplicatedJob> replicatedJobs,
        @Nullable JsonNode network,
        @Nullable SuccessPolicy successPolicy,
        @Nullable FailurePolicy failurePolicy,
        @Nullable StartupPolicy startupPolicy,
        @Nullable Boolean suspend,
        @Nullable JsonNode coordinator,
        @Nullable String managedBy,
        @Nullable Integer ttlSecondsAfterFinished,
        @Nullable JsonNode volumeClaimPolicies) {

    public JobSetSpec {
        replicatedJobs = List.copyOf(Objects.requireNonNullElse(replicatedJobs, List.of()));
    }

    /** @param replicas the number of Jobs of the template; null means 1 */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record ReplicatedJob(
            String name,
            @Nullable String groupName,
            JobTemplateSpec template,
            @Nullable Integer replicas,
            @Nullable List<DependsOn> dependsOn) {

        public int count() {
            return Objects.requireNonNullElse(replicas, 1);
        }
    }

    /** @param status {@code Ready} or {@code Complete} */
    public record DependsOn(String name, String status) {}

    /** @param operator {@code All} or {@code Any} */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SuccessPolicy(
            @Nullable String operator, @Nullable List<String> targetReplicatedJobs) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record FailurePolicy(
            @Nullable Integer maxRestarts,
            @Nullable String restartStrategy,
            @Nullable List<FailureRule> rules) {}

    /** @param action such as {@code RestartJob} */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record FailureRule(
            @Nullable String name,
            String action,
            @Nullable List<String> onJobFailureReasons,
            @Nullable List<String> onJobFailureMessagePatterns,
            @Nullable List<String> targetReplicatedJobs) {}

    /** @param startupPolicyOrder {@code AnyOrder} or {@code InOrder} */
    public record StartupPolicy(String startupPolicyOrder) {}
}
