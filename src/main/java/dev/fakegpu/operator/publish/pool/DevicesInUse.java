package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The devices that are allocated to claims, whether or not a pod has reserved the claim. */
final class DevicesInUse {

    static final Comparator<ClaimRef> BY_NAME =
            Comparator.comparing(ClaimRef::toString).thenComparing(ClaimRef::uid);

    private final Map<PoolId, Map<String, Set<ClaimRef>>> claims = new TreeMap<>();

    DevicesInUse(Collection<ResourceClaim> all) {
        for (ResourceClaim claim : all) {
            for (DeviceId device : Allocations.devices(claim)) {
                claims.computeIfAbsent(device.poolId(), pool -> new TreeMap<>())
                        .computeIfAbsent(device.device(), any -> new TreeSet<>(BY_NAME))
                        .add(ClaimReader.ref(claim));
            }
        }
    }

    Set<PoolId> pools() {
        return claims.keySet();
    }

    /** The names of the devices in use in a pool. */
    Set<String> devices(PoolId pool) {
        return claimsByDevice(pool).keySet();
    }

    /** For each device in use in a pool, the claims that hold it. */
    Map<String, Set<ClaimRef>> claimsByDevice(PoolId pool) {
        return claims.getOrDefault(pool, Map.of());
    }

    /** The claims that hold a device. */
    Set<ClaimRef> claims(PoolId pool, String device) {
        return claimsByDevice(pool).getOrDefault(device, Set.of());
    }

    /** The claims that hold any device of a pool. */
    Set<ClaimRef> claims(PoolId pool) {
        return claimsByDevice(pool).values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    }
}
