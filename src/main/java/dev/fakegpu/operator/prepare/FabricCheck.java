package dev.fakegpu.operator.prepare;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks whether the GPUs of a claim are exactly one partition of the fabric that Fabric Manager can activate ({@code
 * resolveFabricPartition} in {@code cmd/gpu-kubelet-plugin/device_state.go} of NVIDIA's driver). Only whole GPUs and VFIO devices have a
 * module ID.
 */
final class FabricCheck {

    private FabricCheck() {}

    /** Why the partition cannot be activated; empty if it can, or if the claim has no GPU of a fabric. */
    static Optional<String> problem(ModeledHardware hardware, List<DeviceId> devices) {
        var byPool = devices.stream()
                .collect(Collectors.groupingBy(DeviceId::poolId, LinkedHashMap::new, Collectors.toList()));
        return byPool.values().stream()
                .flatMap(ofPool -> problemOfPool(hardware, ofPool).stream())
                .findFirst();
    }

    private static Optional<String> problemOfPool(ModeledHardware hardware, List<DeviceId> devices) {
        Map<AttributeValue, Device> gpus = new LinkedHashMap<>();
        for (DeviceId id : devices) {
            hardware.device(id).ifPresent(device -> {
                AttributeValue moduleId = device.attributes().get("gpuModuleID");
                if (moduleId != null) {
                    gpus.put(moduleId, device);
                }
            });
        }
        // A GPU is in at most one partition of each size, so if all GPUs are in the same one, they are the whole
        // partition.
        String attribute = "partition" + gpus.size();
        var partitions = gpus.values().stream()
                .map(gpu -> Optional.ofNullable(gpu.attributes().get(attribute)))
                .collect(Collectors.toSet());
        if (gpus.isEmpty() || (partitions.size() == 1 && !partitions.contains(Optional.empty()))) {
            return Optional.empty();
        }
        String modules = gpus.keySet().stream().map(String::valueOf).collect(Collectors.joining(" ", "[", "]"));
        return Optional.of("fabric manager: GPU module set %s does not match any FM partition; %s"
                .formatted(
                        modules,
                        partitions.contains(Optional.empty())
                                ? "none of theirs has " + gpus.size() + " GPUs"
                                : "matchAttribute %s/%s selects GPUs of one partition"
                                        .formatted(devices.get(0).driver(), attribute)));
    }
}
