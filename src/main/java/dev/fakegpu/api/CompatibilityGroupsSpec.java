package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.fakegpu.dra.Limits;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names of compatibility groups, and whether they are written into the slices. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CompatibilityGroupsSpec(
        @JsonPropertyDescription(
                "The groups that the devices of each partitioning scheme of the model declare; with compatibility: Custom."
                        + " A scheme that is not listed declares none.")
        @Nullable Names names,

        @JsonPropertyDescription(
                "Whether groups are written into the ResourceSlices. Auto: if the API server keeps the field, except for"
                        + " devices that kube-scheduler allocates while its feature gate is known to be off, because kube-scheduler"
                        + " would skip devices with groups. Always: if the API server keeps the field. Never: no. Groups that are"
                        + " not in a slice are kept in its annotation fakegpu.dev/compatibility-groups, which the companion reads."
                        + " Default: the operator's setting, which is Auto unless changed.")
        @Nullable Publish publish) {

    /** Whether groups are written into the slices. */
    public enum Publish {
        Auto,
        Always,
        Never
    }

    /** The groups of each partitioning scheme. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Names(
            @JsonPropertyDescription("Groups of whole GPUs, at most 2 DNS labels.") @Size(max = Limits.GROUPS) List<String> whole,

            @JsonPropertyDescription("Groups of MIG devices, at most 2 DNS labels.") @Size(max = Limits.GROUPS) List<String> mig,

            @JsonPropertyDescription("Groups of time-sliced vGPUs, at most 2 DNS labels.") @Size(max = Limits.GROUPS) List<String> vgpu,

            @JsonPropertyDescription("Groups of MIG-backed vGPUs, at most 2 DNS labels.") @Size(max = Limits.GROUPS) List<String> migBackedVgpu,

            @JsonPropertyDescription("Groups of VFIO devices, at most 2 DNS labels.") @Size(max = Limits.GROUPS) List<String> vfio) {

        public Names {
            whole = Defaults.list(whole);
            mig = Defaults.list(mig);
            vgpu = Defaults.list(vgpu);
            migBackedVgpu = Defaults.list(migBackedVgpu);
            vfio = Defaults.list(vfio);
        }
    }
}
