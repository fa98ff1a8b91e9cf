package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.util.Timestamps;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks whether the devices of a claim are ready for its pod to be bound (KEP-5007). Upstream: {@code isClaimReadyForBinding} in {@code
 * dynamicresources.go}.
 */
public final class BindingConditions {
    private static final int MAX_DEVICES = 3;

    private BindingConditions() {}

    /** Whether the allocation has binding conditions. */
    public static boolean areIn(Allocation allocation) {
        return allocation.results().stream()
                .anyMatch(result -> !result.binding().conditions().isEmpty());
    }

    public static boolean areMet(ResourceClaim claim) {
        return results(claim).allMatch(result -> {
            List<Condition> conditions = conditions(claim, result);
            return result.getBindingConditions().stream().allMatch(type -> isTrue(conditions, type));
        });
    }

    /** The unmet conditions of each device that has any. */
    public static List<String> unmet(ResourceClaim claim) {
        return results(claim)
                .flatMap(result -> {
                    List<Condition> conditions = conditions(claim, result);
                    List<String> unmet = result.getBindingConditions().stream()
                            .filter(type -> !isTrue(conditions, type))
                            .toList();
                    return unmet.isEmpty()
                            ? Stream.empty()
                            : Stream.of("%s of ResourceClaim \"%s\" for %s"
                                    .formatted(result.getDevice(), name(claim), String.join(", ", unmet)));
                })
                .toList();
    }

    /**
     * The text while conditions are pending.
     *
     * @param until when the scheduler gives up; empty if that is unknown
     * @param unmet the result of {@link #unmet}
     */
    public static String awaited(Optional<Instant> until, List<String> unmet) {
        int more = unmet.size() - MAX_DEVICES;
        return "waiting%s for binding conditions: %s%s"
                .formatted(
                        until.map(time -> " until " + time.truncatedTo(ChronoUnit.SECONDS))
                                .orElse(""),
                        String.join("; ", unmet.subList(0, Math.min(MAX_DEVICES, unmet.size()))),
                        more > 0 ? "; and " + more + " more devices" : "");
    }

    /** The message of a failure, if a device reports one of its failure conditions. */
    public static Optional<String> failure(ResourceClaim claim) {
        return results(claim)
                .flatMap(result -> conditions(claim, result).stream()
                        .filter(condition ->
                                result.getBindingFailureConditions().contains(condition.getType())
                                        && "True".equals(condition.getStatus()))
                        .map(condition -> failed(claim, result.getDevice(), condition)))
                .findFirst();
    }

    private static String failed(ResourceClaim claim, String device, Condition failure) {
        return "device binding failed: claim=%s, device=%s, condition=%s, reason=%s, message=\"%s\""
                .formatted(name(claim), device, failure.getType(), failure.getReason(), failure.getMessage());
    }

    private static String name(ResourceClaim claim) {
        return claim.getMetadata().getName();
    }

    /**
     * When the claim was allocated according to its allocator; empty if the allocator does not set the time, or if its year in UTC has
     * five digits, which the API server stores.
     */
    public static Optional<Instant> allocatedAt(ResourceClaim claim) {
        return Timestamps.read(claim.getStatus().getAllocation().getAllocationTimestamp());
    }

    private static Stream<DeviceRequestAllocationResult> results(ResourceClaim claim) {
        return Allocations.results(claim).stream()
                .filter(result -> result.getBindingConditions() != null
                        && !result.getBindingConditions().isEmpty());
    }

    private static List<Condition> conditions(ResourceClaim claim, DeviceRequestAllocationResult result) {
        return DeviceStatuses.find(claim, Allocations.device(result))
                .map(status -> status.getConditions())
                .orElse(List.of());
    }

    private static boolean isTrue(List<Condition> conditions, String type) {
        return conditions.stream()
                .anyMatch(condition -> condition.getType().equals(type) && "True".equals(condition.getStatus()));
    }
}
