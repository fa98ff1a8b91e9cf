package dev.fakegpu.operator.schedule;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The devices on a node that belong to FakeGpus with another {@code spec.allocator}. */
public final class DevicesOfOtherAllocators {

    private DevicesOfOtherAllocators() {}

    /** Computes them on demand, because an explanation asks about few nodes. */
    public static OtherDevices than(AllocatorName own, ObjectStores cluster) {
        return new OtherDevices(own.other().name(), node -> drivers(own.other(), node, cluster));
    }

    private static SortedMap<String, String> drivers(AllocatorName allocator, NodeInfo node, ObjectStores cluster) {
        var drivers = new TreeMap<String, String>();
        for (ResourceSlice slice : cluster.slicesFor(node.name())) {
            owner(slice, cluster)
                    .filter(fakeGpu -> fakeGpu.getSpec().allocator() == allocator)
                    .filter(fakeGpu ->
                            cluster.parsedSlices().asStored(slice).nodes().matches(node.name(), node.labels()))
                    .ifPresent(fakeGpu -> drivers.put(
                            fakeGpu.getMetadata().getName(), slice.getSpec().getDriver()));
        }
        return drivers;
    }

    private static Optional<FakeGpu> owner(ResourceSlice slice, ObjectStores cluster) {
        return FakeGpuOwner.of(slice, name -> cluster.fakeGpus().get(null, name));
    }
}
