package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Selects devices of a FakeGpu: a device must match an entry of each list that is set. Without lists, all devices are selected. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DevicesSelector(
        @JsonPropertyDescription(
                "Names of nodes. Cannot be used with network-attached devices, which belong to no node.")
        @Size(max = 64) List<String> nodes,

        @JsonPropertyDescription(
                "Indexes of GPUs on their node, from 0. Selects the GPU and all its partitions. Only with models of NVIDIA GPUs"
                        + " and of dra-example-driver.")
        @Size(max = 64) List<Long> gpus,

        @JsonPropertyDescription("Names of devices, for example gpu-0-mig-1g5gb-19-2.") @Size(max = 64) List<String> names,

        @JsonPropertyDescription("Values of the attribute type, for example gpu, mig, vgpu or vfio.") @Size(max = 16) List<String> types) {

    public static final DevicesSelector ALL = new DevicesSelector(List.of(), List.of(), List.of(), List.of());

    public DevicesSelector {
        nodes = Defaults.list(nodes);
        gpus = Defaults.list(gpus);
        names = Defaults.list(names);
        types = Defaults.list(types);
    }
}
