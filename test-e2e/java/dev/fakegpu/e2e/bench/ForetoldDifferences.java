package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares what {@code what-if} says with what {@code simulate} does. */
final class ForetoldDifferences {

    private static final String WAITS = "waits";

    private final String namespace;
    private final AskedChange change;
    private final JsonNode answer;

    /**
     * @param namespace the namespace of all pods and claims
     * @param answer the answer of {@code what-if -o json}
     */
    ForetoldDifferences(String namespace, AskedChange change, JsonNode answer) {
        this.namespace = namespace;
        this.change = change;
        this.answer = answer;
    }

    /**
     * @param simulated the objects at the end of {@code simulate}
     * @param unchanged the objects at the end without the change
     */
    List<String> between(ClusterObjects simulated, ClusterObjects unchanged) {
        var differences = new ArrayList<String>();
        Map<String, String> said = new TreeMap<>(states(unchanged));
        attempts("tried", "refused", "helped")
                .forEach(attempt -> said.put(
                        attempt.path("name").asText(), attempt.path("node").asText(WAITS)));
        states(simulated).forEach((pod, state) -> {
            if (!state.equals(said.get(pod))) {
                differences.add("pod %s: what-if %s, simulate %s".formatted(pod, said.get(pod), state));
            }
        });
        Set<String> created = simulated.pods().stream()
                .filter(this::isHere)
                .map(pod -> pod.getMetadata().getName())
                .collect(Collectors.toSet());
        attempts("tried", "refused", "helped")
                .map(attempt -> attempt.path("name").asText())
                .filter(pod -> !created.contains(pod))
                .forEach(pod -> differences.add("pod %s: what-if %s, not in simulate".formatted(pod, said.get(pod))));
        differ("lost", lost(), gone(unchanged, simulated)).ifPresent(differences::add);
        List<String> devices = attempts("tried", "refused", "helped")
                .flatMap(attempt -> attempt.path("devices").valueStream())
                .map(JsonNode::asText)
                .sorted()
                .toList();
        List<String> allocated = simulated.claims().stream()
                .filter(claim -> isHere(claim) && !isAllocated(unchanged, claim))
                .flatMap(claim -> Allocations.devices(claim).stream())
                .map(DeviceId::toString)
                .sorted()
                .toList();
        differ("devices", devices, allocated).ifPresent(differences::add);
        return differences;
    }

    private static Optional<String> differ(String what, List<String> said, List<String> done) {
        return said.equals(done)
                ? Optional.empty()
                : Optional.of("%s: what-if %s, simulate %s".formatted(what, said, done));
    }

    private List<String> lost() {
        return attempts("lost")
                .map(attempt -> attempt.path("name").asText())
                .sorted()
                .toList();
    }

    /** The pods that run without the change and not with it, without those that the change itself removes. */
    private List<String> gone(ClusterObjects unchanged, ClusterObjects simulated) {
        Set<String> left = simulated.pods().stream()
                .filter(PodState::isBound)
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toSet());
        return unchanged.pods().stream()
                .filter(pod -> isHere(pod) && PodState.isBound(pod))
                .filter(pod -> !left.contains(pod.getMetadata().getUid()))
                .map(pod -> pod.getMetadata().getName())
                .filter(pod -> !change.removes(pod))
                .sorted()
                .toList();
    }

    private Stream<JsonNode> attempts(String... lists) {
        return Stream.of(lists)
                .flatMap(list -> answer.path(list).valueStream())
                .filter(attempt -> !attempt.path("needsPod").asBoolean());
    }

    /** The node of each pod that has its devices. */
    private Map<String, String> states(ClusterObjects cluster) {
        var states = new TreeMap<String, String>();
        cluster.pods().stream()
                .filter(this::isHere)
                .filter(pod -> !PodState.hasEnded(pod))
                .forEach(pod -> {
                    boolean isPlaced = PodState.isBound(pod)
                            && PodClaims.of(pod, cluster::claim).areUsableBy(pod);
                    states.put(
                            pod.getMetadata().getName(),
                            isPlaced ? pod.getSpec().getNodeName() : WAITS);
                });
        return states;
    }

    private boolean isHere(HasMetadata object) {
        return namespace.equals(object.getMetadata().getNamespace());
    }

    private static boolean isAllocated(ClusterObjects cluster, ResourceClaim claim) {
        return cluster.claim(
                        claim.getMetadata().getNamespace(), claim.getMetadata().getName())
                .filter(Allocations::isAllocated)
                .isPresent();
    }
}
