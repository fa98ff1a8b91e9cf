package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The NUMA nodes and PCIe roots of the GPUs of a node. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TopologySpec(
        @JsonPropertyDescription(
                "Number of NUMA nodes that the GPUs of a node are divided among, in order; at most the number of GPUs."
                        + " Default: 2.")
        @Min(1) @Max(FakeGpuSpec.MAX_COUNT) @Nullable Integer numaNodes,

        @JsonPropertyDescription(
                "Number of GPUs on each PCIe root complex, in order. It must divide the number of GPUs of a NUMA node,"
                        + " because a PCIe root belongs to one NUMA node. Default: 1.")
        @Min(1) @Max(FakeGpuSpec.MAX_COUNT) @Nullable Integer gpusPerPcieRoot) {

    public static final TopologySpec DEFAULT = new TopologySpec(null, null);

    private static final int USUAL_NUMA_NODES = 2;

    /** {@code numaNodes} with its default. */
    public int numaNodesOrDefault() {
        return Objects.requireNonNullElse(numaNodes, USUAL_NUMA_NODES);
    }

    /** {@code gpusPerPcieRoot} with its default. */
    public int gpusPerPcieRootOrDefault() {
        return Objects.requireNonNullElse(gpusPerPcieRoot, 1);
    }
}
