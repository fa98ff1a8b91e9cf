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
 * Pods that are scheduled together (KEP-4671), as Kubernetes 1.37 serves it with the feature gate GenericWorkload. The client's model knows
 * an older version of another shape only.
 */
@Group("scheduling.k8s.io")
@Version("v1beta1")
@Plural("podgroups")
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonDeserialize(using = JsonDeserializer.None.class) // not the client's, which only finds the class
public final class PodGroup implements HasMetadata, Namespaced {

    private static final long serialVersionUID = 1L;

    private String apiVersion = "scheduling.k8s.io/v1beta1";
    private String kind = "PodGroup";
    private ObjectMeta metadata = new ObjectMeta();
    private @Nullable Spec spec;
    private @Nullable JsonNode status;

    /**
     * PodGroupSpec. What is not read here is kept as it is.
     *
     */
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
     * PodGroupResourceClaim: a claim of the group (KEP-5729), which its pods share that refer to it in the same words.
     *
     * @param name as in {@code spec.resourceClaims} of a pod; one of the other two is set
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SharedClaim(
            @Nullable String name,
            @Nullable String resourceClaimName,
            @Nullable String resourceClaimTemplateName) {}

    /** PodGroupSchedulingPolicy: exactly one of them is set. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Policy(@Nullable JsonNode basic, @Nullable Gang gang) {}

    /** GangSchedulingPolicy: so many pods, or none. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Gang(@Nullable Integer minCount) {}

    /** PodGroupSchedulingConstraints. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Constraints(@Nullable List<Topology> topology) {}

    /** TopologyConstraint: the nodes of all pods have the same value of this label. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Topology(@Nullable String key) {}

    /** The name of a pod's group; empty if it has none. */
    public static Optional<String> nameFor(Pod pod) {
        return Optional.ofNullable(pod.getSpec())
                .map(PodSpec::getSchedulingGroup)
                .map(PodSchedulingGroup::getPodGroupName);
    }

    public List<SharedClaim> sharedClaims() {
        return Optional.ofNullable(spec).map(Spec::resourceClaims).orElse(List.of());
    }

    /**
     * The group under other names, without its status.
     *
     * @param names of the group itself
     * @param claim the name of a claim that stands for another one
     * @param template the same for a ResourceClaimTemplate
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

    /** Whether what a pod of the group refers to is a claim of the group. Upstream: {@code BindTo} in {@code resourceclaim.go}. */
    public boolean shares(PodResourceClaim reference) {
        return sharedClaims()
                .contains(new SharedClaim(
                        reference.getName(),
                        reference.getResourceClaimName(),
                        reference.getResourceClaimTemplateName()));
    }

    /** How many pods there have to be at once; empty if pods are placed one by one. */
    public Optional<Integer> minCount() {
        return Optional.ofNullable(spec)
                .map(Spec::schedulingPolicy)
                .map(Policy::gang)
                .map(Gang::minCount);
    }

    /** The label of nodes of which all pods need the same value; the API allows one. */
    public Optional<String> topologyKey() {
        return Optional.ofNullable(spec)
                .map(Spec::schedulingConstraints)
                .map(Constraints::topology)
                .flatMap(keys -> keys.stream().findFirst())
                .map(Topology::key);
    }

    /** Whether its pods are placed in one decision: they have to be many enough, or near to each other. */
    public boolean isPlacedTogether() {
        return minCount().isPresent() || topologyKey().isPresent();
    }

    /** Whether all its pods go when one has to make room for others. */
    public boolean isDisruptedAsWhole() {
        return spec != null
                && spec.disruptionMode() != null
                && spec.disruptionMode().hasNonNull("all");
    }

    /** What counts for its pods instead of their own priority; 0 if there is no PriorityClass. Upstream: {@code PodGroupPriority}. */
    public int priority() {
        return Optional.ofNullable(spec).map(Spec::priority).orElse(0);
    }

    /** Whether it belongs to a CompositePodGroup. */
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
