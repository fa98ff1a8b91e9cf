package dev.fakegpu.dra.wire;

import static dev.fakegpu.dra.wire.SliceReader.mapAll;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceToleration;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfiguration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfigurationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTolerationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and writes {@code status.allocation} of ResourceClaims. */
public final class Allocations {
    private Allocations() {}

    public static boolean isAllocated(ResourceClaim claim) {
        return claim.getStatus() != null && claim.getStatus().getAllocation() != null;
    }

    /** Results as they stand in the claim; none where nothing is allocated. */
    public static List<DeviceRequestAllocationResult> results(ResourceClaim claim) {
        if (!isAllocated(claim) || claim.getStatus().getAllocation().getDevices() == null) {
            return List.of();
        }
        return mapAll(claim.getStatus().getAllocation().getDevices().getResults(), result -> result);
    }

    /** The devices that the claim holds: those with admin access only look on and hold nothing. */
    public static List<DeviceId> devices(ResourceClaim claim) {
        return results(claim).stream()
                .filter(result -> !Boolean.TRUE.equals(result.getAdminAccess()))
                .map(Allocations::device)
                .toList();
    }

    public static DeviceId device(DeviceRequestAllocationResult result) {
        return new DeviceId(result.getDriver(), result.getPool(), result.getDevice());
    }

    public static AllocationResult write(Allocation allocation) {
        var selector = allocation.nodeSelector();
        return new AllocationResultBuilder()
                .withNewDevices()
                .withResults(
                        allocation.results().stream().map(Allocations::result).toList())
                .withConfig(
                        allocation.configs().stream().map(Allocations::config).toList())
                .endDevices()
                .withNodeSelector(selector == null ? null : NodeSelectors.write(selector))
                .build();
    }

    private static DeviceRequestAllocationResult result(Allocation.Result result) {
        return new DeviceRequestAllocationResultBuilder()
                .withRequest(result.request())
                .withDriver(result.device().driver())
                .withPool(result.device().pool())
                .withDevice(result.device().device())
                .withTolerations(result.tolerations().stream()
                        .map(Allocations::toleration)
                        .toList())
                .build();
    }

    private static io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration toleration(
            DeviceToleration toleration) {
        return new DeviceTolerationBuilder()
                .withKey(emptyToNull(toleration.key()))
                .withOperator(toleration.operator())
                .withValue(emptyToNull(toleration.value()))
                .withEffect(emptyToNull(toleration.effect()))
                .withTolerationSeconds(toleration.tolerationSeconds())
                .build();
    }

    private static DeviceAllocationConfiguration config(Allocation.Config config) {
        return new DeviceAllocationConfigurationBuilder()
                .withSource(config.source().name())
                .withRequests(config.opaque().requests())
                .withNewOpaque()
                .withDriver(config.opaque().driver())
                .withParameters(config.opaque().parameters())
                .endOpaque()
                .build();
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
