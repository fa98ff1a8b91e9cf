package dev.fakegpu.operator.schedule.cache;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The devices that claims hold: those of stored allocations of any scheduler, and those of decisions that are still being written
 * (<i>assumed</i>). Upstream: {@code assumecache} of {@code k8s.io/dynamic-resource-allocation}. Each version of a claim is converted only
 * once. Not thread-safe.
 */
public final class AssumeCache {

    /** Receives changes in the number of held devices of a pool. */
    @FunctionalInterface
    public interface Listener {
        void changed(PoolId pool, int difference);
    }

    /** A claim as of its last read from the store. */
    private record Stored(String version, ClaimRef ref, boolean isAllocated, List<AllocatedDevice> devices) {}

    /** @param claim is stored or about to be created */
    private record Assumed(ClaimRef claim, List<AllocatedDevice> devices) {}

    private final Listener listener;
    private final Map<String, Stored> stored = new HashMap<>();
    private final Map<String, String> uidByName = new HashMap<>();
    private final Map<String, Assumed> assumed = new HashMap<>();
    private AllocatedDevices allocatedDevices;

    public AssumeCache(GroupPolicy groupPolicy, Listener listener) {
        this.allocatedDevices = new AllocatedDevices(List.of(), groupPolicy);
        this.listener = listener;
    }

    AllocatedDevices allocatedDevices() {
        return allocatedDevices;
    }

    /** Switches to another policy for the same devices. */
    void use(GroupPolicy groupPolicy) {
        var renewed = new AllocatedDevices(List.of(), groupPolicy);
        stored.values().forEach(claim -> renewed.replace(claim.ref(), allocatedDevices.ofClaim(claim.ref())));
        assumed.values().forEach(claim -> renewed.replace(claim.claim(), allocatedDevices.ofClaim(claim.claim())));
        allocatedDevices = renewed;
    }

    /**
     * Updates the cache to the stored version of a claim.
     *
     * @param claim null if the claim does not exist
     * @return the pools whose devices became free
     */
    Set<PoolId> update(String namespace, String name, @Nullable ResourceClaim claim) {
        var freed = new HashSet<PoolId>();
        String known = uidByName.get(namespace + "/" + name);
        if (known != null && (claim == null || !known.equals(claim.getMetadata().getUid()))) {
            freed.addAll(remove(known));
            uidByName.remove(namespace + "/" + name);
        }
        if (claim != null) {
            freed.addAll(update(claim));
        }
        return freed;
    }

    private Set<PoolId> update(ResourceClaim claim) {
        var metadata = claim.getMetadata();
        Stored before = stored.get(metadata.getUid());
        if (before != null && before.version().equals(metadata.getResourceVersion())) {
            return Set.of();
        }
        uidByName.put(metadata.getNamespace() + "/" + metadata.getName(), metadata.getUid());
        stored.put(
                metadata.getUid(),
                new Stored(
                        metadata.getResourceVersion(),
                        ClaimReader.ref(claim),
                        Allocations.isAllocated(claim),
                        DeviceStatuses.allocated(claim)));
        return resolve(metadata.getUid());
    }

    private Set<PoolId> remove(String uid) {
        Stored gone = stored.remove(uid);
        return gone == null ? Set.of() : replace(gone.ref(), List.of());
    }

    /** Assumes that the claim holds the devices, although that is not stored yet. */
    public void assume(ClaimRef claim, List<AllocatedDevice> devices) {
        assumed.put(claim.uid(), new Assumed(claim, List.copyOf(devices)));
        resolve(claim.uid());
    }

    /** Whether a write of the claim is in flight, with an unknown result. */
    public boolean isAssumed(String uid) {
        return assumed.containsKey(uid);
    }

    /** The pools that have assumed devices. */
    Stream<PoolId> assumedPools() {
        return assumed.values().stream()
                .flatMap(decided -> decided.devices().stream())
                .map(device -> device.id().poolId());
    }

    /**
     * Drops the assumption: the write is complete, and the store has its result.
     *
     * @return the pools whose devices became free
     */
    public Set<PoolId> forget(String uid) {
        Assumed ended = assumed.remove(uid);
        if (ended == null) {
            return Set.of();
        }
        return stored.containsKey(uid) ? resolve(uid) : replace(ended.claim(), List.of());
    }

    /** Resolves what the claim holds; a stored allocation takes precedence over an assumed one. */
    private Set<PoolId> resolve(String uid) {
        Stored claim = stored.get(uid);
        Assumed decided = assumed.get(uid);
        if (claim != null && (claim.isAllocated() || decided == null)) {
            return replace(claim.ref(), claim.devices());
        }
        return decided == null ? Set.of() : replace(decided.claim(), decided.devices());
    }

    private Set<PoolId> replace(ClaimRef holder, List<AllocatedDevice> devices) {
        List<AllocatedDevice> before = allocatedDevices.ofClaim(holder);
        if (before.equals(devices)) {
            return Set.of();
        }
        allocatedDevices.replace(holder, devices);
        before.forEach(device -> listener.changed(device.id().poolId(), -1));
        devices.forEach(device -> listener.changed(device.id().poolId(), 1));
        return allocatedDevices.freed(before, devices);
    }
}
