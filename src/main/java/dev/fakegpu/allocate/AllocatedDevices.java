package dev.fakegpu.allocate;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The devices that claims hold, by device and by pool, and the groups that they count with. It can be kept up to date claim by
 * claim, by one thread and while nobody else reads; lists that were handed out stay as they are.
 */
public final class AllocatedDevices {

    private final GroupPolicy groupPolicy;
    private final Map<ClaimRef, List<AllocatedDevice>> byHolder = new HashMap<>();
    private final Map<DeviceId, List<AllocatedDevice>> byDevice = new LinkedHashMap<>();
    private final Map<PoolId, List<AllocatedDevice>> byPool = new HashMap<>();

    public AllocatedDevices(List<AllocatedDevice> allocated, GroupPolicy groupPolicy) {
        this.groupPolicy = groupPolicy;
        for (AllocatedDevice device : allocated) {
            byHolder.computeIfAbsent(device.holder(), ignored -> new ArrayList<>())
                    .add(device);
            byDevice.computeIfAbsent(device.id(), ignored -> new ArrayList<>()).add(device);
            byPool.computeIfAbsent(device.id().poolId(), ignored -> new ArrayList<>())
                    .add(device);
        }
    }

    /**
     * Replaces what a claim holds.
     *
     * @param devices none if it holds nothing any more
     */
    public void replace(ClaimRef holder, List<AllocatedDevice> devices) {
        for (AllocatedDevice device : byHolder.getOrDefault(holder, List.of())) {
            remove(byDevice, device.id(), device);
            remove(byPool, device.id().poolId(), device);
        }
        for (AllocatedDevice device : devices) {
            add(byDevice, device.id(), device);
            add(byPool, device.id().poolId(), device);
        }
        if (devices.isEmpty()) {
            byHolder.remove(holder);
        } else {
            byHolder.put(holder, List.copyOf(devices));
        }
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

    /** What a claim holds. */
    public List<AllocatedDevice> heldBy(ClaimRef holder) {
        return byHolder.getOrDefault(holder, List.of());
    }

    /** As if some claims had been released. */
    public AllocatedDevices without(Set<ClaimRef> claims) {
        List<AllocatedDevice> rest = byDevice.values().stream()
                .flatMap(List::stream)
                .filter(device -> !claims.contains(device.holder()))
                .toList();
        return new AllocatedDevices(rest, groupPolicy);
    }

    public boolean isHeld(DeviceId device) {
        return byDevice.containsKey(device);
    }

    /** What is held of a pool, in no particular order. */
    List<AllocatedDevice> of(PoolId pool) {
        return byPool.getOrDefault(pool, List.of());
    }

    GroupPolicy groupPolicy() {
        return groupPolicy;
    }

    /** Who holds the device: one entry, unless the device is shared or somebody gave it away twice. */
    public List<AllocatedDevice> holdersOf(DeviceId device) {
        return byDevice.getOrDefault(device, List.of());
    }

    /**
     * The devices of a pool that are held, with the groups that count for each by the policy, in the order in which upstream looks at
     * them: as they are published, this node's first. Devices that are no longer published come last, and only if their groups
     * were recorded.
     */
    public List<Member> members(Pool.Usable pool) {
        var members = new ArrayList<Member>();
        Set<DeviceId> published = new HashSet<>();
        Stream.concat(pool.devices().stream(), pool.elsewhere()).forEach(device -> {
            published.add(device.id());
            holdersOf(device.id()).forEach(holder -> members.add(member(holder, device)));
        });
        if (groupPolicy == GroupPolicy.SNAPSHOT) {
            byPool.getOrDefault(pool.id(), List.of()).stream()
                    .filter(holder -> !published.contains(holder.id()))
                    .forEach(holder -> addRecorded(members, holder));
        }
        return members;
    }

    private Member member(AllocatedDevice holder, PoolDevice device) {
        CompatibilityGroups recorded = holder.groups();
        return recorded != null && groupPolicy == GroupPolicy.SNAPSHOT
                ? Member.of(holder, recorded)
                : new Member(
                        holder,
                        device.device().consumesCounters().stream()
                                .map(entry -> new Membership(entry.counterSet(), entry.compatibilityGroups()))
                                .toList());
    }

    private static void addRecorded(List<Member> members, AllocatedDevice holder) {
        CompatibilityGroups recorded = holder.groups();
        if (recorded != null) {
            members.add(Member.of(holder, recorded));
        }
    }

    /** A held device and where it is a member. */
    public record Member(AllocatedDevice holder, List<Membership> memberships) {

        static Member of(AllocatedDevice holder, CompatibilityGroups recorded) {
            return new Member(
                    holder,
                    recorded.byCounterSet().entrySet().stream()
                            .map(entry -> new Membership(entry.getKey(), entry.getValue()))
                            .toList());
        }
    }

    /** A counter set that a device is on, with the groups that it counts with there. The API allows each set once. */
    public record Membership(String counterSet, List<String> groups) {}
}
