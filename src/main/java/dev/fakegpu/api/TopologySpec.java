package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The NUMA nodes and PCIe roots of a node's GPUs, and the partitions of their fabric. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TopologySpec(
        @JsonPropertyDescription(
                "Name of a machine whose PCIe roots and NUMA nodes the hardware has: DGX-H100, HGX-B200, GB200-NVL72 or MI300X."
                        + " FakeGpus of one node that name the same profile agree, so that claims can ask for a GPU and a network card on one"
                        + " PCIe root. Simulated nodes get the cpu and memory of the machine, and each size of huge pages that its kernel"
                        + " has, with the amount 0 unless their capacity sets another. Default: none.")
        @Size(min = 1, max = 63) @Nullable String profile,

        @JsonPropertyDescription(
                "Index of the machine's place in which the first unit is, so that FakeGpus of one kind can share a node: with"
                        + " count 4 and firstPlace 4, the units are in the places 4 to 7. Only with profile. Default: 0.")
        @Min(0) @Max(FakeGpuSpec.MAX_COUNT - 1) @Nullable Integer firstPlace,

        @JsonPropertyDescription(
                "Number of NUMA nodes that the GPUs of a node are divided among, in order; at most the number of GPUs."
                        + " Default: 2.")
        @Min(1) @Max(FakeGpuSpec.MAX_COUNT) @Nullable Integer numaNodes,

        @JsonPropertyDescription(
                "Number of GPUs on each PCIe root complex, in order. It must divide the number of GPUs of a NUMA node,"
                        + " because a PCIe root belongs to one NUMA node. Default: 1.")
        @Min(1) @Max(FakeGpuSpec.MAX_COUNT) @Nullable Integer gpusPerPcieRoot,

        @JsonPropertyDescription(
                "How the attribute resource.kubernetes.io/numaNode is published. Int (default): an integer. List: a list with"
                        + " that one integer, as NVIDIA's driver does with its feature gate DRAListTypeAttributes. This needs"
                        + " the API server's feature gate of the same name.")
        @Default("Int")
        @Nullable NumaNodeFormat numaNodeFormat,

        @JsonPropertyDescription(
                "Whether whole GPUs and VFIO devices have the attributes that NVIDIA's driver publishes with its feature gate"
                        + " FabricManagerPartitioning: gpuModuleID, the GPU's place on the board, and partition<N>, the ID of its"
                        + " fabric partition with N GPUs. A claim whose GPUs are not exactly one fabric partition is then not"
                        + " prepared. Only with a model that has a fabric, and with as many GPUs as that fabric: 8 on H100-80GB-HBM3"
                        + " and H200. Default: false.")
        @Default("false")
        @Nullable Boolean fabricPartitions) {

    public static final TopologySpec DEFAULT = new TopologySpec(null, null, null, null, null, null);

    /** How the attribute {@code numaNode} is published. */
    public enum NumaNodeFormat {
        Int,
        List
    }

    private static final int USUAL_NUMA_NODES = 2;

    /** {@code firstPlace} with its default. */
    public int firstPlaceOrDefault() {
        return Objects.requireNonNullElse(firstPlace, 0);
    }

    /** {@code numaNodes} with its default. */
    public int numaNodesOrDefault() {
        return Objects.requireNonNullElse(numaNodes, USUAL_NUMA_NODES);
    }

    /** {@code gpusPerPcieRoot} with its default. */
    public int gpusPerPcieRootOrDefault() {
        return Objects.requireNonNullElse(gpusPerPcieRoot, 1);
    }

    /** Whether {@code numaNode} is a list. */
    public boolean listsNumaNodes() {
        return numaNodeFormat == NumaNodeFormat.List;
    }

    /** {@code fabricPartitions} with its default. */
    public boolean hasFabricPartitions() {
        return Boolean.TRUE.equals(fabricPartitions);
    }
}
