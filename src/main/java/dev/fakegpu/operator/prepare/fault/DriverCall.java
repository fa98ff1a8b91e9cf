package dev.fakegpu.operator.prepare.fault;

import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.ClaimReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A kubelet call to the driver, for one claim.
 *
 * @param labels the labels of the claim
 * @param devices the devices in the claim's allocation
 */
public record DriverCall(Operation operation, ClaimRef claim, Map<String, String> labels, List<DeviceId> devices) {

    public DriverCall {
        labels = Map.copyOf(labels);
        devices = List.copyOf(devices);
    }

    /** A call of NodePrepareResources. */
    public static DriverCall prepare(ResourceClaim claim, List<DeviceId> devices) {
        return new DriverCall(Operation.Prepare, ClaimReader.ref(claim), labels(claim), devices);
    }

    /**
     * A call of NodeUnprepareResources.
     *
     * @param stored the claim; empty if it was deleted, in which case its labels are unknown
     */
    public static DriverCall unprepare(ClaimRef claim, Optional<ResourceClaim> stored, List<DeviceId> devices) {
        return new DriverCall(
                Operation.Unprepare, claim, stored.map(DriverCall::labels).orElse(Map.of()), devices);
    }

    private static Map<String, String> labels(ResourceClaim claim) {
        return Objects.requireNonNullElse(claim.getMetadata().getLabels(), Map.of());
    }
}
