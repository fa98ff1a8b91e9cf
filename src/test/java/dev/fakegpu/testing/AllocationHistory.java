package dev.fakegpu.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks every state of a cluster: replays the versions of claims and slices in the order in which they were stored, and after each one
 * checks the affected pools with {@link AllocationChecker}. It does not use the allocator.
 *
 * <p>While a pool is incomplete because its slices are being replaced one by one, nothing may be allocated from it, and the only check is
 * that no device is held twice. The same applies to devices that are held but no longer published. Not thread-safe.
 */
public final class AllocationHistory {

    /** The identity of a pool. */
    private record Pool(String driver, String name) {}

    private final Map<Pool, Map<String, ResourceSlice>> slices = new HashMap<>();
    private final Map<Pool, Map<String, ResourceClaim>> holders = new HashMap<>();
    private final Map<String, Pool> poolOfSlice = new HashMap<>();
    private final Map<String, Set<Pool>> poolsOfClaim = new HashMap<>();
    private final Map<Pool, Set<String>> sharedDevices = new HashMap<>();
    private final Set<String> violations = new LinkedHashSet<>();
    private long allocated;
    private long released;

    /** @param after the new version; null if the slice was deleted */
    public void slice(String name, @Nullable ResourceSlice after) {
        Pool before = poolOfSlice.remove(name);
        if (before != null) {
            slices.get(before).remove(name);
        }
        Pool now = before;
        if (after != null) {
            now = new Pool(
                    after.getSpec().getDriver(), after.getSpec().getPool().getName());
            poolOfSlice.put(name, now);
            slices.computeIfAbsent(now, pool -> new TreeMap<>()).put(name, after);
            rememberShared(now, after);
        }
        for (Pool pool : distinct(before, now)) {
            check(pool, version(after));
        }
    }

    /**
     * @param key namespace and name
     * @param after the new version; null if the claim was deleted
     */
    public void claim(String key, @Nullable ResourceClaim after) {
        Set<Pool> before = poolsOfClaim.getOrDefault(key, Set.of());
        Set<Pool> now = after == null ? Set.of() : pools(after);
        allocated += before.isEmpty() && !now.isEmpty() ? 1 : 0;
        released += !before.isEmpty() && now.isEmpty() ? 1 : 0;
        before.forEach(pool -> holders.get(pool).remove(key));
        now.forEach(pool ->
                holders.computeIfAbsent(pool, ignored -> new TreeMap<>()).put(key, after));
        poolsOfClaim.put(key, now);
        if (now.isEmpty()) {
            poolsOfClaim.remove(key);
        }
        now.forEach(pool -> check(pool, version(after)));
    }

    /** All violations at any time, each once, with the first resource version that has it. */
    public List<String> violations() {
        return List.copyOf(violations);
    }

    /** The number of allocations. */
    public long allocated() {
        return allocated;
    }

    /** The number of allocations that have ended. */
    public long released() {
        return released;
    }

    /** The devices that are held now but are in no complete pool. A claim may be released some time after its device is gone. */
    public List<String> unpublished() {
        var found = new ArrayList<String>();
        holders.forEach((pool, claims) -> {
            Collection<ResourceSlice> newest = newest(pool);
            if (isComplete(newest)) {
                Set<String> published = names(newest);
                claims.forEach((key, claim) -> results(claim, pool).stream()
                        .filter(result -> !published.contains(result.getDevice()))
                        .forEach(result -> found.add("%s holds %s/%s/%s, which is not published"
                                .formatted(key, pool.driver(), pool.name(), result.getDevice()))));
            }
        });
        return found;
    }

    private void check(Pool pool, String version) {
        Map<String, ResourceClaim> claims = holders.getOrDefault(pool, Map.of());
        if (claims.isEmpty()) {
            return;
        }
        heldTwice(pool, claims, version);
        Collection<ResourceSlice> newest = newest(pool);
        if (isComplete(newest)) {
            Set<String> published = names(newest);
            var held = new ArrayList<ResourceClaim>();
            claims.forEach((key, claim) -> held.add(only(key, claim, pool, published)));
            AllocationChecker.problems(List.copyOf(newest), held).stream()
                    .filter(problem -> !problem.contains(" is held by "))
                    .forEach(problem -> violation(problem, version));
        }
    }

    private void heldTwice(Pool pool, Map<String, ResourceClaim> claims, String version) {
        var holderOf = new HashMap<String, String>();
        Set<String> shared = sharedDevices.getOrDefault(pool, Set.of());
        claims.forEach((key, claim) -> {
            for (var result : results(claim, pool)) {
                String device = result.getDevice();
                String held = shared.contains(device) ? device + "/" + result.getShareID() : device;
                String other = holderOf.put(held, key);
                if (other != null) {
                    violation(
                            "%s/%s/%s is held by %s and by %s".formatted(pool.driver(), pool.name(), held, other, key),
                            version);
                }
            }
        });
    }

    private void violation(String problem, String version) {
        if (violations.stream().noneMatch(known -> known.startsWith(problem + " (since "))) {
            violations.add(problem + " (since " + version + ")");
        }
    }

    private void rememberShared(Pool pool, ResourceSlice slice) {
        for (Device device : slice.getSpec().getDevices()) {
            if (Boolean.TRUE.equals(device.getAllowMultipleAllocations())) {
                sharedDevices.computeIfAbsent(pool, ignored -> new TreeSet<>()).add(device.getName());
            }
        }
    }

    private Collection<ResourceSlice> newest(Pool pool) {
        Collection<ResourceSlice> all = slices.getOrDefault(pool, Map.of()).values();
        long generation = all.stream()
                .mapToLong(slice -> slice.getSpec().getPool().getGeneration())
                .max()
                .orElse(0);
        return all.stream()
                .filter(slice -> slice.getSpec().getPool().getGeneration() == generation)
                .toList();
    }

    private static boolean isComplete(Collection<ResourceSlice> slices) {
        return !slices.isEmpty()
                && slices.iterator().next().getSpec().getPool().getResourceSliceCount() == slices.size();
    }

    private static Set<String> names(Collection<ResourceSlice> slices) {
        var names = new TreeSet<String>();
        slices.forEach(slice -> slice.getSpec().getDevices().forEach(device -> names.add(device.getName())));
        return names;
    }

    /** The claim with only these devices of the pool. */
    private static ResourceClaim only(String key, ResourceClaim claim, Pool pool, Set<String> devices) {
        return new ResourceClaimBuilder(claim)
                .editMetadata()
                .withName(key)
                .endMetadata()
                .editStatus()
                .editAllocation()
                .editDevices()
                .withResults(results(claim, pool).stream()
                        .filter(result -> devices.contains(result.getDevice()))
                        .toList())
                .endDevices()
                .endAllocation()
                .endStatus()
                .build();
    }

    /** The results of the claim without admin access, which consumes nothing. */
    private static List<DeviceRequestAllocationResult> results(ResourceClaim claim) {
        if (claim.getStatus() == null || claim.getStatus().getAllocation() == null) {
            return List.of();
        }
        return claim.getStatus().getAllocation().getDevices().getResults().stream()
                .filter(result -> !Boolean.TRUE.equals(result.getAdminAccess()))
                .toList();
    }

    private static List<DeviceRequestAllocationResult> results(ResourceClaim claim, Pool pool) {
        return results(claim).stream()
                .filter(result -> pool.equals(new Pool(result.getDriver(), result.getPool())))
                .toList();
    }

    private static Set<Pool> pools(ResourceClaim claim) {
        var pools = new LinkedHashSet<Pool>();
        results(claim).forEach(result -> pools.add(new Pool(result.getDriver(), result.getPool())));
        return pools;
    }

    private static Set<Pool> distinct(@Nullable Pool one, @Nullable Pool other) {
        var pools = new LinkedHashSet<Pool>();
        if (one != null) {
            pools.add(one);
        }
        if (other != null) {
            pools.add(other);
        }
        return pools;
    }

    private static String version(@Nullable HasMetadata object) {
        return object == null ? "a deletion" : object.getMetadata().getResourceVersion();
    }
}
