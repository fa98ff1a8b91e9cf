package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The claims of pods that are placed together, which must not be released for one of these pods. They are collected once for each gang. */
public final class GangClaims {

    private final Function<Pod, Optional<PodGroup>> groupOf;
    private final BiFunction<String, String, List<Pod>> podsOf;
    private final Function<Pod, PodClaims> claimsOf;
    private final Map<List<String>, Set<ClaimRef>> known = new HashMap<>();

    /** @param podsOf all pods of a namespace that name a group */
    public GangClaims(
            Function<Pod, Optional<PodGroup>> groupOf,
            BiFunction<String, String, List<Pod>> podsOf,
            Function<Pod, PodClaims> claimsOf) {
        this.groupOf = groupOf;
        this.podsOf = podsOf;
        this.claimsOf = claimsOf;
    }

    /** The name of the pod's gang; empty if it belongs to none. */
    public Optional<String> gang(Pod pod) {
        return groupOf.apply(pod)
                .filter(PodGroup::isPlacedTogether)
                .map(group -> group.getMetadata().getName());
    }

    /** The claims of the pods of a pod's gang that have not ended; empty if it belongs to none. */
    public Set<ClaimRef> of(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        return gang(pod)
                .map(name -> known.computeIfAbsent(
                        List.of(namespace, name),
                        ignored -> of(GroupMembers.alive(podsOf.apply(namespace, name)), claimsOf)))
                .orElse(Set.of());
    }

    public static Set<ClaimRef> of(Collection<Pod> pods, Function<Pod, PodClaims> claimsOf) {
        return pods.stream()
                .flatMap(pod -> claimsOf.apply(pod).claims().stream())
                .map(ClaimReader::ref)
                .collect(Collectors.toUnmodifiableSet());
    }
}
