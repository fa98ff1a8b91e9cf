package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is offered of each GPU. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "!has(self.whole) || self.whole || has(self.mig) || has(self.vgpu) || has(self.migBackedVgpu)"
                + " || (has(self.vfio) && self.vfio) || has(self.equalParts)",
        message = "at least one of whole, mig, vgpu, migBackedVgpu, vfio and equalParts must be offered")
public record PartitionsSpec(
        @JsonPropertyDescription("The whole GPU as a device. Default: true.") @Default("true") @Nullable Boolean whole,

        @JsonPropertyDescription("Multi-Instance GPU devices: one for every placement of every listed profile.")
        @Nullable Mig mig,

        @JsonPropertyDescription("Time-sliced vGPU devices: for each type as many slots as NVIDIA allows on one GPU.")
        @Nullable Vgpu vgpu,

        @JsonPropertyDescription(
                "vGPUs that each have a MIG instance for themselves: one for every placement of the instance of every listed type.")
        @Nullable MigBackedVgpu migBackedVgpu,

        @JsonPropertyDescription(
                "The whole GPU for passing through to a virtual machine, as another device. Default: false.")
        @Default("false")
        @Nullable Boolean vfio,

        @JsonPropertyDescription(
                "Number of equal parts of each GPU, 1 to 64. With models that have no other partitions only, such as"
                        + " LATEST-GPU-MODEL.")
        @Min(1) @Max(MAX_EQUAL_PARTS) @Nullable Integer equalParts) {

    public static final int MAX_EQUAL_PARTS = 64;

    /** In lists of profiles and types: everything that the model has. */
    public static final String ALL = "All";

    static final PartitionsSpec WHOLE_GPU = new PartitionsSpec(true, null, null, null, null, null);

    public boolean offersWhole() {
        return !Boolean.FALSE.equals(whole);
    }

    public boolean offersVfio() {
        return Boolean.TRUE.equals(vfio);
    }

    /** MIG profiles. */
    public record Mig(
            @JsonPropertyDescription(
                    "Profiles of the model, for example 1g.5gb, 1g.5gb+me and 3g.20gb on an A100-SXM4-40GB; or only All.")
            @Required
            @Size(min = 1, max = 32) List<String> profiles) {

        public Mig {
            profiles = profiles == null ? List.of() : List.copyOf(profiles);
        }
    }

    /** vGPU types. */
    public record Vgpu(
            @JsonPropertyDescription(
                    "How a GPU may be shared. EqualSize (default): all vGPUs on it have the same size at a time. MixedSize: sizes may"
                            + " differ, and of some types fewer fit.")
            @Default("EqualSize")
            @Nullable Sizing sizing,

            @JsonPropertyDescription(
                    "vGPU types of the model by their suffix, for example 4C and 10C on an A100-SXM4-40GB; or only All.")
            @Required
            @Size(min = 1, max = 32) List<String> types) {

        /** How sizes may mix on one GPU. */
        public enum Sizing {
            EqualSize,
            MixedSize
        }

        public boolean mixedSize() {
            return sizing == Sizing.MixedSize;
        }

        public Vgpu {
            types = types == null ? List.of() : List.copyOf(types);
        }
    }

    /** MIG-backed vGPU types. */
    public record MigBackedVgpu(
            @JsonPropertyDescription(
                    "MIG-backed vGPU types of the model by their suffix, for example 1-5C and 3-20C on an A100-SXM4-40GB; or only All.")
            @Required
            @Size(min = 1, max = 64) List<String> types) {

        public MigBackedVgpu {
            types = types == null ? List.of() : List.copyOf(types);
        }
    }
}
