package dev.fakegpu.kube.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A PodGroup: pods that are scheduled together (KEP-4671), as Kubernetes 1.37 serves it with the feature gate GenericWorkload. The client's
 * model has only an older version with a different shape.
 */
@Group("scheduling.k8s.io")
@Version("v1beta1")
@Plural("podgroups")
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonDeserialize(using = JsonDeserializer.None.class) // not the client's deserializer, which only finds the class
public final class PodGroup implements HasMetadata, Namespaced {

    private static final long serialVersionUID = 1L;

    private String apiVersion = "scheduling.k8s.io/v1beta1";
    private String kind = "PodGroup";
    private ObjectMeta metadata = new ObjectMeta();
    private @Nullable Spec spec;
    private @Nullable JsonNode status;

    /** PodGroupSpec. Fields that are not read here are preserved. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Spec(
            @Nullable String parentCompositePodGroupName,
            @Nullable JsonNode workloadRef,
            @Nullable Policy schedulingPolicy,
            @Nullable Constraints schedulingConstraints,
            @Nullable List<SharedClaim> resourceClaims,
            @Nullable JsonNode disruptionMode,
            @Nullable String priorityClassName,
            @Nullable Integer priority,
            @Nullable String preemptionPolicy) {}

    /**
     * PodGroupResourceClaim: a claim that pods of the group share (KEP-5729), if their entry in {@code spec.resourceClaims} is equal to
     * this one.
     *
     * @param name the name in {@code spec.resourceClaims} of a pod; one of the other two fields is set
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SharedClaim(
            @Nullable String name,
            @Nullable String resourceClaimName,
            @Nullable String resourceClaimTemplateName) {}

    /** PodGroupSchedulingPolicy: exactly one of the fields is set. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Policy(@Nullable JsonNode basic, @Nullable Gang gang) {}

    /** GangSchedulingPolicy: at least this many pods are scheduled together, or none. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Gang(@Nullable Integer minCount) {}

    /** PodGroupSchedulingConstraints. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Constraints(@Nullable List<Topology> topology) {}

    /** TopologyConstraint: the nodes of all pods must have the same value of this label. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Topology(@Nullable String key) {}

    /** The name of the pod's group; empty if the pod has none. */
    public static Optional<String> nameFor(Pod pod) {
        return Optional.ofNullable(pod.getSpec())
                .map(PodSpec::getSchedulingGroup)
                .map(PodSchedulingGroup::getPodGroupName);
    }

    public List<SharedClaim> sharedClaims() {
        return Optional.ofNullable(spec).map(Spec::resourceClaims).orElse(List.of());
    }

    /**
     * A copy of the group with other names and without a status.
     *
     * @param names the metadata of the copy
     * @param claim maps the name of a claim to the new name
     * @param template maps the name of a ResourceClaimTemplate to the new name
     */
    public PodGroup renamed(ObjectMeta names, UnaryOperator<String> claim, UnaryOperator<String> template) {
        var copy = new PodGroup();
        copy.metadata = names;
        copy.spec = spec == null
                ? null
                : new Spec(
                        spec.parentCompositePodGroupName(),
                        spec.workloadRef(),
                        spec.schedulingPolicy(),
                        spec.schedulingConstraints(),
                        sharedClaims().stream()
                                .map(shared -> new SharedClaim(
                                        shared.name(),
                                        shared.resourceClaimName() == null
                                                ? null
                                                : claim.apply(shared.resourceClaimName()),
                                        shared.resourceClaimTemplateName() == null
                                                ? null
                                                : template.apply(shared.resourceClaimTemplateName())))
                                .toList(),
                        spec.disruptionMode(),
                        spec.priorityClassName(),
                        spec.priority(),
                        spec.preemptionPolicy());
        return copy;
    }

    /** Whether the claim that a pod of the group refers to is shared by the group. Upstream: {@code BindTo} in {@code resourceclaim.go}. */
    public boolean shares(PodResourceClaim reference) {
        return sharedClaims()
                .contains(new SharedClaim(
                        reference.getName(),
                        reference.getResourceClaimName(),
                        reference.getResourceClaimTemplateName()));
    }

    /** The number of pods that must be schedulable at once; empty if pods are placed one by one. */
    public Optional<Integer> minCount() {
        return Optional.ofNullable(spec)
                .map(Spec::schedulingPolicy)
                .map(Policy::gang)
                .map(Gang::minCount);
    }

    /** The node label whose value must be the same for all pods; the API allows one. */
    public Optional<String> topologyKey() {
        return Optional.ofNullable(spec)
                .map(Spec::schedulingConstraints)
                .map(Constraints::topology)
                .flatMap(keys -> keys.stream().findFirst())
                .map(Topology::key);
    }

    /** Whether its pods are placed in one decision, because the group has a minimum count or a topology constraint. */
    public boolean isPlacedTogether() {
        return minCount().isPresent() || topologyKey().isPresent();
    }

    /** Whether preemption of one pod evicts all pods of the group. */
    public boolean isDisruptedAsWhole() {
        return spec != null
                && spec.disruptionMode() != null
                && spec.disruptionMode().hasNonNull("all");
    }

    /** The priority that replaces the pods' own; 0 if there is no PriorityClass. Upstream: {@code PodGroupPriority}. */
    public int priority() {
        return Optional.ofNullable(spec).map(Spec::priority).orElse(0);
    }

    /** Whether the group belongs to a CompositePodGroup. */
    public boolean isPartOfAnother() {
        return spec != null && spec.parentCompositePodGroupName() != null;
    }

    @Override
    public String getApiVersion() {
        return apiVersion;
    }

    @Override
    public void setApiVersion(String apiVersion) {
        this.apiVersion = apiVersion;
    }

    @Override
    public String getKind() {
        return kind;
    }

    public void setKind(String kind) {
        this.kind = kind;
    }

    @Override
    public ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public void setMetadata(ObjectMeta metadata) {
        this.metadata = metadata;
    }

    public @Nullable Spec getSpec() {
        return spec;
    }

    public void setSpec(@Nullable Spec spec) {
        this.spec = spec;
    }

    public @Nullable JsonNode getStatus() {
        return status;
    }

    public void setStatus(@Nullable JsonNode status) {
        this.status = status;
    }
}
