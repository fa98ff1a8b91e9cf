package dev.fakegpu.simulate.memory;

import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The feature gates of Kubernetes 1.34 to 1.37 that matter to devices, with the fields that an API server drops if they are disabled.
 * Each constant has the name of the gate in Kubernetes. Source:
 * {@code pkg/features/kube_features.go}; {@code pkg/api/resourceclaimspec}, {@code pkg/api/pod/util.go} and {@code strategy.go} of
 * {@code pkg/registry/resource/resourceclaim}, {@code resourceslice}, {@code deviceclass} and {@code pkg/registry/scheduling/podgroup}.
 */
public enum ServerGate {
    DRAAdminAccess(
            34, 34, 36, GatedField.ofClaims(34, "devices.requests[].exactly.adminAccess"), results(34, "adminAccess")),
    DRAConsumableCapacity(
            34,
            36,
            ServerGate.NEVER,
            GatedField.ofClaims(
                    34,
                    "devices.constraints[].distinctAttribute",
                    "devices.requests[].exactly.capacity",
                    "devices.requests[].firstAvailable[].capacity"),
            results(34, "consumedCapacity", "shareID"),
            GatedField.of(KnownKind.ResourceClaim, 34, "status.devices[].shareID"),
            GatedField.ofDevices(34, "allowMultipleAllocations", "capacity[].requestPolicy")),
    DRADerivedAttributes(
            37,
            ServerGate.NEVER,
            ServerGate.NEVER,
            GatedField.ofClaims(
                    37,
                    "devices.requests[].exactly.derivedAttributes",
                    "devices.requests[].firstAvailable[].derivedAttributes")),
    DRADeviceBindingConditions(
            34,
            36,
            ServerGate.NEVER,
            results(34, "bindingConditions", "bindingFailureConditions"),
            GatedField.ofBinding()),
    DRADeviceCompatibilityGroups(
            37, ServerGate.NEVER, ServerGate.NEVER, GatedField.ofDevices(37, "consumesCounters[].compatibilityGroups")),
    DRADeviceTaintRules(35, 37, ServerGate.NEVER),
    DRADeviceTaints(
            34,
            36,
            ServerGate.NEVER,
            GatedField.ofClaims(
                    34, "devices.requests[].exactly.tolerations", "devices.requests[].firstAvailable[].tolerations"),
            GatedField.ofDevices(34, "taints")),
    DRAExtendedResource(
            34,
            36,
            37,
            GatedField.of(KnownKind.DeviceClass, 34, "spec.extendedResourceName"),
            GatedField.of(KnownKind.Pod, 34, "status.extendedResourceClaimStatus")),
    DRAListTypeAttributes(
            36,
            ServerGate.NEVER,
            ServerGate.NEVER,
            GatedField.ofDevices(
                    36, "attributes[].bools", "attributes[].ints", "attributes[].strings", "attributes[].versions")),
    DRANodeAllocatableResources(
            36,
            ServerGate.NEVER,
            ServerGate.NEVER,
            GatedField.of(KnownKind.Pod, 36, "status.nodeAllocatableResourceClaimStatuses"),
            GatedField.ofDevices(37, "nodeAllocatableResources")),
    DRAOptionalNodeOperations(
            37,
            ServerGate.NEVER,
            ServerGate.NEVER,
            results(37, "skipNodeOperations"),
            GatedField.of(KnownKind.ResourceSlice, 37, "spec.skipNodeOperations")),
    DRAPartitionableDevices(
            34,
            36,
            ServerGate.NEVER,
            GatedField.of(KnownKind.ResourceSlice, 34, "spec.sharedCounters", "spec.perDeviceNodeSelection"),
            GatedField.ofDevices(34, "consumesCounters", "nodeName", "nodeSelector", "allNodes")),
    DRAPartitionableDevicesType(
            37,
            ServerGate.NEVER,
            ServerGate.NEVER,
            GatedField.of(KnownKind.ResourceSlice, 37, "spec.partitionTypeAttribute")),
    DRAPrioritizedList(34, 34, 37, GatedField.ofClaims(34, "devices.requests[].firstAvailable")),
    /** Device binding conditions require this gate, too. */
    DRAResourceClaimDeviceStatus(
            34, 34, 37, GatedField.of(KnownKind.ResourceClaim, 34, "status.devices"), GatedField.ofBinding()),
    DRAWorkloadResourceClaims(
            36,
            ServerGate.NEVER,
            ServerGate.NEVER,
            GatedField.of(KnownKind.PodGroup, 36, "spec.resourceClaims", "status.resourceClaimStatuses")),
    DynamicResourceAllocation(
            34,
            34,
            35,
            GatedField.ofPods(
                    34,
                    "resourceClaims",
                    "containers[].resources.claims",
                    "initContainers[].resources.claims",
                    "ephemeralContainers[].resources.claims"),
            GatedField.of(KnownKind.Pod, 34, "status.resourceClaimStatuses")),
    GenericWorkload(35, ServerGate.NEVER, ServerGate.NEVER, GatedField.ofPods(36, "schedulingGroup"));

    private static final int NEVER = Integer.MAX_VALUE;

    private final int since;
    private final int on;
    private final int locked;
    private final List<GatedField> fields;

    /**
     * Creates a gate.
     *
     * @param since the first minor version of Kubernetes 1 that has it; 34 for older gates
     * @param on the first minor version in which it is enabled by default
     * @param locked the first minor version in which it cannot be disabled
     */
    @SafeVarargs
    ServerGate(int since, int on, int locked, List<GatedField>... fields) {
        this.since = since;
        this.on = on;
        this.locked = locked;
        this.fields = Arrays.stream(fields).flatMap(List::stream).toList();
    }

    private static List<GatedField> results(int since, String... names) {
        return GatedField.of(
                KnownKind.ResourceClaim,
                since,
                Arrays.stream(names)
                        .map("status.allocation.devices.results[]."::concat)
                        .toArray(String[]::new));
    }

    boolean isIn(KubernetesVersion version) {
        return since <= version.minor();
    }

    boolean isOnIn(KubernetesVersion version) {
        return on <= version.minor();
    }

    boolean isLockedIn(KubernetesVersion version) {
        return locked <= version.minor();
    }

    List<GatedField> fields() {
        return fields;
    }

    /** The fields of ResourceSlices that an API server drops if this gate is disabled. */
    Set<SliceField> ofSlices() {
        return Arrays.stream(SliceField.values())
                .filter(field -> field.gate().equals(name())
                        || this == DRAResourceClaimDeviceStatus && field == SliceField.BINDING_CONDITIONS)
                .collect(Collectors.toSet());
    }
}
