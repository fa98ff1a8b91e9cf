package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** What containers get for their devices. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ContainersSpec(
        @JsonPropertyDescription(
                "Drivers whose variables containers also get, and whose configuration claims can also have. By default, only those"
                        + " of the driver of such hardware apply: dra-example-driver for LATEST-GPU-MODEL and similar models, nvidia"
                        + " for other models and for custom devices with NVIDIA's attribute type. run-ai is the plugin of"
                        + " fake-gpu-operator. The name of the driver does not matter. Default: no others.")
        @Size(max = 3) List<Convention> conventions) {

    public static final ContainersSpec DEFAULT = new ContainersSpec(List.of());

    /** A driver whose conventions the programs in containers rely on. */
    public enum Convention {
        @JsonProperty("nvidia")
        NVIDIA,
        @JsonProperty("dra-example-driver")
        DRA_EXAMPLE_DRIVER,
        @JsonProperty("run-ai")
        RUN_AI
    }

    public ContainersSpec {
        conventions = Defaults.list(conventions);
    }
}
