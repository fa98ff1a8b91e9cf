package dev.fakegpu.operator.schedule;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The devices on a node that belong to FakeGpus with another {@code spec.allocator}. */
public final class DevicesOfOtherAllocators {

    private DevicesOfOtherAllocators() {}

    /** Computed on demand, because an explanation asks for few nodes. */
    public static OtherDevices than(AllocatorName own, ObjectStores cluster) {
        return new OtherDevices(own.other().name(), node -> fakeGpus(own.other(), node, cluster));
    }

    private static SortedSet<String> fakeGpus(AllocatorName allocator, NodeInfo node, ObjectStores cluster) {
        var names = new TreeSet<String>();
        for (ResourceSlice slice : cluster.slicesFor(node.name())) {
            owner(slice, cluster)
                    .filter(fakeGpu -> fakeGpu.getSpec().allocator() == allocator)
                    .filter(fakeGpu ->
                            cluster.parsedSlices().asStored(slice).nodes().matches(node.name(), node.labels()))
                    .ifPresent(fakeGpu -> names.add(fakeGpu.getMetadata().getName()));
        }
        return names;
    }

    private static Optional<FakeGpu> owner(ResourceSlice slice, ObjectStores cluster) {
        return FakeGpuOwner.of(slice, name -> cluster.fakeGpus().get(null, name));
    }
}
