package dev.fakegpu.cluster.holdings;

import dev.fakegpu.dra.DeviceId;
import java.util.List;
import java.util.Optional;

/**
 * A PodGroup as a whole.
 *
 * @param running how many of its pods run
 * @param pods how many it has that have not ended
 * @param needed how many there have to be at once; empty if its pods are placed one by one, or if that is not known
 * @param devices that they hold, or that are reserved for the group
 * @param nodes of its pods
 * @param waits why pods of it wait for a node; empty if none does
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
