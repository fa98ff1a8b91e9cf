package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.whatif.Attempt;
import dev.fakegpu.cluster.whatif.Changes;
import dev.fakegpu.cluster.whatif.WhatIf;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.kube.watch.ObjectLookup;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.simulate.change.PlayedChanges;
import dev.fakegpu.simulate.memory.ObjectName;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * For random clusters and changes, {@code what-if} predicts what {@code simulate --from-cluster} does with the same objects. The properties
 * {@code foretold.clusters} and {@code foretold.seed} set the number of clusters and the first seed.
 */
class ForetoldTest {

    private static final int CLUSTERS = Integer.getInteger("foretold.clusters", 30);
    private static final long SEED = Long.getLong("foretold.seed", 1);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final String NAMESPACE = "team";
    private static final String WAITS = "waits";
    private static final String DEVICES = "(devices)";
    private static final String FORBIDDEN = "(forbidden)";

    private static ClusterObjects cluster(RandomChanges random, SimulationOptions options) {
        var simulation = new Simulation(options);
        simulation.apply(
                Stream.concat(Stream.of(RandomChanges.deviceClass()), random.cluster().stream())
                        .toList(),
                LONGEST);
        return random.crowded(ClusterObjects.of(simulation.cluster().all()))
                .with(List.of(options.asSettings().asDeployment()));
    }

    @Test
    void whatIfPredictsWhatTheSimulationDoes() {
        int placed = 0;
        int waiting = 0;
        var compared = new SoftAssertions();
        for (long seed : LongStream.range(SEED, SEED + CLUSTERS).toArray()) {
            var random = new RandomChanges(seed, NAMESPACE);
            SimulationOptions options = random.options();
            ClusterObjects before = cluster(random, options);
            List<JsonNode> objects = random.changes();

            WhatIf answer =
                    PlayedChanges.of(before, new Changes().apply(objects), GateSources.NONE, KubernetesVersion.NEWEST);
            var simulation = new Simulation(options, before.all());
            simulation.apply(objects, LONGEST);

            compared.assertThat(foretold(answer, before))
                    .as("seed %d: %s with %s", seed, objects, options)
                    .isEqualTo(became(simulation, before, forbidden(options, before)));
            placed += (int) answer.tried().stream().filter(Attempt::isPlaced).count();
            waiting += (int) answer.tried().stream()
                    .filter(attempt -> !attempt.isPlaced())
                    .count();
        }
        compared.assertAll();
        assertThat(placed).as("pods and claims that are placed").isGreaterThan(CLUSTERS / 4);
        assertThat(waiting).as("pods and claims that wait").isGreaterThan(CLUSTERS / 4);
    }

    /** The node of each pod, and all devices that are allocated for pods and claims. */
    private static Map<String, String> foretold(WhatIf answer, ClusterObjects before) {
        var states = new TreeMap<String, String>(states(before.pods(), before::claim));
        List<Attempt> attempts =
                answer.all().filter(attempt -> !attempt.needsPod()).toList();
        attempts.stream()
                .filter(attempt -> attempt.kind().equals("pod") && !attempt.isForbidden())
                .forEach(attempt ->
                        states.put(attempt.name(), attempt.isPlaced() ? String.valueOf(attempt.node()) : WAITS));
        states.put(DEVICES, sorted(attempts.stream().flatMap(attempt -> attempt.devices().stream())));
        states.put(
                FORBIDDEN,
                attempts.stream()
                        .filter(Attempt::isForbidden)
                        .map(Attempt::name)
                        .sorted()
                        .collect(Collectors.joining(" ")));
        return states;
    }

    /** The objects that are already forbidden in the cluster as it is, and are therefore not reported. */
    private static Set<ObjectName> forbidden(SimulationOptions options, ClusterObjects before) {
        var simulation = new Simulation(options, before.all());
        simulation.settle(LONGEST);
        return simulation.forbidden().keySet();
    }

    private static Map<String, String> became(
            Simulation simulation, ClusterObjects before, Set<ObjectName> forbiddenBefore) {
        var states = new TreeMap<String, String>(
                states(simulation.cluster().list(Pod.class), simulation.stores().claims()::get));
        states.put(
                DEVICES,
                sorted(simulation.cluster().list(ResourceClaim.class).stream()
                        .filter(claim -> before.claim(
                                        NAMESPACE, claim.getMetadata().getName())
                                .filter(Allocations::isAllocated)
                                .isEmpty())
                        .flatMap(claim -> Allocations.devices(claim).stream())));
        states.put(
                FORBIDDEN,
                simulation.forbidden().keySet().stream()
                        .filter(name -> !forbiddenBefore.contains(name))
                        .map(ObjectName::name)
                        .sorted()
                        .collect(Collectors.joining(" ")));
        return states;
    }

    /** The states of pods as {@code kubectl get pods} shows them; a pod with a node waits while it has no devices. */
    private static Map<String, String> states(List<Pod> pods, ObjectLookup<ResourceClaim> claims) {
        return pods.stream()
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getName(),
                        pod -> PodState.isBound(pod)
                                        && PodClaims.of(pod, claims).areUsableBy(pod)
                                ? pod.getSpec().getNodeName()
                                : WAITS));
    }

    private static String sorted(Stream<DeviceId> devices) {
        return devices.map(DeviceId::toString).sorted().collect(Collectors.joining(" "));
    }
}
