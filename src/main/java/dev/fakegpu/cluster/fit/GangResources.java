package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.NodeAllocatableUses;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Checks whether nodes have enough resources for what the devices of a gang take (KEP-5517). Not thread-safe. */
public final class GangResources {

    private final Beside beside;

    /** The claims that several members use. */
    private final Set<ClaimRef> shared;

    /** @param shared the claims that several members use */
    public GangResources(Beside beside, Set<ClaimRef> shared) {
        this.beside = beside;
        this.shared = shared;
    }

    /**
     * A pod of a gang.
     *
     * @param claims the claims to be allocated on a node
     */
    public record Member(Pod pod, PodFit fit, Function<SchedulableNode, List<Claim>> claims) {}

    /** Counts pods as if they were on a node. */
    @FunctionalInterface
    public interface Beside {

        /** Whether a condition holds if other pods were also on a node. */
        boolean holds(Collection<Pod> others, String node, BooleanSupplier holds);
    }

    /** @param claims the claims of each member */
    public static Set<ClaimRef> shared(Collection<List<Claim>> claims) {
        var seen = new HashSet<ClaimRef>();
        return claims.stream()
                .flatMap(List::stream)
                .map(Claim::ref)
                .filter(ref -> !seen.add(ref))
                .collect(Collectors.toSet());
    }

    /**
     * Equal for members for which the same nodes and devices are right.
     *
     * @param claims the claims of the pod
     * @param shared the claims that several members use
     */
    public static Object key(Pod pod, PodFit fit, PodClaims claims, Set<ClaimRef> shared) {
        return List.of(
                fit.key(),
                Stream.of(pod.getSpec().getInitContainers(), pod.getSpec().getContainers())
                        .flatMap(List::stream)
                        .map(container -> Arrays.asList(container.getRestartPolicy(), container.getResources()))
                        .toList(),
                claims.claims().stream().map(claim -> key(claim, shared)).toList(),
                pod.getSpec().getResourceClaims().stream()
                        .map(reference -> List.of(reference.getName(), position(pod, reference, claims)))
                        .toList());
    }

    private static Object key(ResourceClaim claim, Set<ClaimRef> shared) {
        ClaimRef ref = ClaimReader.ref(claim);
        return Allocations.isAllocated(claim) || shared.contains(ref) ? ref : claim.getSpec();
    }

    /** The position of a claim among the claims of a pod; -1 if the pod does not need it. */
    private static int position(Pod pod, PodResourceClaim reference, PodClaims claims) {
        String name = PodClaims.claimName(pod, reference.getName()).orElse("");
        return claims.claims().stream()
                .map(claim -> claim.getMetadata().getName())
                .toList()
                .indexOf(name);
    }

    /**
     * Whether a node has enough.
     *
     * @param members all members that are to be placed there
     * @param allocations the allocations of claims that had no devices yet
     */
    public boolean admits(SchedulableNode node, List<Member> members, Map<ClaimRef, Allocation> allocations) {
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
                .allMatch(i -> beside.holds(
                        others(pods, i),
                        node.name(),
                        () -> members.get(i)
                                .fit()
                                .withDevices()
                                .problems(node, footprints.get(i))
                                .isEmpty()));
    }

    private DeviceFootprint footprint(SchedulableNode node, Member member, Map<ClaimRef, Allocation> allocations) {
        List<Claim> claims = member.claims().apply(node);
        List<Allocation> found = claims.stream()
                .map(claim -> Objects.requireNonNull(allocations.get(claim.ref())))
                .toList();
        return member.fit().withDevices().ofGang(node, claims, found, shared);
    }

    private static List<Pod> others(List<Pod> pods, int but) {
        return Stream.concat(pods.subList(0, but).stream(), pods.subList(but + 1, pods.size()).stream())
                .toList();
    }
}
