package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.scenario.ScenarioManifest;
import dev.fakegpu.simulate.scenario.ScenarioRun;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The same random steps on a real control plane and in memory: pods are created and deleted, and a node is cordoned. */
final class MirroredScenario {

    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final List<String> CLASSES = List.of("gpu.example.com", "mig.example.com", "vgpu.gpu.example.com");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The state of a pod that is not placed. */
    static final String WAITS = "waits";

    private final KubernetesClient client;
    private final ClusterScenario real;
    private final String schedulerName;
    private final Random random;
    private final Simulation simulation;
    private final ScenarioRun run;
    private final List<String> steps = new ArrayList<>();
    private final Map<String, ObjectNode> podsAndClaims = new TreeMap<>();

    /** Pods that are not scheduled in memory. */
    private final Set<String> held = new TreeSet<>();

    /** @param schedulerName the scheduler of all pods */
    MirroredScenario(
            KubernetesClient client, ClusterScenario real, SimulationOptions options, String schedulerName, long seed) {
        this.client = client;
        this.real = real;
        this.schedulerName = schedulerName;
        this.random = new Random(seed);
        this.simulation = new Simulation(options);
        this.run = new ScenarioRun(simulation);
    }

    /** Publishes the same FakeGpu on both sides. */
    void start() {
        real.apply("simulation.yaml");
        simulation.apply(withoutStatus());
        settle();
    }

    /** The steps so far. */
    String steps() {
        return String.join("; ", steps);
    }

    void settle() {
        simulation.settle(LONGEST);
    }

    // --- steps

    void next(int step) {
        List<String> pods = List.copyOf(simulated().keySet());
        int choice = random.nextInt(10);
        if (choice < 6 || pods.isEmpty()) {
            create("pod-%02d".formatted(step));
        } else if (choice < 9) {
            delete(pods.get(random.nextInt(pods.size())));
        } else {
            cordon(random.nextBoolean());
        }
    }

    private void create(String name) {
        String request = random.nextInt(4) == 0
                ? """
                {"name": "gpu", "firstAvailable": [{"name": "first", "deviceClassName": "%s"}, {"name": "second", "deviceClassName": "%s"}]}""".formatted(anyClass(), anyClass())
                : """
                {"name": "gpu", "exactly": {"deviceClassName": "%s", "count": %d}}""".formatted(anyClass(), 1 + random.nextInt(2));
        String selector = random.nextInt(5) == 0 ? "{\"kubernetes.io/hostname\": \"simulation-node-1\"}" : "{}";
        steps.add("create " + name + ": " + request + " on " + selector);
        ObjectNode claim = tree("""
                {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
                 "metadata": {"namespace": "%s", "name": "%s"}, "spec": {"devices": {"requests": [%s]}}}""".formatted(real.namespace(), name, request));
        ObjectNode pod = tree("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "%1$s", "name": "%2$s"},
                 "spec": {"schedulerName": "%3$s", "nodeSelector": %4$s,
                          "tolerations": [{"key": "%5$s", "operator": "Exists"}],
                          "containers": [{"name": "main", "image": "busybox:1", "resources": {"claims": [{"name": "gpu"}]}}],
                          "resourceClaims": [{"name": "gpu", "resourceClaimName": "%2$s"}]}}""".formatted(real.namespace(), name, schedulerName, selector, Labels.SIMULATED));
        apply(claim);
        apply(pod);
        podsAndClaims.put("claim/" + name, claim);
        podsAndClaims.put("pod/" + name, pod);
    }

    private String anyClass() {
        return CLASSES.get(random.nextInt(CLASSES.size()));
    }

    private void apply(ObjectNode object) {
        client.resource(client.getKubernetesSerialization().<HasMetadata>unmarshal(object.toString()))
                .create();
        simulation.apply(object);
    }

    private void delete(String name) {
        steps.add("delete " + name);
        real.deletePod(name);
        real.deleteClaim(name);
        // Until then, the devices of the pod are in use, and the next pod would get others.
        real.await(() -> assertThat(real.storedClaims())
                .noneMatch(claim -> claim.getMetadata().getName().equals(name)));
        deleteSimulated(name);
    }

    private void deleteSimulated(String name) {
        held.remove(name);
        play("{\"delete\": [\"pod/%1$s/%2$s\", \"resourceclaim/%1$s/%2$s\"]}".formatted(real.namespace(), name));
    }

    private void cordon(boolean unschedulable) {
        steps.add((unschedulable ? "cordon" : "uncordon") + " simulation-node-0");
        real.cordon("simulation-node-0", unschedulable);
        if (!unschedulable) {
            real.awaitUncordoned("simulation-node-0"); // otherwise the next pod may be placed elsewhere
        }
        change(
                "node/simulation-node-0",
                "{\"spec\": {\"unschedulable\": %s}}".formatted(unschedulable ? "true" : "null"));
    }

    // --- only in memory

    /** Keeps waiting pods from being scheduled in memory. */
    void hold() {
        waiting().stream()
                .filter(held::add)
                .forEach(pod -> changeSpec(pod, "{\"schedulingGates\": [{\"name\": \"held\"}]}"));
    }

    /** Lets a held pod be scheduled, only to this node. */
    void release(String pod, String node) {
        held.remove(pod);
        changeSpec(
                pod,
                "{\"schedulingGates\": null, \"nodeSelector\": {\"kubernetes.io/hostname\": \"%s\"}}".formatted(node));
    }

    /** Lets all held pods be scheduled, to any node that they select. */
    void release() {
        waiting().stream().filter(held::remove).forEach(pod -> changeSpec(pod, "{\"schedulingGates\": null}"));
    }

    /** Undoes the placement of a pod: it is created again, and held. */
    void takeBack(String pod) {
        deleteSimulated(pod);
        simulation.apply(podsAndClaims.get("claim/" + pod));
        simulation.apply(podsAndClaims.get("pod/" + pod));
        hold();
    }

    private List<String> waiting() {
        return simulated().entrySet().stream()
                .filter(pod -> pod.getValue().equals(WAITS))
                .map(Map.Entry::getKey)
                .toList();
    }

    private void changeSpec(String pod, String spec) {
        change("pod/" + real.namespace() + "/" + pod, "{\"spec\": " + spec + "}");
    }

    private void change(String object, String patch) {
        play("{\"change\": {\"object\": \"%s\", \"patch\": %s}}".formatted(object, patch));
    }

    private void play(String step) {
        String json = "{\"apiVersion\": \"fakegpu.dev/v1alpha1\", \"kind\": \"Scenario\", \"steps\": [" + step + "]}";
        ScenarioManifest.read(tree(json), file -> List.of()).steps().forEach(each -> run.play(1, each));
    }

    private static ObjectNode tree(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private JsonNode withoutStatus() {
        ObjectNode fakeGpu = JSON.valueToTree(real.storedFakeGpu());
        fakeGpu.remove("status");
        fakeGpu.putObject("metadata").put("name", "simulation");
        return fakeGpu;
    }

    // --- states by pod: its node and devices, or that it waits

    Map<String, String> simulated() {
        var view = simulation.view();
        var devices = new TreeMap<String, String>();
        view.claims().forEach(claim -> devices.put(claim.name(), claim.pool() + claim.devices()));
        var pods = new TreeMap<String, String>();
        view.pods()
                .forEach(pod ->
                        pods.put(pod.name(), pod.isRunning() ? pod.node() + " " + devices.get(pod.name()) : WAITS));
        return pods;
    }

    Map<String, String> real() {
        var devices = new TreeMap<String, String>();
        real.storedClaims()
                .forEach(claim -> devices.put(claim.getMetadata().getName(), devices(Allocations.devices(claim))));
        var pods = new TreeMap<String, String>();
        real.storedPods().forEach(pod -> pods.put(pod.getMetadata().getName(), state(pod, devices)));
        return pods;
    }

    private static String devices(List<DeviceId> devices) {
        return (devices.isEmpty() ? null : devices.get(0).pool())
                + devices.stream().map(DeviceId::device).toList().toString();
    }

    /** A pod counts as waiting only after a scheduler has refused it. */
    private static String state(Pod pod, Map<String, String> devices) {
        if ("Running".equals(pod.getStatus().getPhase())) {
            return pod.getSpec().getNodeName() + " "
                    + devices.get(pod.getMetadata().getName());
        }
        boolean isRefused = !PodState.isBound(pod)
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> "Unschedulable".equals(condition.getReason()));
        return isRefused ? WAITS : "is not decided about";
    }
}
