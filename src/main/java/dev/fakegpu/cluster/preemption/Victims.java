package dev.fakegpu.cluster.preemption;

import dev.fakegpu.cluster.fit.LabelSelectors;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.preemption.Budget;
import dev.fakegpu.engine.preemption.Victim;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.util.Timestamps;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pods of a cluster as possible victims, and the users of its claims. Pods that are being deleted are not victims: they count as gone,
 * and their claims as released, even if only the release is still missing.
 */
final class Victims {

    private final OccupiedCluster cluster;

    /** By UID. */
    private final Map<String, Pod> staying = new LinkedHashMap<>();

    private final List<Pod> ending = new ArrayList<>();

    /** The UIDs of the pods that stay, including those without a node. */
    private final Set<String> present = new HashSet<>();

    private final List<Victim> all = new ArrayList<>();
    private final Map<ClaimRef, Set<String>> users = new HashMap<>();

    Victims(OccupiedCluster cluster) {
        this.cluster = cluster;
        for (Pod pod : cluster.pods()) {
            if (pod.getSpec() != null && !PodState.hasEnded(pod)) {
                boolean isEnding = pod.getMetadata().getDeletionTimestamp() != null;
                if (!isEnding) {
                    present.add(pod.getMetadata().getUid());
                }
                if (PodState.isBound(pod)) {
                    add(pod, isEnding);
                }
            }
        }
        units().forEach(pods -> all.add(victim(pods)));
    }

    private void add(Pod pod, boolean isEnding) {
        if (isEnding) {
            ending.add(pod);
        } else {
            staying.put(pod.getMetadata().getUid(), pod);
        }
    }

    /**
     * Groups pods that are preempted together. Upstream: {@code getCrossNodesVictims} in {@code
     * pkg/scheduler/framework/preemption/types.go}.
     */
    private Collection<List<Pod>> units() {
        Map<String, List<Pod>> units = new LinkedHashMap<>();
        staying.forEach((uid, pod) -> {
            String unit = group(pod).filter(PodGroup::isDisruptedAsWhole).stream()
                    .map(group -> group.getMetadata().getUid())
                    .findFirst()
                    .orElse(uid);
            units.computeIfAbsent(unit, ignored -> new ArrayList<>()).add(pod);
        });
        return units.values();
    }

    private Optional<PodGroup> group(Pod pod) {
        return PodGroup.nameFor(pod)
                .flatMap(name -> cluster.groups().get(pod.getMetadata().getNamespace(), name));
    }

    private Victim victim(List<Pod> pods) {
        Optional<PodGroup> group = group(pods.get(0));
        return new Victim(
                group.map(PodGroup::priority).orElseGet(() -> priority(pods.get(0))),
                group.isPresent(),
                pods.stream().map(this::member).toList());
    }

    /** Returns the value that the API server sets for a pod without a PriorityClass. */
    static int priority(Pod pod) {
        return Objects.requireNonNullElse(pod.getSpec().getPriority(), 0);
    }

    private Victim.Member member(Pod pod) {
        Set<ClaimRef> claims = PodClaims.of(pod, cluster.claims()).claims().stream()
                .filter(claim -> Allocations.isAllocated(claim) && PodClaims.isReservedForItself(claim, pod))
                .map(this::used)
                .collect(Collectors.toSet());
        String started = pod.getStatus() == null ? null : pod.getStatus().getStartTime();
        return new Victim.Member(
                pod.getMetadata().getUid(),
                priority(pod),
                Timestamps.read(started).orElse(Instant.MAX),
                claims);
    }

    private ClaimRef used(ResourceClaim claim) {
        ClaimRef ref = ClaimReader.ref(claim);
        users.computeIfAbsent(ref, ignored -> usersOf(claim));
        return ref;
    }

    private Set<String> usersOf(ResourceClaim claim) {
        return claim.getStatus().getReservedFor().stream()
                .filter(user -> !ClaimConsumers.isPod(user) || present.contains(user.getUid()))
                .map(user -> user.getUid())
                .collect(Collectors.toSet());
    }

    /** Those of some claims that will be released, because all pods for which they are reserved are terminating or gone. */
    Set<ClaimRef> ending(Set<ClaimRef> allocated) {
        return allocated.stream()
                .filter(ref -> cluster.claims()
                        .get(ref.namespace(), ref.name())
                        .filter(claim -> ClaimReader.ref(claim).equals(ref)
                                && Allocations.isAllocated(claim)
                                && !claim.getStatus().getReservedFor().isEmpty()
                                && usersOf(claim).isEmpty())
                        .isPresent())
                .collect(Collectors.toSet());
    }

    /** Terminating pods on a node. */
    Stream<Pod> endingOn(String node) {
        return ending.stream().filter(pod -> node.equals(pod.getSpec().getNodeName()));
    }

    /** Terminating pods that use some of these claims. */
    Stream<Pod> endingWith(Predicate<ClaimRef> claims) {
        return ending.stream()
                .filter(pod -> PodClaims.of(pod, cluster.claims()).claims().stream()
                        .map(ClaimReader::ref)
                        .anyMatch(claims));
    }

    List<Victim> all() {
        return all;
    }

    Map<ClaimRef, Set<String>> users() {
        return users;
    }

    /** By UID. */
    Pod pod(String uid) {
        return Objects.requireNonNull(staying.get(uid));
    }

    List<Budget> budgets() {
        return cluster.budgets().stream().map(this::budget).toList();
    }

    /** A budget without a selector, or with an empty one, covers no pods. */
    private Budget budget(PodDisruptionBudget budget) {
        LabelSelector selector =
                budget.getSpec() == null ? null : budget.getSpec().getSelector();
        Optional<PodDisruptionBudgetStatus> status = Optional.ofNullable(budget.getStatus());
        Set<String> disrupted = new HashSet<>(status.map(PodDisruptionBudgetStatus::getDisruptedPods)
                .map(Map::keySet)
                .orElse(Set.of()));
        Stream<Pod> selected = selector == null || LabelSelectors.isEmpty(selector)
                ? Stream.empty()
                : staying.values().stream()
                        .filter(pod -> budget.getMetadata()
                                        .getNamespace()
                                        .equals(pod.getMetadata().getNamespace())
                                && !SchedulableNode.labels(pod).isEmpty()
                                && LabelSelectors.matches(selector, SchedulableNode.labels(pod))
                                && !disrupted.contains(pod.getMetadata().getName()));
        return new Budget(
                status.map(PodDisruptionBudgetStatus::getDisruptionsAllowed).orElse(0),
                selected.map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet()));
    }
}
