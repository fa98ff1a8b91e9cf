package dev.fakegpu.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.simulate.ClusterView;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * Runs the gangs of {@link GangRow} with the companion, in a simulation, and with the real kube-scheduler 1.37 with its gates for gangs on.
 * Both get the same objects.
 */
final class GangChecks {

    /** The gates for PodGroups and their optional features (kube_features.go of 1.37). */
    static final String GATES =
            "GenericWorkload=true,DRAWorkloadResourceClaims=true,TopologyAwareWorkloadScheduling=true";

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Duration QUIET = Duration.ofSeconds(8);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /**
     * @param real the result of kube-scheduler
     * @param companion the result of the companion
     */
    record Result(GangRow row, String real, String companion) {}

    private GangChecks() {}

    static List<Result> run() {
        var options = ControlPlaneOptions.withSchedulerAndControllerManager()
                .featureGates(GATES)
                .runtimeConfig("scheduling.k8s.io/v1beta1=true");
        try (var controlPlane = ControlPlane.start(options)) {
            var client = controlPlane.client();
            apply(client, Manifests.deviceClass("gang.example.com"));
            var results = new ArrayList<Result>();
            for (GangRow row : GangRow.all()) {
                var result = new Result(row, real(client, row), companion(row));
                System.out.printf("  %s%n    %s%n    %s%n", row.id(), result.real(), result.companion());
                results.add(result);
            }
            return results;
        }
    }

    // --- kube-scheduler

    private static String real(KubernetesClient client, GangRow row) {
        apply(client, Manifests.namespace(row.id()));
        for (String object : row.objects()) {
            if (object.equals(GangRow.WAIT_FOR_LOW)) {
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> states(client, row).getOrDefault("low", "").startsWith("on "));
            } else {
                documents(object).forEach(each -> apply(client, each.replace("$scheduler", "default-scheduler")));
            }
        }
        var last = new ArrayList<Map<String, String>>();
        Awaitility.await(row.id() + " to be decided and to stay so")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    Map<String, String> now = states(client, row);
                    if (!last.isEmpty() && !last.get(0).equals(now)) {
                        last.clear();
                    }
                    last.add(now);
                    return last.size() > QUIET.toSeconds();
                });
        return sentence(states(client, row)) + conditions(client, row) + consumers(client, row);
    }

    private static Map<String, String> states(KubernetesClient client, GangRow row) {
        var states = new LinkedHashMap<String, String>();
        for (String name : row.pods()) {
            Pod pod = client.pods().inNamespace(row.id()).withName(name).get();
            states.put(name, pod == null ? "deleted" : state(pod));
        }
        return states;
    }

    private static String state(Pod pod) {
        String node = pod.getSpec().getNodeName();
        if (node != null) {
            return pod.getMetadata().getDeletionTimestamp() == null ? "on " + node : "being deleted";
        }
        return pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("PodScheduled"))
                .map(PodCondition::getMessage)
                .filter(Objects::nonNull)
                .findFirst()
                .map(message -> "waits: " + message)
                .orElse("waits, without a condition");
    }

    private static String conditions(KubernetesClient client, GangRow row) {
        PodGroup group = client.resources(PodGroup.class)
                .inNamespace(row.id())
                .withName("ring")
                .get();
        JsonNode status = group == null ? null : YAML.valueToTree(group).path("status");
        if (status == null || status.path("conditions").isEmpty()) {
            return "";
        }
        var words = new ArrayList<String>();
        for (JsonNode each : status.path("conditions")) {
            words.add("`%s=%s` %s"
                    .formatted(
                            each.path("type").asText(),
                            each.path("status").asText(),
                            each.path("reason").asText()));
        }
        return "; PodGroup: " + String.join(", ", words);
    }

    private static String consumers(KubernetesClient client, GangRow row) {
        ResourceClaim claim = client.resources(ResourceClaim.class)
                .inNamespace(row.id())
                .withName("shared")
                .get();
        if (claim == null || claim.getStatus() == null) {
            return "";
        }
        return "; claim reserved for "
                + claim.getStatus().getReservedFor().stream()
                        .map(consumer -> consumer.getResource() + "/" + consumer.getName())
                        .collect(Collectors.joining(", "));
    }

    private static void apply(KubernetesClient client, String yaml) {
        client.resource(client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
                .fieldManager("evidence")
                .forceConflicts()
                .serverSideApply();
    }

    // --- the companion

    /** Where the companion places the pods, in a simulation. */
    static String companion(GangRow row) {
        var simulation = new Simulation(SimulationOptions.DEFAULT);
        simulation.apply(tree(Manifests.deviceClass("gang.example.com")));
        simulation.apply(tree(Manifests.namespace(row.id())));
        for (String object : row.objects()) {
            if (object.equals(GangRow.WAIT_FOR_LOW)) {
                simulation.settle(PATIENCE);
            } else {
                documents(object)
                        .forEach(each -> simulation.apply(tree(each.replace("$scheduler", "fakegpu-scheduler"))));
            }
        }
        simulation.settle(PATIENCE);
        ClusterView view = simulation.view();
        var states = new LinkedHashMap<String, String>();
        for (String pod : row.pods()) {
            states.put(pod, view.pod(row.id(), pod).map(GangChecks::state).orElse("deleted"));
        }
        return sentence(states)
                + view.claim(row.id(), "shared").map(GangChecks::consumers).orElse("");
    }

    private static String state(ClusterView.PodRow pod) {
        return pod.waiting() == null
                ? "on " + pod.node()
                : "waits: " + pod.waiting().sentence();
    }

    private static String consumers(ClusterView.ClaimRow claim) {
        var consumers =
                claim.pods().stream().map(pod -> "pods/" + pod).collect(Collectors.toCollection(ArrayList::new));
        claim.otherConsumers().forEach(other -> consumers.add(other.resource() + "/" + other.name()));
        return "; claim reserved for " + String.join(", ", consumers);
    }

    // --- text

    /** Combines pods with the same state. */
    private static String sentence(Map<String, String> states) {
        var pods = new LinkedHashMap<String, List<String>>();
        states.forEach((pod, state) ->
                pods.computeIfAbsent(state, any -> new ArrayList<>()).add(pod));
        return pods.entrySet().stream()
                .map(entry -> sentence(entry.getValue(), entry.getKey()))
                .collect(Collectors.joining("; "));
    }

    private static String sentence(List<String> pods, String state) {
        return String.join(", ", pods) + " " + (pods.size() == 1 ? state : state.replaceFirst("^waits", "wait"));
    }

    private static List<String> documents(String yaml) {
        return List.of(yaml.split("(?m)^---\n"));
    }

    private static JsonNode tree(String yaml) {
        try {
            return YAML.readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
