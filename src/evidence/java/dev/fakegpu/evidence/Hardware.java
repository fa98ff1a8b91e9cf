package dev.fakegpu.evidence;

import static dev.fakegpu.evidence.Partition.grouped;
import static dev.fakegpu.evidence.Partition.plain;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The devices that a driver publishes on one node.
 *
 * @param counter the only counter of each set
 * @param counterSets the sets with the value of the counter
 * @param typed whether the slice says that the attribute {@code type} is the type of a partition (KEP-5677)
 */
record Hardware(
        String driver, String counter, Map<String, Integer> counterSets, List<Partition> partitions, boolean typed)
        implements Published {

    static final String GPU = "gpu.example.com";
    static final String DEVICE = "device.example.com";

    /** The counter set of the KEP's GPU. */
    static final String GPU_0 = "gpu-0-counters";

    Hardware {
        counterSets = new TreeMap<>(counterSets); // the order must not change
    }

    /** One GPU as in the KEP's examples, with other devices. */
    static Hardware gpu(Partition... partitions) {
        return new Hardware(GPU, "multiprocessors", Map.of(GPU_0, 100), Arrays.asList(partitions), false);
    }

    /** Two GPUs. */
    static Hardware gpus(Partition... partitions) {
        return new Hardware(
                GPU, "multiprocessors", Map.of(GPU_0, 100, "gpu-1-counters", 100), Arrays.asList(partitions), false);
    }

    static Hardware example1() {
        return gpu(
                Partition.of("gpu-0-mig-1g-0", "mig-1g", plain(GPU_0, 20)),
                Partition.of("gpu-0-mig-1g-1", "mig-1g", plain(GPU_0, 20)),
                Partition.of("gpu-0-mig-1g-2", "mig-1g", plain(GPU_0, 20)));
    }

    static Hardware example2() {
        return gpu(
                Partition.of("gpu-0-mig-1g-0", "mig-1g", plain(GPU_0, 20)),
                Partition.of("gpu-0-mig-1g-1", "mig-1g", plain(GPU_0, 20)),
                Partition.of("gpu-0-vgpu-0", "vgpu", plain(GPU_0, 50)),
                Partition.of("gpu-0-vgpu-1", "vgpu", plain(GPU_0, 50)));
    }

    static Hardware example3() {
        return gpu(
                Partition.of("gpu-0-mig-1g-0", "mig-1g", grouped(GPU_0, 20, "mig")),
                Partition.of("gpu-0-mig-1g-1", "mig-1g", grouped(GPU_0, 20, "mig")),
                Partition.of("gpu-0-vgpu-0", "vgpu", grouped(GPU_0, 50, "vgpu")),
                Partition.of("gpu-0-vgpu-1", "vgpu", grouped(GPU_0, 50, "vgpu")));
    }

    static Hardware example4() {
        String set = "device-0-counters";
        return new Hardware(
                DEVICE,
                "units",
                Map.of(set, 100),
                List.of(
                        Partition.of("device-0-foo-0", "foo", grouped(set, 25, "foo", "foobar")),
                        Partition.of("device-0-bar-0", "bar", grouped(set, 25, "bar", "foobar")),
                        Partition.of("device-0-baz-0", "baz", grouped(set, 50, "baz"))),
                false);
    }

    Hardware withPartitionType() {
        return new Hardware(driver, counter, counterSets, partitions, true);
    }

    String counterSlice(String node) {
        String sets = counterSets.entrySet().stream()
                .map(set -> "  - {name: %s, counters: {%s: {value: \"%d\"}}}"
                        .formatted(set.getKey(), counter, set.getValue()))
                .collect(Collectors.joining("\n"));
        return slice(node, "counters") + "  sharedCounters:\n" + sets + "\n";
    }

    @Override
    public List<String> slices(String node) {
        return List.of(counterSlice(node), deviceSlice(node));
    }

    @Override
    public String deviceSlice(String node) {
        String devices = partitions.stream()
                .map(partition -> "  " + partition.yaml(counter))
                .collect(Collectors.joining("\n"));
        String type = typed ? "  partitionTypeAttribute: " + driver + "/type\n" : "";
        return slice(node, "devices") + type + "  devices:\n" + devices + "\n";
    }

    private String slice(String node, String kind) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %s-%s}
                spec:
                  driver: %s
                  nodeName: %s
                  pool: {name: %s-pool, generation: 1, resourceSliceCount: 2}
                """.formatted(node, kind, driver, node, node);
    }
}
