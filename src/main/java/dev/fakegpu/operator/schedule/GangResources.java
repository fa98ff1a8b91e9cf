package dev.fakegpu.operator.schedule;

import dev.fakegpu.cluster.fit.DeviceFootprint;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.wire.NodeAllocatableUses;
import dev.fakegpu.operator.schedule.GangScheduling.Ready;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whether nodes have enough for what the devices of a gang take of them (KEP-5517). Not thread-safe. */
final class GangResources {

    private final SchedulerCache cache;

    /** Those that several members have. */
    private final Set<ClaimRef> shared;

    GangResources(SchedulerCache cache, Set<ClaimRef> shared) {
        this.cache = cache;
        this.shared = shared;
    }

    /**
     * Whether a node has enough.
     *
     * @param members all that are to be there
     * @param allocations of claims that had no devices yet
     */
    boolean admits(SchedulableNode node, List<Ready> members, Map<ClaimRef, Allocation> allocations) {
        List<DeviceFootprint> footprints = members.stream()
                .map(member -> footprint(node, member, allocations))
                .toList();
        if (footprints.stream().allMatch(DeviceFootprint.NOTHING::equals)) {
            return true;
        }
        List<Pod> pods = IntStream.range(0, members.size())
                .mapToObj(i -> NodeAllocatableUses.in(
                        members.get(i).pod(), footprints.get(i).uses()))
                .toList();
        return IntStream.range(0, members.size())
                .allMatch(i -> cache.holdsBeside(
                        others(pods, i),
                        node.name(),
                        () -> members.get(i)
                                .requirements()
                                .fit()
                                .withDevices()
                                .problems(node, footprints.get(i))
                                .isEmpty()));
    }

    private DeviceFootprint footprint(SchedulableNode node, Ready member, Map<ClaimRef, Allocation> allocations) {
        List<Claim> claims = member.requirements().claims(node);
        List<Allocation> found = claims.stream()
                .flatMap(claim -> Stream.ofNullable(allocations.get(claim.ref())))
                .toList();
        return found.size() < claims.size() // for extended resources, which are counted when the pod gets its node
                ? DeviceFootprint.NOTHING
                : member.requirements().fit().withDevices().ofGang(node, claims, found, shared);
    }

    private static List<Pod> others(List<Pod> pods, int but) {
        return Stream.concat(pods.subList(0, but).stream(), pods.subList(but + 1, pods.size()).stream())
                .toList();
    }
}
