package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The devices that are allocated to claims, by device and by pool, with the compatibility groups that count for them. One thread can update
 * it claim by claim while no other thread reads. Returned lists do not change.
 */
public final class AllocatedDevices {

    private final GroupPolicy groupPolicy;
    private final Map<ClaimRef, List<AllocatedDevice>> byClaim = new HashMap<>();
    private final Map<DeviceId, List<AllocatedDevice>> byDevice = new LinkedHashMap<>();
    private final Map<PoolId, List<AllocatedDevice>> byPool = new HashMap<>();
    private Set<DeviceId> withheld = Set.of();

    public AllocatedDevices(List<AllocatedDevice> allocated, GroupPolicy groupPolicy) {
        this.groupPolicy = groupPolicy;
        for (AllocatedDevice device : allocated) {
            byClaim.computeIfAbsent(device.holder(), ignored -> new ArrayList<>())
                    .add(device);
            byDevice.computeIfAbsent(device.id(), ignored -> new ArrayList<>()).add(device);
            byPool.computeIfAbsent(device.id().poolId(), ignored -> new ArrayList<>())
                    .add(device);
        }
    }

    /**
     * Replaces the devices of a claim.
     *
     * @param devices empty if the claim is no longer allocated
     */
    public void replace(ClaimRef claim, List<AllocatedDevice> devices) {
        for (AllocatedDevice device : byClaim.getOrDefault(claim, List.of())) {
            remove(byDevice, device.id(), device);
            remove(byPool, device.id().poolId(), device);
        }
        for (AllocatedDevice device : devices) {
            add(byDevice, device.id(), device);
            add(byPool, device.id().poolId(), device);
        }
        if (devices.isEmpty()) {
            byClaim.remove(claim);
        } else {
            byClaim.put(claim, List.copyOf(devices));
        }
    }

    /**
     * The pools in which other claims may get more after a change of what a claim holds. Recorded groups matter only if the group policy
     * counts them: under {@link GroupPolicy#LIVE}, a claim holds the same before and after they are recorded.
     */
    public Set<PoolId> freed(List<AllocatedDevice> before, List<AllocatedDevice> after) {
        List<AllocatedDevice> held = after.stream().map(this::counted).toList();
        return before.stream()
                .filter(device -> !held.contains(counted(device)))
                .map(device -> device.id().poolId())
                .collect(Collectors.toUnmodifiableSet());
    }

    private AllocatedDevice counted(AllocatedDevice device) {
        return groupPolicy == GroupPolicy.SNAPSHOT
                ? device
                : new AllocatedDevice(device.id(), device.holder(), null, device.share());
    }

    /** Sets the devices that no claim gets, although they consume nothing. Copies do not contain them. */
    public void withhold(Set<DeviceId> devices) {
        withheld = Set.copyOf(devices);
    }

    Set<DeviceId> withheld(PoolId pool) {
        return withheld.isEmpty()
                ? Set.of()
                : withheld.stream()
                        .filter(device -> device.poolId().equals(pool))
                        .collect(Collectors.toUnmodifiableSet());
    }

    private static <K> void add(Map<K, List<AllocatedDevice>> held, K key, AllocatedDevice device) {
        var more = new ArrayList<>(held.getOrDefault(key, List.of()));
        more.add(device);
        held.put(key, List.copyOf(more));
    }

    private static <K> void remove(Map<K, List<AllocatedDevice>> held, K key, AllocatedDevice device) {
        var fewer = new ArrayList<>(held.getOrDefault(key, List.of()));
        fewer.remove(device);
        if (fewer.isEmpty()) {
            held.remove(key);
        } else {
            held.put(key, List.copyOf(fewer));
        }
    }

    /** The claims that hold devices. */
    public Set<ClaimRef> claims() {
        return Set.copyOf(byClaim.keySet());
    }

    /** The devices of a claim. */
    public List<AllocatedDevice> ofClaim(ClaimRef claim) {
        return byClaim.getOrDefault(claim, List.of());
    }

    /** A copy as if some claims had been released. */
    public AllocatedDevices without(Set<ClaimRef> claims) {
        List<AllocatedDevice> rest = byDevice.values().stream()
                .flatMap(List::stream)
                .filter(device -> !claims.contains(device.holder()))
                .toList();
        return new AllocatedDevices(rest, groupPolicy);
    }

    /** A copy with only the devices of some pools. */
    public AllocatedDevices ofPools(Collection<PoolId> pools) {
        return new AllocatedDevices(
                pools.stream().flatMap(pool -> ofPool(pool).stream()).toList(), groupPolicy);
    }

    public boolean isAllocated(DeviceId device) {
        return byDevice.containsKey(device);
    }

    /**
     * The allocated devices of a pool, in no particular order. The list is the same object until a claim gets or releases a device of the
     * pool.
     */
    public List<AllocatedDevice> ofPool(PoolId pool) {
        return byPool.getOrDefault(pool, List.of());
    }

    GroupPolicy groupPolicy() {
        return groupPolicy;
    }

    /** The allocations of a device: at most one, unless the device is shared or was allocated twice by mistake. */
    public List<AllocatedDevice> ofDevice(DeviceId device) {
        return byDevice.getOrDefault(device, List.of());
    }

    /**
     * The allocated devices of a pool, with the groups that count for each under the group policy. They are in upstream's order: as they
     * are published, with this node's devices first. Devices that are no longer published come last, and only if their groups were
     * recorded.
     */
    public List<Member> members(Pool.Usable pool) {
        var members = new ArrayList<Member>();
        Set<DeviceId> published = new HashSet<>();
        List<AllocatedDevice> held = ofPool(pool.id());
        pool.among(held.stream().map(AllocatedDevice::id).collect(Collectors.toSet()))
                .forEach(device -> {
                    published.add(device.id());
                    ofDevice(device.id()).forEach(allocated -> members.add(member(allocated, device)));
                });
        if (groupPolicy == GroupPolicy.SNAPSHOT) {
            held.stream()
                    .filter(device -> !published.contains(device.id()))
                    .forEach(device -> addRecorded(members, device));
        }
        return members;
    }

    private Member member(AllocatedDevice device, PoolDevice published) {
        CompatibilityGroups recorded = device.groups();
        return recorded != null && groupPolicy == GroupPolicy.SNAPSHOT
                ? Member.of(device, recorded)
                : new Member(
                        device,
                        published.device().consumesCounters().stream()
                                .map(entry -> new Membership(entry.counterSet(), entry.compatibilityGroups()))
                                .toList());
    }

    private static void addRecorded(List<Member> members, AllocatedDevice device) {
        CompatibilityGroups recorded = device.groups();
        if (recorded != null) {
            members.add(Member.of(device, recorded));
        }
    }

    /** An allocated device and the counter sets that it is on. */
    public record Member(AllocatedDevice device, List<Membership> memberships) {

        static Member of(AllocatedDevice device, CompatibilityGroups recorded) {
            return new Member(
                    device,
                    recorded.byCounterSet().entrySet().stream()
                            .map(entry -> new Membership(entry.getKey(), entry.getValue()))
                            .toList());
        }
    }

    /** A counter set that a device is on, with its groups there. The API allows each set once per device. */
    public record Membership(String counterSet, List<String> groups) {}
}
