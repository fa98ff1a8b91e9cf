package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.Slice;
import java.util.List;
import java.util.Map;

/**
 * The cluster objects that allocation depends on.
 *
 * @param slices all ResourceSlices of the cluster, of every node and generation
 * @param classes the device classes by name
 * @param allocated the devices of allocated claims, except those with admin access
 */
public record ClusterState(List<Slice> slices, Map<String, DeviceClass> classes, List<AllocatedDevice> allocated) {

    public ClusterState {
        slices = List.copyOf(slices);
        classes = Map.copyOf(classes);
        allocated = List.copyOf(allocated);
    }
}
