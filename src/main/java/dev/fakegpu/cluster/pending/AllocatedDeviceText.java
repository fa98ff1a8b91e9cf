package dev.fakegpu.cluster.pending;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes the devices of claims. */
final class AllocatedDeviceText {

    private AllocatedDeviceText() {}

    /** One sentence for each device of an allocated claim. */
    static List<String> of(ResourceClaim claim) {
        return Allocations.results(claim).stream()
                .map(result -> device(claim, result))
                .toList();
    }

    /** Returns text such as {@code , since 2026-01-01T00:00:00Z}; empty if the API server's version does not record the time. */
    static String since(ResourceClaim claim) {
        String time = claim.getStatus().getAllocation().getAllocationTimestamp();
        return time == null ? "" : " since " + time;
    }

    /** Why devices of an allocated claim could not be prepared, without duplicates. */
    static Stream<String> notPrepared(ResourceClaim claim) {
        return Allocations.results(claim).stream()
                .flatMap(result -> DeviceStatuses.readyCondition(claim, Allocations.device(result)).stream())
                .filter(condition -> DeviceStatuses.PREPARE_FAILED.equals(condition.getReason()))
                .map(condition -> String.valueOf(condition.getMessage()))
                .distinct();
    }

    private static String device(ResourceClaim claim, DeviceRequestAllocationResult result) {
        var id = Allocations.device(result);
        return "claim %s, request \"%s\": %s of pool %s, driver %s%s%s%s"
                .formatted(
                        claim.getMetadata().getName(),
                        result.getRequest(),
                        id.device(),
                        id.pool(),
                        id.driver(),
                        Allocations.hasAdminAccess(result) ? ", with admin access" : "",
                        share(Allocations.share(result)),
                        DeviceStatuses.readyCondition(claim, id)
                                .filter(condition -> "False".equals(condition.getStatus()))
                                .map(condition -> "; not ready: " + condition.getMessage())
                                .orElse(""));
    }

    private static String share(AllocatedDevice.@Nullable Share share) {
        return share == null
                ? ""
                : share.consumedCapacity().entrySet().stream()
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .sorted()
                        .collect(Collectors.joining(", ", ", of which ", ""));
    }
}
