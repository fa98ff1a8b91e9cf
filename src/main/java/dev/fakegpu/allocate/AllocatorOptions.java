package dev.fakegpu.allocate;

import dev.fakegpu.dra.DeviceToleration;
import java.util.List;

/**
 * How an allocator behaves.
 *
 * @param tolerations added to those of every request when taints are judged, and left out of results
 */
public record AllocatorOptions(Gate gate, GroupPolicy groupPolicy, List<DeviceToleration> tolerations) {

    public AllocatorOptions {
        tolerations = List.copyOf(tolerations);
    }
}
