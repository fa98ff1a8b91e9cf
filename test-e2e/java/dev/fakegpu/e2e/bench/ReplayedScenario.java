package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.memory.ApiObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A scenario in memory. kube-scheduler chooses among equal nodes at random, so the scenario can be replayed from the beginning with other
 * choices in its last step. Not thread-safe.
 */
final class ReplayedScenario {

    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int MAX_REPLAYS = 60;

    private final List<List<PlayedAction>> steps = new ArrayList<>();

    /** The chosen ones of equal nodes in the steps before the last one. */
    private final List<String> before = new ArrayList<>();

    private final String namespace;
    private final ClusterObjects stored;
    private Simulation simulation;
    private Map<String, List<String>> real = Map.of();
    private List<Integer> forced = List.of();
    private int asked;
    private final List<String> chosen = new ArrayList<>();
    private final List<Integer> indexes = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();

    /**
     * @param namespace the namespace of its pods and claims
     * @param stored the objects with which it begins
     */
    ReplayedScenario(String namespace, ClusterObjects stored) {
        this.namespace = namespace;
        this.stored = stored;
        simulation = newSimulation();
    }

    private Simulation newSimulation() {
        var options = SimulationOptions.DEFAULT
                .with(Schedulers.KUBE)
                .with(this::choose)
                .startedAs(new ClusterSnapshot(stored));
        return new Simulation(options, stored.all());
    }

    private String choose(Pod pod, List<String> nodes) {
        int tie = asked++ - before.size();
        if (tie < 0) {
            return before.get(asked - 1);
        }
        int index = tie < forced.size() ? forced.get(tie) : likeReal(pod, nodes);
        chosen.add(nodes.get(index));
        indexes.add(index);
        sizes.add(nodes.size());
        return nodes.get(index);
    }

    /** The index of the first node on which the pod, or another pod of its workload, is in the real cluster; 0 if there is none. */
    private int likeReal(Pod pod, List<String> nodes) {
        String key = Placements.key(pod);
        var left = new ArrayList<>(real.getOrDefault(key, List.of()).stream()
                .map(state -> state.split(" ", 2)[0])
                .toList());
        pods().stream()
                .filter(other ->
                        PodState.isBound(other) && Placements.key(other).equals(key))
                .forEach(other -> left.remove(other.getSpec().getNodeName()));
        return Math.max(
                0,
                nodes.indexOf(left.stream().filter(nodes::contains).findFirst().orElse("")));
    }

    /** Plays another step, with any of equal nodes. */
    Map<String, List<String>> next(List<PlayedAction> step) {
        before.addAll(chosen);
        forget();
        real = Map.of();
        forced = List.of();
        steps.add(step);
        play(step);
        return state();
    }

    /** Finds choices among equal nodes in the last step that have the same result as the real cluster; false if there are none. */
    boolean follow(Map<String, List<String>> really) {
        if (sizes.isEmpty()) {
            return false;
        }
        real = really;
        List<Integer> choices = new ArrayList<>();
        for (int replay = 0; replay < MAX_REPLAYS; replay++) {
            if (replay(choices).equals(really)) {
                return true;
            }
            choices = new ArrayList<>(indexes);
            if (!increment(choices)) {
                return false;
            }
        }
        return false;
    }

    /** Changes to the next combination of choices; false if there is none. Choices after the changed one are discarded. */
    private boolean increment(List<Integer> choices) {
        for (int i = choices.size() - 1; i >= 0; i--) {
            if (choices.get(i) + 1 < sizes.get(i)) {
                choices.set(i, choices.get(i) + 1);
                choices.subList(i + 1, choices.size()).clear();
                return true;
            }
        }
        return false;
    }

    private Map<String, List<String>> replay(List<Integer> choices) {
        forced = choices;
        forget();
        asked = 0;
        simulation = newSimulation();
        steps.forEach(this::play);
        return state();
    }

    private void forget() {
        chosen.clear();
        indexes.clear();
        sizes.clear();
    }

    private void play(List<PlayedAction> step) {
        for (PlayedAction action : step) {
            if (action instanceof PlayedAction.Create create) {
                simulation.apply(create.object());
            } else if (action instanceof PlayedAction.Delete delete) {
                simulation.delete(delete.name());
            } else if (action instanceof PlayedAction.Change change) {
                simulation.change(change.name(), change.patch());
            } else if (action instanceof PlayedAction.Pause pause) {
                simulation.pass(pause.duration());
            }
        }
        simulation.settle(LONGEST);
    }

    /**
     * Whether kube-scheduler may try several waiting pods again in the step, so that their order matters. A new pod or workload only wakes
     * pods that wait for other pods, or that use the same claim; deleting a pod that waits wakes none.
     */
    boolean mayRetrySeveralPods(List<PlayedAction> step) {
        List<Pod> waiting =
                pods().stream().filter(pod -> !PodState.isBound(pod)).toList();
        return waiting.size() > 1 && step.stream().anyMatch(action -> mayWake(waiting, action));
    }

    private static boolean mayWake(List<Pod> waiting, PlayedAction action) {
        if (action instanceof PlayedAction.Delete delete && delete.name().kind().equals("Pod")) {
            return waiting.stream()
                    .noneMatch(pod ->
                            pod.getMetadata().getName().equals(delete.name().name()));
        }
        if (action instanceof PlayedAction.Create create && isUser(create.object())) {
            List<String> claims = create.object().findValuesAsText("resourceClaimName");
            return waiting.stream()
                    .anyMatch(pod -> waitsForPods(pod)
                            || pod.getSpec().getResourceClaims().stream()
                                    .anyMatch(claim -> claims.contains(claim.getResourceClaimName())));
        }
        return true;
    }

    private static boolean isUser(JsonNode object) {
        return Simulation.isUser(object) || object.path("kind").asText().equals("ResourceClaimTemplate");
    }

    /** Whether kube-scheduler can refuse the pod because of the other pods that are there. */
    private static boolean waitsForPods(Pod pod) {
        JsonNode spec = ApiObjects.write(pod).path("spec");
        return spec.findValue("requiredDuringSchedulingIgnoredDuringExecution") != null
                || spec.findValuesAsText("whenUnsatisfiable").contains("DoNotSchedule");
    }

    /** The number of choices among equal nodes in the last step. */
    int ties() {
        return sizes.size();
    }

    ClusterObjects objects() {
        return ClusterObjects.of(simulation.cluster().all());
    }

    Map<String, List<String>> state() {
        return Placements.of(pods(), list(ResourceClaim.class), true);
    }

    private List<Pod> pods() {
        return list(Pod.class);
    }

    private <T extends HasMetadata> List<T> list(Class<T> type) {
        return simulation.cluster().list(type).stream()
                .filter(object -> namespace.equals(object.getMetadata().getNamespace()))
                .toList();
    }
}
