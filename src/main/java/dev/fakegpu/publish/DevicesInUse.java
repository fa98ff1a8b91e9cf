package dev.fakegpu.publish;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The devices that claims hold: those that an allocation names, whether or not anybody uses the claim yet. */
final class DevicesInUse {

    private final Map<PoolId, Map<String, Set<String>>> claims = new TreeMap<>();

    DevicesInUse(Collection<ResourceClaim> all) {
        for (ResourceClaim claim : all) {
            String name = claim.getMetadata().getNamespace() + "/"
                    + claim.getMetadata().getName();
            for (DeviceId device : Allocations.devices(claim)) {
                claims.computeIfAbsent(device.poolId(), pool -> new TreeMap<>())
                        .computeIfAbsent(device.device(), any -> new TreeSet<>())
                        .add(name);
            }
        }
    }

    Set<String> of(PoolId pool) {
        return claims.getOrDefault(pool, Map.of()).keySet();
    }

    /** The claims that hold each device in use of a pool, as {@code namespace/name}. */
    Map<String, Set<String>> in(PoolId pool) {
        return claims.getOrDefault(pool, Map.of());
    }

    /** The claims that hold a device, as {@code namespace/name}. */
    List<String> claimsOf(PoolId pool, String device) {
        return List.copyOf(claims.getOrDefault(pool, Map.of()).getOrDefault(device, Set.of()));
    }
}
