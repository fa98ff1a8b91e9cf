package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.hardware.inventory.TimedFaults.PreparedOn;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Reads from claims which devices are prepared, and since when. */
final class PreparedDevices {
    private PreparedDevices() {}

    /**
     * The prepared devices of some pools, with one entry for each claim that holds the device.
     *
     * @param slices the slices of the pools; other pools are ignored
     */
    static List<PreparedOn> of(Map<PoolId, List<ResourceSlice>> slices, Collection<ResourceClaim> claims) {
        Map<PoolId, String> nodes = new HashMap<>();
        slices.forEach((pool, ofPool) -> ofPool.stream()
                .findFirst()
                .ifPresent(slice -> nodes.put(
                        pool, Objects.requireNonNullElse(slice.getSpec().getNodeName(), ""))));
        return claims.stream().flatMap(claim -> of(claim, nodes)).toList();
    }

    private static Stream<PreparedOn> of(ResourceClaim claim, Map<PoolId, String> nodes) {
        return Allocations.devices(claim).stream()
                .distinct()
                .filter(device -> nodes.containsKey(device.poolId()) && DeviceStatuses.isPrepared(claim, device))
                .map(device -> new PreparedOn(
                        Objects.requireNonNull(nodes.get(device.poolId())),
                        device.device(),
                        Objects.requireNonNullElse(claim.getMetadata().getLabels(), Map.of()),
                        preparedAt(claim, device)));
    }

    private static Instant preparedAt(ResourceClaim claim, DeviceId device) {
        return DeviceStatuses.readyCondition(claim, device)
                .map(Condition::getLastTransitionTime)
                .map(Instant::parse)
                .orElse(Instant.MAX);
    }
}
