package dev.fakegpu.dra.wire;

import static dev.fakegpu.dra.wire.SliceReader.mapAll;
import static dev.fakegpu.dra.wire.SliceReader.mapValues;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfiguration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfigurationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTolerationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and writes {@code status.allocation} of ResourceClaims. */
public final class Allocations {
    private Allocations() {}

    public static boolean isAllocated(ResourceClaim claim) {
        return claim.getStatus() != null && claim.getStatus().getAllocation() != null;
    }

    /** The results in the claim; empty if it is not allocated. */
    public static List<DeviceRequestAllocationResult> results(ResourceClaim claim) {
        if (!isAllocated(claim) || claim.getStatus().getAllocation().getDevices() == null) {
            return List.of();
        }
        return SliceReader.copy(claim.getStatus().getAllocation().getDevices().getResults()).stream()
                .filter(Allocations::namesDevice)
                .toList();
    }

    /** Whether the result names its device completely, as the API requires. An object from a file may lack these fields. */
    private static boolean namesDevice(DeviceRequestAllocationResult result) {
        return result.getDriver() != null && result.getPool() != null && result.getDevice() != null;
    }

    /** The configuration of the allocation in the claim. */
    public static List<Allocation.Config> configs(ResourceClaim claim) {
        if (!isAllocated(claim) || claim.getStatus().getAllocation().getDevices() == null) {
            return List.of();
        }
        return mapAll(
                claim.getStatus().getAllocation().getDevices().getConfig(),
                config -> new Allocation.Config(
                        Allocation.Source.valueOf(config.getSource()),
                        ClaimReader.config(config.getRequests(), config.getOpaque())));
    }

    /** The devices that the claim holds. A device with admin access is not held. */
    public static List<DeviceId> devices(ResourceClaim claim) {
        return held(claim).map(Allocations::device).toList();
    }

    static Stream<DeviceRequestAllocationResult> held(ResourceClaim claim) {
        return results(claim).stream().filter(result -> !hasAdminAccess(result));
    }

    /** Whether the result has admin access: it is for monitoring, even while another claim holds the device. */
    public static boolean hasAdminAccess(DeviceRequestAllocationResult result) {
        return Boolean.TRUE.equals(result.getAdminAccess());
    }

    /** The tolerations of the request at the time of allocation. */
    public static List<DeviceToleration> tolerations(DeviceRequestAllocationResult result) {
        return mapAll(result.getTolerations(), ClaimReader::toleration);
    }

    public static DeviceId device(DeviceRequestAllocationResult result) {
        return new DeviceId(result.getDriver(), result.getPool(), result.getDevice());
    }

    /** The part of the device that a result allocates; null for the whole device. */
    public static AllocatedDevice.@Nullable Share share(DeviceRequestAllocationResult result) {
        return result.getShareID() == null
                ? null
                : new AllocatedDevice.Share(
                        result.getShareID(), mapValues(result.getConsumedCapacity(), SliceReader::quantity));
    }

    /** The capacity that the claim consumes of shared devices, summed over all its shares of a device. */
    public static Map<DeviceId, Map<String, Quantity>> consumed(ResourceClaim claim) {
        Map<DeviceId, Map<String, Quantity>> consumed = new HashMap<>();
        held(claim).forEach(result -> {
            AllocatedDevice.Share share = share(result);
            if (share != null) {
                Map<String, Quantity> ofDevice = consumed.computeIfAbsent(device(result), id -> new HashMap<>());
                share.consumedCapacity().forEach((name, amount) -> ofDevice.merge(name, amount, Quantity::plus));
            }
        });
        return consumed;
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
        AllocatedDevice.Share share = result.share();
        return new DeviceRequestAllocationResultBuilder()
                .withRequest(result.request())
                .withDriver(result.device().driver())
                .withPool(result.device().pool())
                .withDevice(result.device().device())
                .withAdminAccess(result.adminAccess() ? true : null)
                .withTolerations(result.tolerations().stream()
                        .map(Allocations::toleration)
                        .toList())
                .withShareID(share == null ? null : share.id())
                .withConsumedCapacity(share == null ? null : quantities(share.consumedCapacity()))
                .withBindingConditions(result.binding().conditions())
                .withBindingFailureConditions(result.binding().failureConditions())
                .withSkipNodeOperations(result.skipNodeOperations())
                .build();
    }

    private static io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration toleration(
            DeviceToleration toleration) {
        return new DeviceTolerationBuilder()
                .withKey(emptyToNull(toleration.key()))
                .withOperator(emptyToNull(toleration.operator()))
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

    private static Map<String, io.fabric8.kubernetes.api.model.Quantity> quantities(Map<String, Quantity> quantities) {
        return mapValues(quantities, value -> new io.fabric8.kubernetes.api.model.Quantity(value.toString()));
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
