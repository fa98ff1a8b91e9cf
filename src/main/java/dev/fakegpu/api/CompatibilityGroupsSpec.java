package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How compatibility groups are published. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CompatibilityGroupsSpec(
        @JsonPropertyDescription(
                "With compatibility: Custom, the groups that each partitioning scheme of a model declares. A scheme that is not"
                        + " listed declares none.")
        @Nullable Names names,

        @JsonPropertyDescription(
                "Auto: in the slices where that helps; not where the API server drops them, and not for devices that kube-scheduler"
                        + " gives away while its feature gate is known to be off, because it would skip them. Always: wherever the"
                        + " API server keeps them. Never: not in the slices. What is not in a slice is kept in its annotation"
                        + " fakegpu.dev/compatibility-groups, by which the companion goes. Default: the operator's setting, itself Auto.")
        @Nullable Publish publish) {

    /** Whether groups are in the slices. */
    public enum Publish {
        Auto,
        Always,
        Never
    }

    /** The groups of each scheme. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Names(
            @JsonPropertyDescription("Groups of whole GPUs, at most 2 DNS labels.") @Size(max = 2) List<String> whole,

            @JsonPropertyDescription("Groups of MIG devices, at most 2 DNS labels.") @Size(max = 2) List<String> mig,

            @JsonPropertyDescription("Groups of time-sliced vGPUs, at most 2 DNS labels.") @Size(max = 2) List<String> vgpu,

            @JsonPropertyDescription("Groups of MIG-backed vGPUs, at most 2 DNS labels.") @Size(max = 2) List<String> migBackedVgpu,

            @JsonPropertyDescription("Groups of VFIO devices, at most 2 DNS labels.") @Size(max = 2) List<String> vfio) {

        public Names {
            whole = orEmpty(whole);
            mig = orEmpty(mig);
            vgpu = orEmpty(vgpu);
            migBackedVgpu = orEmpty(migBackedVgpu);
            vfio = orEmpty(vfio);
        }

        private static List<String> orEmpty(@Nullable List<String> list) {
            return list == null ? List.of() : List.copyOf(list);
        }
    }
}
