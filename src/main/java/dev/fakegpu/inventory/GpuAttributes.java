package dev.fakegpu.inventory;

import dev.fakegpu.catalog.GpuModel;
import dev.fakegpu.dra.AttributeValue;
import java.util.LinkedHashMap;
import java.util.Map;

/** Attributes that several kinds of devices of a GPU have ({@code cmd/gpu-kubelet-plugin/deviceinfo.go} of NVIDIA's driver). */
record GpuAttributes(GpuModel model, GpuIdentity identity) {

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
        attributes.put("resource.kubernetes.io/numaNode", AttributeValue.of(identity.numaNode()));
        return attributes;
    }

    Map<String, AttributeValue> pci() {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("resource.kubernetes.io/pciBusID", AttributeValue.of(identity.pciBusId()));
        attributes.put("resource.kubernetes.io/pcieRoot", AttributeValue.of(identity.pcieRoot()));
        return attributes;
    }
}
