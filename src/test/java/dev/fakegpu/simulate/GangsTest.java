package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.ClaimConsumer;
import dev.fakegpu.simulate.ClusterView.ClaimRow;
import dev.fakegpu.simulate.ClusterView.PodRow;
import dev.fakegpu.simulate.ClusterView.Waiting;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.testing.ClusterYaml;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pods of a PodGroup on four nodes with one GPU each, two in each rack. */
class GangsTest {

    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static Simulation simulation(Schedulers schedulers) {
        var simulation = new Simulation(SimulationOptions.DEFAULT.with(schedulers));
        apply(simulation, """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: gpus}
                spec:
                  driver: gpu.example.com
                  nodes: {simulated: {count: 4}}
                  model: L40S
                  count: 1
                  allocator: %s
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: one}
                spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
                """.formatted(schedulers == Schedulers.COMPANION ? "Companion" : "KubeScheduler"));
        for (int node = 0; node < 4; node++) {
            ObjectNode labels = JsonNodeFactory.instance.objectNode();
            labels.withObject("/metadata/labels").put("rack", node < 2 ? "a" : "b");
            assertThat(simulation.change(new ObjectName("Node", "default", "gpus-node-" + node), labels))
                    .isTrue();
        }
        simulation.settle(LONGEST);
        return simulation;
    }

    private static void group(Simulation simulation, int minCount, String more) {
        apply(simulation, """
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {name: ring}
                spec: {schedulingPolicy: {gang: {minCount: %d}}%s}
                """.formatted(minCount, more));
    }

    private static void pods(Simulation simulation, Schedulers schedulers, int first, int last) {
        for (int pod = first; pod <= last; pod++) {
            pod(simulation, schedulers, "worker-" + pod, "resourceClaimTemplateName: one");
        }
    }

    private static void pod(Simulation simulation, Schedulers schedulers, String name, String claim) {
        apply(simulation, podYaml(schedulers, name, claim));
    }

    private static String podYaml(Schedulers schedulers, String name, String claim) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s, labels: {name: %1$s}}
                spec:
                  schedulerName: %2$s
                  schedulingGroup: {podGroupName: ring}
                  tolerations: [{key: fakegpu.dev/simulated, operator: Exists}]
                  containers: [{name: main, image: app, resources: {claims: [{name: gpu}], requests: {cpu: "1"}}}]
                  resourceClaims: [{name: gpu, %3$s}]
                """.formatted(
                        name, schedulers == Schedulers.COMPANION ? "fakegpu-scheduler" : "default-scheduler", claim);
    }

    private static void apply(Simulation simulation, String yaml) {
        simulation.apply(
                ClusterYaml.json(yaml).stream()
                        .map(json -> ApiObjects.inNamespace(json, "default"))
                        .toList(),
                LONGEST);
    }

    private static void delete(Simulation simulation, String kind, String name) {
        assertThat(simulation.delete(new ObjectName(kind, "default", name))).isTrue();
        simulation.settle(LONGEST);
    }

    private static List<String> running(Simulation simulation) {
        return simulation.view().pods().stream()
                .filter(PodRow::isRunning)
                .map(PodRow::name)
                .toList();
    }

    private static Waiting waiting(Simulation simulation, String pod) {
        return Objects.requireNonNull(
                simulation.view().pod("default", pod).orElseThrow().waiting());
    }

    private static List<String> held(Simulation simulation) {
        return simulation.view().claims().stream()
                .filter(claim -> !claim.devices().isEmpty())
                .map(ClaimRow::name)
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void podsWaitUntilThereAreEnoughOfThem(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        pods(simulation, schedulers, 0, 1);
        assertThat(waiting(simulation, "worker-0"))
                .isEqualTo(new Waiting("GangIncomplete", "PodGroup \"ring\" does not exist"));
        group(simulation, 3, "");
        assertThat(waiting(simulation, "worker-1"))
                .isEqualTo(new Waiting("GangIncomplete", "PodGroup \"ring\" needs 3 pods, 2 exist"));
        assertThat(held(simulation)).isEmpty();

        pods(simulation, schedulers, 2, 2);
        assertThat(running(simulation)).containsExactly("worker-0", "worker-1", "worker-2");

        pods(simulation, schedulers, 3, 3);
        assertThat(running(simulation)).containsExactly("worker-0", "worker-1", "worker-2", "worker-3");
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aGangThatDoesNotFitHoldsNothing(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        group(simulation, 5, "");
        pods(simulation, schedulers, 0, 4);

        assertThat(running(simulation)).isEmpty();
        assertThat(held(simulation)).isEmpty();
        assertThat(Stream.of("worker-0", "worker-4").map(pod -> waiting(simulation, pod)))
                .containsOnly(new Waiting(
                        "GangDoesNotFit",
                        "PodGroup \"ring\" needs 5 pods at once: 4 of 5 pods fit; worker-4 needs 1 device of class"
                                + " \"gpu.example.com\", but the other pods leave too few that fit"));

        // When: one is enough
        change(simulation, 4);

        // Then
        assertThat(running(simulation)).containsExactly("worker-0", "worker-1", "worker-2", "worker-3");
        assertThat(waiting(simulation, "worker-4").reason()).isEqualTo("DevicesInUse");
        delete(simulation, "Pod", "worker-1");
        assertThat(running(simulation)).containsExactly("worker-0", "worker-2", "worker-3", "worker-4");
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void podsOfOtherSchedulersCountOnceTheyHaveANode(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        createShared(simulation);
        group(simulation, 2, "");
        String other = podYaml(schedulers, "worker-1", "resourceClaimName: both")
                .replaceAll("schedulerName: .*", "schedulerName: of-others");
        apply(simulation, other);
        reserve(simulation, "both", "worker-1");
        pods(simulation, schedulers, 0, 0);

        assertThat(waiting(simulation, "worker-0"))
                .isEqualTo(new Waiting(
                        "GangIncomplete",
                        "PodGroup \"ring\" needs 2 pods, 1 exists; 1 pod of another scheduler does not count"));
        assertThat(held(simulation)).containsExactly("both");

        ObjectNode bound = JsonNodeFactory.instance.objectNode();
        bound.withObject("/spec").put("nodeName", "gpus-node-3");
        simulation.change(new ObjectName("Pod", "default", "worker-1"), bound);
        simulation.settle(LONGEST);
        assertThat(running(simulation)).contains("worker-0");
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aMemberWithSchedulingGatesIsNamed(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        group(simulation, 2, "");
        pods(simulation, schedulers, 0, 0);
        apply(
                simulation,
                podYaml(schedulers, "worker-1", "resourceClaimTemplateName: one")
                        + "  schedulingGates: [{name: example.com/later}]\n");

        assertThat(waiting(simulation, "worker-0"))
                .isEqualTo(new Waiting(
                        "GangIncomplete",
                        "PodGroup \"ring\" needs 2 pods at once, and pod \"worker-1\" cannot be placed: it is not scheduled before its"
                                + " scheduling gates are removed: example.com/later"));
    }

    /** On gpus-node-0, a device plugin serves the extended resource, so that the pod there needs no claim. */
    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void membersNeedAClaimForExtendedResourcesWhereNoDevicePluginServesThem(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        String resource = "deviceclass.resource.kubernetes.io/gpu.example.com";
        ObjectNode plugin = JsonNodeFactory.instance.objectNode();
        plugin.withObject("/status/allocatable").put(resource, "1");
        simulation.change(new ObjectName("Node", "default", "gpus-node-0"), plugin);
        group(simulation, 4, "");
        for (int pod = 0; pod < 4; pod++) {
            apply(
                    simulation,
                    podYaml(schedulers, "worker-" + pod, "resourceClaimName: none")
                            .replaceAll("\\n.*resourceClaims:.*", "")
                            .replace(
                                    "claims: [{name: gpu}], requests: {",
                                    "limits: {%1$s: 1}, requests: {%1$s: 1, ".formatted(resource)));
        }

        assertThat(running(simulation)).hasSize(4);
        assertThat(held(simulation)).hasSize(3);
    }

    /** Allocates a claim as the scheduler of a pod would before it binds the pod. */
    private static void reserve(Simulation simulation, String claim, String pod) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.withObject("/status/allocation/devices")
                .putArray("results")
                .addObject()
                .put("request", "gpu")
                .put("driver", "gpu.example.com")
                .put("pool", "gpus-node-3/l40s")
                .put("device", "gpu-0");
        String uid = simulation
                .stores()
                .pods()
                .get("default", pod)
                .orElseThrow()
                .getMetadata()
                .getUid();
        patch.withObject("/status")
                .putArray("reservedFor")
                .addObject()
                .put("resource", "pods")
                .put("name", pod)
                .put("uid", uid);
        simulation.change(new ObjectName("ResourceClaim", "default", claim), patch);
    }

    private static void change(Simulation simulation, int minCount) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.withObject("/spec/schedulingPolicy/gang").put("minCount", minCount);
        assertThat(simulation.change(new ObjectName("PodGroup", "default", "ring"), patch))
                .isTrue();
        simulation.settle(LONGEST);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void theTopologyConstraintKeepsThemTogether(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        group(simulation, 2, ", schedulingConstraints: {topology: [{key: rack}]}");
        pods(simulation, schedulers, 0, 2);

        assertThat(running(simulation)).containsExactly("worker-0", "worker-1");
        assertThat(simulation.view().pods().stream()
                        .flatMap(pod -> Stream.ofNullable(pod.node()))
                        .map(node -> node.equals("gpus-node-0") || node.equals("gpus-node-1"))
                        .distinct())
                .hasSize(1);
        assertThat(waiting(simulation, "worker-2")).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void theClaimOfAGroupIsReservedForItOnce(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        group(simulation, 2, ", resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]");
        pods(simulation, schedulers, 0, 2);

        assertThat(running(simulation)).containsExactly("worker-0", "worker-1", "worker-2");
        ClaimRow claim = simulation.view().claim("default", "ring-gpu").orElseThrow();
        assertThat(simulation.view().claims()).hasSize(1);
        assertThat(claim.pods()).isEmpty();
        assertThat(claim.otherConsumers()).containsExactly(new ClaimConsumer("scheduling.k8s.io", "podgroups", "ring"));

        // When: its pods are gone, but not the group
        for (int pod = 0; pod < 3; pod++) {
            delete(simulation, "Pod", "worker-" + pod);
        }
        assertThat(held(simulation)).containsExactly("ring-gpu");
        delete(simulation, "PodGroup", "ring");

        // Then
        assertThat(simulation.view().claims()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aGroupIsKeptWhileItHasPods(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        group(simulation, 1, "");
        pods(simulation, schedulers, 0, 0);
        delete(simulation, "PodGroup", "ring");
        assertThat(simulation.stores().podGroups().list()).hasSize(1);

        delete(simulation, "Pod", "worker-0");
        assertThat(simulation.stores().podGroups().list()).isEmpty();
        assertThat(held(simulation)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aClaimThatPodsShareIsReservedForEachOfThem(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        createShared(simulation);
        group(simulation, 2, "");
        pod(simulation, schedulers, "worker-0", "resourceClaimName: both");
        assertThat(held(simulation)).isEmpty();
        pod(simulation, schedulers, "worker-1", "resourceClaimName: both");

        assertThat(running(simulation)).containsExactly("worker-0", "worker-1");
        assertThat(simulation.view().claim("default", "both").orElseThrow().pods())
                .containsExactlyInAnyOrder("worker-0", "worker-1");
        assertThat(simulation.view().pods().stream().map(PodRow::node).collect(Collectors.toSet()))
                .hasSize(1);
    }

    /** The gang itself decides which pods are on different nodes, too. */
    @Test
    void antiAffinitySeparatesMembers() {
        var simulation = simulation(Schedulers.KUBE);
        group(simulation, 2, "");
        for (int pod = 0; pod < 2; pod++) {
            apply(
                    simulation,
                    podYaml(Schedulers.KUBE, "worker-" + pod, "resourceClaimTemplateName: one")
                            + "  affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: rack,"
                            + " labelSelector: {}}]}}\n");
        }
        assertThat(simulation.view().pods().stream()
                        .flatMap(pod -> Stream.ofNullable(pod.node()))
                        .map(node -> node.equals("gpus-node-0") || node.equals("gpus-node-1")))
                .containsExactlyInAnyOrder(true, false);

        pods(simulation, Schedulers.KUBE, 2, 2);
        assertThat(running(simulation)).containsExactly("worker-0", "worker-1");
    }

    @Test
    void aGangWhoseMembersHaveNoPlaceApartWaits() {
        var simulation = simulation(Schedulers.KUBE);
        group(simulation, 3, "");
        for (int pod = 0; pod < 3; pod++) {
            apply(
                    simulation,
                    podYaml(Schedulers.KUBE, "worker-" + pod, "resourceClaimTemplateName: one")
                            + "  affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: rack,"
                            + " labelSelector: {}}]}}\n");
        }

        assertThat(running(simulation)).isEmpty();
        assertThat(waiting(simulation, "worker-0").sentence())
                .startsWith("PodGroup \"ring\" needs 3 pods at once: 2 of 3 pods fit; ");
    }

    @Test
    void affinityPlacesMembersNearOtherPods() {
        var simulation = simulation(Schedulers.KUBE);
        group(simulation, 2, "");
        pods(simulation, Schedulers.KUBE, 0, 0);
        apply(
                simulation,
                podYaml(Schedulers.KUBE, "worker-1", "resourceClaimTemplateName: one")
                        + "  affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: rack,"
                        + " labelSelector: {matchLabels: {name: worker-0}}}]}}\n");

        assertThat(simulation.view().pods().stream()
                        .flatMap(pod -> Stream.ofNullable(pod.node()))
                        .map(node -> node.equals("gpus-node-0") || node.equals("gpus-node-1"))
                        .distinct())
                .hasSize(1);
        assertThat(running(simulation)).hasSize(2);
    }

    /** The gang is refused before anything is written, because the claim of the group would be reserved only once. */
    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aClaimIsSharedBySoManyPodsOnly(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        createShared(simulation);
        capacity(simulation, 300);
        group(simulation, 257, "");
        apply(
                simulation,
                IntStream.range(0, 257)
                        .mapToObj(pod -> podYaml(schedulers, "worker-" + pod, "resourceClaimName: both"))
                        .collect(Collectors.joining("---\n")));

        String why =
                "ResourceClaim \"both\" would be reserved for more than 256 consumers, which is the most that the API"
                        + " allows; if the PodGroup lists the claim, it is reserved once for all pods of the group";
        assertThat(held(simulation)).isEmpty();
        assertThat(waiting(simulation, "worker-256")).isEqualTo(new Waiting("ClaimsUnavailable", why));
        assertThat(waiting(simulation, "worker-0"))
                .isEqualTo(new Waiting(
                        "GangIncomplete",
                        "PodGroup \"ring\" needs 257 pods at once, and pod \"worker-256\" cannot be placed: " + why));

        // When: this number is enough
        change(simulation, 256);

        // Then
        assertThat(running(simulation)).hasSize(256).doesNotContain("worker-256");
        delete(simulation, "Pod", "worker-0");
        assertThat(running(simulation)).hasSize(256).contains("worker-256");
    }

    /** It waits for two pods to go, none of which belongs to it. */
    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aGangWaitsUntilItsClaimHasRoomForEnoughPods(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        createShared(simulation);
        capacity(simulation, 300);
        apply(
                simulation,
                IntStream.range(0, 254)
                        .mapToObj(pod -> podYaml(schedulers, "other-" + pod, "resourceClaimName: both")
                                .replace("schedulingGroup: {podGroupName: ring}", ""))
                        .collect(Collectors.joining("---\n")));
        assertThat(running(simulation)).hasSize(254);
        group(simulation, 4, "");
        for (int pod = 0; pod < 4; pod++) {
            pod(simulation, schedulers, "worker-" + pod, "resourceClaimName: both");
        }
        assertThat(running(simulation)).hasSize(254);

        delete(simulation, "Pod", "other-0");
        assertThat(running(simulation)).hasSize(253);
        delete(simulation, "Pod", "other-1");
        assertThat(running(simulation)).hasSize(256).contains("worker-3");
    }

    private static void createShared(Simulation simulation) {
        apply(simulation, """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: both}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
                """);
    }

    private static void capacity(Simulation simulation, int amount) {
        for (int node = 0; node < 4; node++) {
            ObjectNode patch = JsonNodeFactory.instance.objectNode();
            for (String list : List.of("capacity", "allocatable")) {
                patch.withObject("/status/" + list).put("pods", "" + amount).put("cpu", "" + amount);
            }
            simulation.change(new ObjectName("Node", "default", "gpus-node-" + node), patch);
        }
    }

    /** A missing node is also reported for the whole gang, which is tried again when the node is added. */
    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aGangWakesUpWhenANodeChanges(Schedulers schedulers) {
        var simulation = simulation(schedulers);
        group(simulation, 4, "");
        ObjectNode cordon = JsonNodeFactory.instance.objectNode();
        cordon.withObject("/spec").put("unschedulable", true);
        simulation.change(new ObjectName("Node", "default", "gpus-node-3"), cordon);
        pods(simulation, schedulers, 0, 3);
        assertThat(waiting(simulation, "worker-3").sentence())
                .startsWith("PodGroup \"ring\" needs 4 pods at once: 3 of 4 pods fit; worker-3 needs");

        ObjectNode free = JsonNodeFactory.instance.objectNode();
        free.withObject("/spec").put("unschedulable", false);
        simulation.change(new ObjectName("Node", "default", "gpus-node-3"), free);
        simulation.settle(LONGEST);
        assertThat(running(simulation)).hasSize(4);
    }
}
