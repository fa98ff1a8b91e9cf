package dev.fakegpu.kube.manifest;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A JobSet: Jobs that start, fail and end together ({@code kubernetes-sigs/jobset}). */
@Group("jobset.x-k8s.io")
@Version("v1alpha2")
@Kind("JobSet")
@Plural("jobsets")
public final class JobSet extends CustomResource<JobSetSpec, JobSet.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /**
     * The status of a JobSet.
     *
     * @param restarts how often all Jobs were recreated
     * @param terminalState {@code Completed} or {@code Failed}; null until the JobSet ends
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            List<Condition> conditions,
            @Nullable Integer restarts,
            @Nullable String terminalState) {
        public Status {
            conditions = List.copyOf(Objects.requireNonNullElse(conditions, List.of()));
        }
    }
}
