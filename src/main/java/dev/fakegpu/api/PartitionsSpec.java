package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The devices that are published for each GPU. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "!has(self.whole) || self.whole || has(self.mig) || has(self.vgpu) || has(self.migBackedVgpu)"
                + " || (has(self.vfio) && self.vfio) || has(self.equalParts)",
        message = "at least one of whole, mig, vgpu, migBackedVgpu, vfio and equalParts must be offered")
public record PartitionsSpec(
        @JsonPropertyDescription("Whether the whole GPU is a device. Default: true.") @Default("true") @Nullable Boolean whole,

        @JsonPropertyDescription(
                "Multi-Instance GPU (MIG) devices: dynamic ones, which are created when a pod needs them (profiles), or static"
                        + " ones, which already exist (static).")
        @Nullable Mig mig,

        @JsonPropertyDescription("Time-sliced vGPUs: for each type, as many devices as NVIDIA allows on one GPU.")
        @Nullable Vgpu vgpu,

        @JsonPropertyDescription(
                "vGPUs that each run on their own MIG instance: one device for every placement of that instance, for every listed"
                        + " type.")
        @Nullable MigBackedVgpu migBackedVgpu,

        @JsonPropertyDescription(
                "Whether the GPU is also published as a device for passthrough to a virtual machine (VFIO). Default:"
                        + " false.")
        @Default("false")
        @Nullable Boolean vfio,

        @JsonPropertyDescription(
                "Number of equal parts of each GPU, 1 to 64. Only with models that have no other partitions, such as"
                        + " LATEST-GPU-MODEL.")
        @Min(1) @Max(MAX_EQUAL_PARTS) @Nullable Integer equalParts) {

    public static final int MAX_EQUAL_PARTS = 64;

    /** In lists of profiles and types, this stands for all that the model has. */
    public static final String ALL = "All";

    static final PartitionsSpec WHOLE_GPU = new PartitionsSpec(true, null, null, null, null, null);

    public boolean offersWhole() {
        return !Boolean.FALSE.equals(whole);
    }

    public boolean offersVfio() {
        return Boolean.TRUE.equals(vfio);
    }

    /** MIG devices, either by profile or static. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @ValidationRule(
            value = "has(self.profiles) != has(self.static)",
            message = "exactly one of profiles and static must be set")
    public record Mig(
            @JsonPropertyDescription(
                    "Dynamic MIG, as in NVIDIA's driver with its feature gate DynamicMIG: one device for every placement of every"
                            + " listed profile. Profiles of the model, for example 1g.5gb, 1g.5gb+me and 3g.20gb on an"
                            + " A100-SXM4-40GB, or the single entry All.")
            @Size(min = 1, max = 32) List<String> profiles,

            @JsonProperty("static")
            @JsonPropertyDescription(
                    "Static MIG, as in NVIDIA's driver by default: MIG devices that already exist, as nvidia-mig-parted creates"
                            + " them. Then the whole GPU is not a device. GPUs that no entry covers have no MIG devices.")
            @Size(min = 1, max = 64) List<StaticMig> staticMig) {

        public Mig {
            profiles = Defaults.list(profiles);
            staticMig = Defaults.list(staticMig);
        }
    }

    /** The MIG devices that exist on some GPUs of a node. The fields are {@code devices} and {@code mig-devices} of nvidia-mig-parted. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record StaticMig(
            @JsonPropertyDescription(
                    "Indexes of GPUs on their node, from 0. Default: all. A GPU can only be in one entry.")
            @Size(max = 64) List<Long> gpus,

            @JsonPropertyDescription(
                    "How many MIG devices of each profile exist on each of these GPUs, for example 2g.10gb: 3. All of them together"
                            + " must fit on one GPU.")
            @Required
            @Size(min = 1, max = 32) Map<String, Long> devices) {

        public StaticMig {
            gpus = Defaults.list(gpus);
            devices = Defaults.map(devices);
        }
    }

    /** vGPU types. */
    public record Vgpu(
            @JsonPropertyDescription(
                    "Which vGPUs can be on one GPU at the same time. EqualSize (default): only vGPUs of one size. MixedSize: vGPUs"
                            + " of different sizes; then fewer vGPUs of some types fit.")
            @Default("EqualSize")
            @Nullable Sizing sizing,

            @JsonPropertyDescription(
                    "Suffixes of vGPU types of the model, for example 4C and 10C on an A100-SXM4-40GB, or the single entry"
                            + " All.")
            @Required
            @Size(min = 1, max = 32) List<String> types) {

        /** Whether vGPUs of different sizes can be on one GPU. */
        public enum Sizing {
            EqualSize,
            MixedSize
        }

        /** {@code sizing} with its default. */
        public Sizing sizingOrDefault() {
            return Objects.requireNonNullElse(sizing, Sizing.EqualSize);
        }

        public Vgpu {
            types = Defaults.list(types);
        }
    }

    /** MIG-backed vGPU types. */
    public record MigBackedVgpu(
            @JsonPropertyDescription(
                    "Suffixes of MIG-backed vGPU types of the model, for example 1-5C and 3-20C on an A100-SXM4-40GB, or the"
                            + " single entry All.")
            @Required
            @Size(min = 1, max = 64) List<String> types) {

        public MigBackedVgpu {
            types = Defaults.list(types);
        }
    }
}
