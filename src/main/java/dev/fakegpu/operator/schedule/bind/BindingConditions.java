package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks whether the devices of a claim are ready for its pod to be bound (KEP-5007). Upstream: {@code isClaimReadyForBinding} in {@code
 * dynamicresources.go}.
 */
public final class BindingConditions {
    private BindingConditions() {}

    /** Whether the allocation has binding conditions. */
    static boolean areIn(Allocation allocation) {
        return allocation.results().stream()
                .anyMatch(result -> !result.binding().conditions().isEmpty());
    }

    public static boolean areMet(ResourceClaim claim) {
        return results(claim).allMatch(result -> {
            List<Condition> conditions = conditions(claim, result);
            return result.getBindingConditions().stream().allMatch(type -> isTrue(conditions, type));
        });
    }

    /** For each device with unmet conditions, which they are. */
    public static List<String> unmet(ResourceClaim claim) {
        return results(claim)
                .flatMap(result -> {
                    List<Condition> conditions = conditions(claim, result);
                    List<String> unmet = result.getBindingConditions().stream()
                            .filter(type -> !isTrue(conditions, type))
                            .toList();
                    return unmet.isEmpty()
                            ? Stream.empty()
                            : Stream.of(CompanionMessages.unmetConditions(claim, result.getDevice(), unmet));
                })
                .toList();
    }

    /** The message of a failure, if a device reports one of its failure conditions. */
    public static Optional<String> failure(ResourceClaim claim) {
        return results(claim)
                .flatMap(result -> conditions(claim, result).stream()
                        .filter(condition ->
                                result.getBindingFailureConditions().contains(condition.getType())
                                        && "True".equals(condition.getStatus()))
                        .map(condition -> CompanionMessages.bindingFailed(claim, result.getDevice(), condition)))
                .findFirst();
    }

    /** When the claim was allocated, as its allocator says; empty if that does not. */
    public static Optional<Instant> allocatedAt(ResourceClaim claim) {
        String allocated = claim.getStatus().getAllocation().getAllocationTimestamp();
        return Optional.ofNullable(allocated).map(Instant::parse);
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
