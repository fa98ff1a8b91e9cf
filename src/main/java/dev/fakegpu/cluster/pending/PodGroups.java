package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.holdings.PodGroupState;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The PodGroups of a snapshot, including groups that are only named by pods. */
public final class PodGroups {

    private static final Set<String> OBSTACLES_OF_GROUPS =
            Set.of(Code.GangIncomplete.name(), Code.GangDoesNotFit.name());

    private final ClusterSnapshot snapshot;
    private final PodExplainer explainer;

    /** Claims that are reserved for groups as a whole. */
    private final Map<Name, List<ResourceClaim>> reserved = new HashMap<>();

    private PodGroups(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
        explainer = new PodExplainer(new ExplainedCluster(snapshot, ExplainSettings.DEFAULT));
        snapshot.objects()
                .claims()
                .forEach(claim -> ClaimConsumers.others(claim).stream()
                        .filter(consumer -> consumer.apiGroup().equals("scheduling.k8s.io")
                                && consumer.resource().equals("podgroups"))
                        .forEach(group -> reserved.computeIfAbsent(
                                        new Name(claim.getMetadata().getNamespace(), group.name()),
                                        ignored -> new ArrayList<>())
                                .add(claim)));
    }

    private record Name(String namespace, String name) {}

    /** The state of the groups by namespace and name. */
    public static List<PodGroupState> of(ClusterSnapshot snapshot) {
        Map<Name, List<Pod>> pods =
                new TreeMap<>(Comparator.comparing(Name::namespace).thenComparing(Name::name));
        snapshot.objects()
                .podGroups()
                .forEach(group -> pods.put(
                        new Name(
                                group.getMetadata().getNamespace(),
                                group.getMetadata().getName()),
                        new ArrayList<>()));
        snapshot.objects().pods().stream()
                .filter(pod -> !PodState.hasEnded(pod))
                .forEach(pod -> PodGroup.nameFor(pod)
                        .ifPresent(group -> pods.computeIfAbsent(
                                        new Name(pod.getMetadata().getNamespace(), group), ignored -> new ArrayList<>())
                                .add(pod)));
        var groups = new PodGroups(snapshot);
        return pods.entrySet().stream()
                .map(group -> groups.state(group.getKey(), group.getValue()))
                .toList();
    }

    private PodGroupState state(Name group, List<Pod> pods) {
        return new PodGroupState(
                group.namespace(),
                group.name(),
                (int) pods.stream().filter(PodState::isRunning).count(),
                pods.size(),
                snapshot.objects().podGroup(group.namespace(), group.name()).flatMap(PodGroup::minCount),
                devices(group, pods),
                pods.stream()
                        .filter(PodState::isBound)
                        .map(pod -> pod.getSpec().getNodeName())
                        .distinct()
                        .sorted()
                        .toList(),
                pods.stream()
                        .filter(pod ->
                                !PodState.isBound(pod) && pod.getMetadata().getDeletionTimestamp() == null)
                        .findFirst()
                        .map(this::why)
                        .orElse(""));
    }

    private List<DeviceId> devices(Name group, List<Pod> pods) {
        Stream<ResourceClaim> used = pods.stream().flatMap(pod -> snapshot.podClaims(pod).claims().stream());
        return Stream.concat(reserved.getOrDefault(group, List.of()).stream(), used)
                .flatMap(claim -> Allocations.devices(claim).stream())
                .distinct()
                .sorted(Comparator.comparing(DeviceId::pool).thenComparing(DeviceId::device))
                .toList();
    }

    /** The obstacle of the group or, if there is none, that of one of its pods. */
    private String why(Pod pod) {
        Answer answer = explainer.explain(pod);
        return OBSTACLES_OF_GROUPS.contains(answer.code())
                ? answer.sentence()
                : "pod \"%s\": %s".formatted(pod.getMetadata().getName(), answer.sentence());
    }
}
