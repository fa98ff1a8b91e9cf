package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Some devices of a FakeGpu: those for which every list that is set has an entry; with none set, all. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DevicesSelector(
        @JsonPropertyDescription("Names of the nodes. Not for network-attached devices, which are on no node.")
        @Size(max = 64) List<String> nodes,

        @JsonPropertyDescription(
                "Numbers of the GPUs of a model on their node, from 0: the GPU with all its partitions.")
        @Size(max = 64) List<Long> gpus,

        @JsonPropertyDescription("Names of devices, for example gpu-0-mig-1g5gb-19-2.") @Size(max = 64) List<String> names,

        @JsonPropertyDescription("Values of the devices' attribute type, for example gpu, mig, vgpu or vfio.")
        @Size(max = 16) List<String> types) {

    public static final DevicesSelector ALL = new DevicesSelector(List.of(), List.of(), List.of(), List.of());

    public DevicesSelector {
        nodes = nodes == null ? List.of() : List.copyOf(nodes);
        gpus = gpus == null ? List.of() : List.copyOf(gpus);
        names = names == null ? List.of() : List.copyOf(names);
        types = types == null ? List.of() : List.copyOf(types);
    }
}
