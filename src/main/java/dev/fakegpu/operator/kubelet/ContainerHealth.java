package dev.fakegpu.operator.kubelet;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.RequestName;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.operator.prepare.DeviceHealths.Health;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.ResourceHealth;
import io.fabric8.kubernetes.api.model.ResourceHealthBuilder;
import io.fabric8.kubernetes.api.model.ResourceStatus;
import io.fabric8.kubernetes.api.model.ResourceStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The health of a container's devices in {@code allocatedResourcesStatus} (KEP-4680), as the kubelet writes it ({@code
 * UpdateAllocatedResourcesStatus} in {@code pkg/kubelet/cm/dra/manager.go}): one entry per reference to a claim, which lists each prepared
 * device by its CDI name.
 */
final class ContainerHealth {
    private ContainerHealth() {}

    /**
     * The entries in the order of the container's references. A claim without prepared devices has no entry.
     *
     * @param claims finds a claim by its name in {@code spec.resourceClaims} of the pod
     * @param healths the health of all devices of the node; a missing device counts as {@code Unknown}
     */
    static List<ResourceStatus> of(
            Container container,
            Function<String, Optional<io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim>> claims,
            Map<DeviceId, Health> healths) {
        var statuses = new ArrayList<ResourceStatus>();
        for (ResourceClaim reference : references(container)) {
            var devices = claims.apply(reference.getName()).stream()
                    .flatMap(claim -> prepared(claim, reference.getRequest()))
                    .toList();
            if (!devices.isEmpty()) {
                statuses.add(new ResourceStatusBuilder()
                        .withName(name(reference))
                        .withResources(resources(devices, healths))
                        .build());
            }
        }
        return statuses;
    }

    private static List<ResourceClaim> references(Container container) {
        return container.getResources() == null || container.getResources().getClaims() == null
                ? List.of()
                : container.getResources().getClaims();
    }

    private static String name(ResourceClaim reference) {
        String request = reference.getRequest();
        return "claim:" + reference.getName() + (request == null || request.isEmpty() ? "" : "/" + request);
    }

    private static Stream<AllocatedDeviceStatus> prepared(
            io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim claim, String request) {
        return Allocations.results(claim).stream()
                .filter(result -> request == null
                        || request.isEmpty()
                        || RequestName.main(request).equals(RequestName.main(result.getRequest())))
                .filter(result -> DeviceStatuses.isPrepared(claim, Allocations.device(result)))
                .flatMap(result -> status(claim, result));
    }

    private static Stream<AllocatedDeviceStatus> status(
            io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim claim, DeviceRequestAllocationResult result) {
        return claim.getStatus().getDevices().stream()
                .filter(status -> Allocations.device(result).equals(DeviceStatuses.device(status))
                        && Objects.equals(status.getShareID(), result.getShareID()));
    }

    private static List<ResourceHealth> resources(List<AllocatedDeviceStatus> devices, Map<DeviceId, Health> healths) {
        var byId = new LinkedHashMap<String, ResourceHealth>();
        for (AllocatedDeviceStatus status : devices) {
            DeviceId device = DeviceStatuses.preparedDevice(status);
            String id = DeviceStatuses.cdiDeviceId(status).orElse(device.toString());
            byId.putIfAbsent(id, health(id, healths.getOrDefault(device, Health.UNKNOWN)));
        }
        return List.copyOf(byId.values());
    }

    private static ResourceHealth health(String id, Health health) {
        return new ResourceHealthBuilder()
                .withResourceID(id)
                .withHealth(
                        switch (health.state()) {
                            case HEALTHY -> "Healthy";
                            case UNHEALTHY -> "Unhealthy";
                            case UNKNOWN -> "Unknown";
                        })
                .withMessage(
                        health.message().isEmpty() ? null : SafeText.of(health.message(), SafeText.CONDITION_MESSAGE))
                .build();
    }
}
