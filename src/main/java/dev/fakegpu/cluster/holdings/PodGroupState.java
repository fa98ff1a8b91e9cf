package dev.fakegpu.cluster.holdings;

import dev.fakegpu.dra.DeviceId;
import java.util.List;
import java.util.Optional;

/**
 * The state of a whole PodGroup.
 *
 * @param running the number of its running pods
 * @param pods the number of its pods that have not ended
 * @param needed the number of pods that must be placed at once; empty if its pods are placed one by one, or if that is unknown
 * @param devices the devices that they hold or that are reserved for the group
 * @param nodes the nodes of its pods
 * @param waits why some of its pods are waiting for a node; empty if none is
 */
public record PodGroupState(
        String namespace,
        String name,
        int running,
        int pods,
        Optional<Integer> needed,
        List<DeviceId> devices,
        List<String> nodes,
        String waits) {
    public PodGroupState {
        devices = List.copyOf(devices);
        nodes = List.copyOf(nodes);
    }
}
