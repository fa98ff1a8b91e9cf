package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.TopologySpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.hardware.catalog.FabricTable;
import dev.fakegpu.hardware.catalog.GpuModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Attributes that several kinds of devices of a GPU have ({@code cmd/gpu-kubelet-plugin/deviceinfo.go} of NVIDIA's driver). */
record GpuAttributes(GpuModel model, GpuIdentity identity, TopologySpec topology) {

    Map<String, AttributeValue> product() {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("productName", productName());
        attributes.put("brand", AttributeValue.of(model.identity().brand()));
        attributes.put("architecture", AttributeValue.of(model.identity().architecture()));
        attributes.put(
                "cudaComputeCapability", AttributeValue.version(model.identity().cudaComputeCapability()));
        attributes.put("driverVersion", AttributeValue.version(model.software().driverVersion()));
        attributes.put(
                "cudaDriverVersion", AttributeValue.version(model.software().cudaDriverVersion()));
        String addressingMode = model.software().addressingMode();
        if (addressingMode != null) {
            attributes.put("addressingMode", AttributeValue.of(addressingMode));
        }
        return attributes;
    }

    AttributeValue productName() {
        return AttributeValue.of(model.identity().productName());
    }

    AttributeValue uuid() {
        return AttributeValue.of(identity.uuid());
    }

    Map<String, AttributeValue> location() {
        var attributes = new LinkedHashMap<>(pci());
        attributes.put("resource.kubernetes.io/numaNode", numaNode());
        return attributes;
    }

    private AttributeValue numaNode() {
        return topology.listsNumaNodes()
                ? AttributeValue.ints(List.of((long) identity.numaNode()))
                : AttributeValue.of(identity.numaNode());
    }

    /** The attributes of {@code addFabricManagerAttributes}. Whole GPUs and VFIO devices have them; partitions of a GPU do not. */
    Map<String, AttributeValue> fabric() {
        FabricTable fabric = model.fabric();
        if (fabric == null || !topology.hasFabricPartitions()) {
            return Map.of();
        }
        int moduleId = fabric.moduleIds().get(identity.index());
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("gpuModuleID", AttributeValue.of(moduleId));
        fabric.partitionsBySize(moduleId)
                .forEach((size, id) -> attributes.put("partition" + size, AttributeValue.of(id)));
        return attributes;
    }

    Map<String, AttributeValue> pci() {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("resource.kubernetes.io/pciBusID", AttributeValue.of(identity.pciBusId()));
        attributes.put("resource.kubernetes.io/pcieRoot", AttributeValue.of(identity.pcieRoot()));
        return attributes;
    }
}
