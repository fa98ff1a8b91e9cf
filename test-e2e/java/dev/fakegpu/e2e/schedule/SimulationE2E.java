package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.allocate.Feature;
import dev.fakegpu.allocate.pool.GroupPolicy;
import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.schedule.CompanionOptions;
import dev.fakegpu.schedule.fit.PodState;
import dev.fakegpu.simulate.ScenarioManifest;
import dev.fakegpu.simulate.ScenarioRun;
import dev.fakegpu.simulate.Simulation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random scenarios on a real control plane and in memory. After each step the same pods run and wait, on the same nodes, with the same
 * devices.
 */
@Tag("long")
class SimulationE2E {

    private static final int SCENARIOS = Integer.getInteger("simulated.scenarios", 3);
    private static final int STEPS = 20;
    private static final long SEED = Long.getLong("e2e.seed", 1);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final List<String> CLASSES = List.of("gpu.example.com", "mig.example.com", "vgpu.gpu.example.com");
    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    private final Simulation simulation = new Simulation(
            new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 1));
    private final ScenarioRun run = new ScenarioRun(simulation);
    private final List<String> steps = new ArrayList<>();

    static LongStream seeds() {
        return LongStream.range(SEED, SEED + SCENARIOS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theSamePodsRunWithTheSameDevices(long seed) {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            scenario.apply("simulation.yaml");
            warmUp(scenario);
            simulation.apply(withoutStatus(scenario));
            simulation.settle(LONGEST);
            var random = new Random(seed);
            for (int step = 0; step < STEPS; step++) {
                next(scenario, random, step);
                simulation.settle(LONGEST);
                scenario.await(() -> assertThat(real(scenario))
                        .as("seed %d, after %s", seed, String.join("; ", steps))
                        .isEqualTo(simulated()));
            }
            scenario.cordon("simulation-node-0", false); // for whoever comes next
        }
    }

    /** On a busy machine the first decision of a process can reach the limit of processor time, and then goes on with the next node. */
    private static void warmUp(ClusterScenario scenario) {
        scenario.claim("warm-up", CLASSES.get(1));
        scenario.podForCompanion("warm-up", "warm-up");
        scenario.awaitRunning("warm-up");
        scenario.deletePod("warm-up");
        scenario.deleteClaim("warm-up");
        scenario.await(() -> assertThat(scenario.storedClaims()).isEmpty());
        scenario.await(() -> assertThat(scenario.storedPods()).isEmpty());
    }

    // --- steps

    private void next(ClusterScenario scenario, Random random, int step) {
        List<String> pods = List.copyOf(simulated().keySet());
        int choice = random.nextInt(10);
        if (choice < 6 || pods.isEmpty()) {
            create(scenario, random, "pod-%02d".formatted(step));
        } else if (choice < 9) {
            delete(scenario, pods.get(random.nextInt(pods.size())));
        } else {
            cordon(scenario, random.nextBoolean());
        }
    }

    private void create(ClusterScenario scenario, Random random, String name) {
        String request = random.nextInt(4) == 0
                ? """
                {"name": "gpu", "firstAvailable": [{"name": "first", "deviceClassName": "%s"}, {"name": "second", "deviceClassName": "%s"}]}""".formatted(classOf(random), classOf(random))
                : """
                {"name": "gpu", "exactly": {"deviceClassName": "%s", "count": %d}}""".formatted(classOf(random), 1 + random.nextInt(2));
        String selector = random.nextInt(5) == 0 ? "{\"kubernetes.io/hostname\": \"simulation-node-1\"}" : "{}";
        steps.add("create " + name + ": " + request + " on " + selector);
        apply("""
                {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
                 "metadata": {"namespace": "%s", "name": "%s"}, "spec": {"devices": {"requests": [%s]}}}""".formatted(scenario.namespace(), name, request));
        apply("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "%1$s", "name": "%2$s"},
                 "spec": {"schedulerName": "%3$s", "nodeSelector": %4$s,
                          "tolerations": [{"key": "%5$s", "operator": "Exists"}],
                          "containers": [{"name": "main", "image": "busybox:1", "resources": {"claims": [{"name": "gpu"}]}}],
                          "resourceClaims": [{"name": "gpu", "resourceClaimName": "%2$s"}]}}""".formatted(scenario.namespace(), name, Labels.SCHEDULER_NAME, selector, Labels.SIMULATED));
    }

    private static String classOf(Random random) {
        return CLASSES.get(random.nextInt(CLASSES.size()));
    }

    private void apply(String json) {
        var client = cluster.client();
        client.resource(client.getKubernetesSerialization().<HasMetadata>unmarshal(json))
                .create();
        simulation.apply(tree(json));
    }

    private void delete(ClusterScenario scenario, String name) {
        steps.add("delete " + name);
        scenario.deletePod(name);
        scenario.deleteClaim(name);
        play("{\"delete\": [\"pod/%1$s/%2$s\", \"resourceclaim/%1$s/%2$s\"]}".formatted(scenario.namespace(), name));
    }

    private void cordon(ClusterScenario scenario, boolean unschedulable) {
        steps.add((unschedulable ? "cordon" : "uncordon") + " simulation-node-0");
        scenario.cordon("simulation-node-0", unschedulable);
        play("{\"change\": {\"object\": \"node/simulation-node-0\", \"patch\": {\"spec\": {\"unschedulable\": %s}}}}"
                .formatted(unschedulable ? "true" : "null"));
    }

    private void play(String step) {
        String json = "{\"apiVersion\": \"fakegpu.dev/v1alpha1\", \"kind\": \"Scenario\", \"steps\": [" + step + "]}";
        ScenarioManifest.read(tree(json), file -> List.of()).steps().forEach(each -> run.play(1, each));
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static JsonNode withoutStatus(ClusterScenario scenario) {
        ObjectNode fakeGpu = JSON.valueToTree(scenario.storedFakeGpu());
        fakeGpu.remove("status");
        fakeGpu.putObject("metadata").put("name", "simulation");
        return fakeGpu;
    }

    // --- what is so, by pod: its node and devices, or that it waits

    private Map<String, String> simulated() {
        var view = simulation.view();
        var devices = new TreeMap<String, String>();
        view.claims().forEach(claim -> devices.put(claim.name(), claim.pool() + claim.devices()));
        var pods = new TreeMap<String, String>();
        view.pods()
                .forEach(pod ->
                        pods.put(pod.name(), pod.isRunning() ? pod.node() + " " + devices.get(pod.name()) : "waits"));
        return pods;
    }

    private static Map<String, String> real(ClusterScenario scenario) {
        var devices = new TreeMap<String, String>();
        scenario.storedClaims()
                .forEach(claim -> devices.put(claim.getMetadata().getName(), devices(Allocations.devices(claim))));
        var pods = new TreeMap<String, String>();
        scenario.storedPods().forEach(pod -> pods.put(pod.getMetadata().getName(), state(pod, devices)));
        return pods;
    }

    private static String devices(List<DeviceId> devices) {
        return (devices.isEmpty() ? null : devices.get(0).pool())
                + devices.stream().map(DeviceId::device).toList().toString();
    }

    /** A pod waits only once that has been decided. */
    private static String state(Pod pod, Map<String, String> devices) {
        if ("Running".equals(pod.getStatus().getPhase())) {
            return pod.getSpec().getNodeName() + " "
                    + devices.get(pod.getMetadata().getName());
        }
        boolean isRefused = !PodState.isBound(pod)
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> "Unschedulable".equals(condition.getReason()));
        return isRefused ? "waits" : "is not decided about";
    }
}
