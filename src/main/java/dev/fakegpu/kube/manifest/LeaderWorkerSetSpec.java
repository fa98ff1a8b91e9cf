package dev.fakegpu.kube.manifest;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a LeaderWorkerSet. Fields without a type here do not affect which pods exist.
 *
 * @param replicas the number of groups; null means 1
 * @param startupPolicy {@code LeaderCreated} or {@code LeaderReady}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record LeaderWorkerSetSpec(
        @Nullable Integer replicas,
        LeaderWorkerTemplate leaderWorkerTemplate,
        @Nullable RolloutStrategy rolloutStrategy,
        @Nullable String startupPolicy,
        @Nullable JsonNode networkConfig) {

    public int groups() {
        return Objects.requireNonNullElse(replicas, 1);
    }

    /**
     * The templates of a group.
     *
     * @param leaderTemplate the leader's template; null means that of the workers
     * @param size the number of pods of a group, including the leader; null means 1
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record LeaderWorkerTemplate(
            @Nullable PodTemplateSpec leaderTemplate,
            PodTemplateSpec workerTemplate,
            @Nullable Integer size,
            @Nullable String restartPolicy,
            @Nullable JsonNode subGroupPolicy,
            @Nullable JsonNode volumeClaimTemplates,
            @Nullable JsonNode persistentVolumeClaimRetentionPolicy) {

        public PodTemplateSpec leader() {
            return Objects.requireNonNullElse(leaderTemplate, workerTemplate);
        }

        public int workers() {
            return Objects.requireNonNullElse(size, 1) - 1;
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record RolloutStrategy(
            @Nullable String type, @Nullable RollingUpdate rollingUpdateConfiguration) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record RollingUpdate(
            @Nullable Integer partition,
            @Nullable IntOrString maxUnavailable,
            @Nullable IntOrString maxSurge) {}
}
