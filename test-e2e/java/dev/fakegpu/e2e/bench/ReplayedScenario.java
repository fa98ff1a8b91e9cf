package dev.fakegpu.e2e.bench;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.Turns;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A scenario in memory. kube-scheduler chooses among equal nodes at random, and tries pods again before, between or after concurrent
 * writes. So the scenario can be replayed from the beginning with other choices and other {@link Turns} in its last step. Not
 * thread-safe.
 */
final class ReplayedScenario {

    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int MAX_REPLAYS = 60;

    /** @param turns those of the real cluster, as far as the result shows them */
    private record Step(List<PlayedAction> actions, Turns turns) {}

    private final List<Step> steps = new ArrayList<>();

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
        steps.add(new Step(step, Turns.CONTROLLERS_FIRST));
        play(steps.get(steps.size() - 1));
        return state();
    }

    /** Finds choices and turns in the last step that have the same result as the real cluster; false if there are none. */
    boolean follow(Map<String, List<String>> really) {
        real = really;
        if (Arrays.stream(Turns.values()).anyMatch(turns -> follow(really, turns))) {
            return true;
        }
        setTurns(Turns.CONTROLLERS_FIRST);
        replay(List.of());
        return false;
    }

    private void setTurns(Turns turns) {
        int last = steps.size() - 1;
        steps.set(last, new Step(steps.get(last).actions(), turns));
    }

    private boolean follow(Map<String, List<String>> really, Turns turns) {
        setTurns(turns);
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

    private void play(Step step) {
        simulation.setTurns(step.turns());
        for (PlayedAction action : step.actions()) {
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

    boolean hasWaitingPods() {
        return !pods().stream().allMatch(PodState::isBound);
    }

    /** Whether kube-scheduler would try several of the waiting pods again in the step, so that their order matters. */
    boolean wouldRetrySeveralPods(List<PlayedAction> step) {
        if (pods().stream().filter(pod -> !PodState.isBound(pod)).count() < 2) {
            return false;
        }
        List<Integer> made = List.copyOf(indexes);
        long attempts = simulation.attempts();
        Set<String> known = pods().stream().map(ReplayedScenario::uid).collect(Collectors.toSet());
        play(new Step(step, Turns.SCHEDULERS_FIRST));
        long retries = simulation.attempts() - attempts - newlyBound(known);
        replay(made);
        return retries > 1;
    }

    /** The number of pods that were created and bound, for each of which there was an attempt. */
    private long newlyBound(Set<String> known) {
        return pods().stream()
                .filter(pod -> PodState.isBound(pod) && !known.contains(uid(pod)))
                .count();
    }

    /** The number of choices among equal nodes in the last step. */
    int ties() {
        return sizes.size();
    }

    /** Whether the real cluster showed in the last step that the scheduler had its turn at another time than in the simulation. */
    boolean isRace() {
        return steps.get(steps.size() - 1).turns() != Turns.CONTROLLERS_FIRST;
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

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }

    private <T extends HasMetadata> List<T> list(Class<T> type) {
        return simulation.cluster().list(type).stream()
                .filter(object -> namespace.equals(object.getMetadata().getNamespace()))
                .toList();
    }
}
