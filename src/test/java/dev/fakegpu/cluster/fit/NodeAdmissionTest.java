package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.NodeAdmission.Rejection;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@link NodeAdmissionDifferentialTest} compares with the kubelet. */
class NodeAdmissionTest {

    private final Node node = new NodeBuilder()
            .withNewMetadata()
            .withName("node")
            .endMetadata()
            .withNewSpec()
            .endSpec()
            .withNewStatus()
            .addToAllocatable(Map.of("cpu", new Quantity("2"), "pods", new Quantity("2")))
            .endStatus()
            .build();

    @Test
    void rejectsForTheFirstReasonOfTheKubelet() {
        Pod greedy = pod("greedy", Map.of("cpu", "1500m"));
        Pod other = pod("other", Map.of("cpu", "1"));

        assertThat(NodeAdmission.rejection(greedy, node, List.of())).isEmpty();
        assertThat(NodeAdmission.rejection(greedy, node, List.of(other)))
                .contains(new Rejection(
                        "OutOfcpu",
                        "Node didn't have enough resource: cpu, requested: 1500, used: 1000, capacity: 2000"));
        assertThat(NodeAdmission.rejection(greedy, node, List.of(other, pod("more", Map.of()))))
                .map(Rejection::reason)
                .contains("OutOfpods");
    }

    @Test
    void rejectsAPodWhoseHostPortIsInUse() {
        Pod pod = pod("pod", Map.of())
                .edit()
                .editSpec()
                .editContainer(0)
                .addNewPort()
                .withHostPort(80)
                .endPort()
                .endContainer()
                .endSpec()
                .build();

        assertThat(NodeAdmission.rejection(pod, node, List.of(pod("other", Map.of()))))
                .isEmpty();
        assertThat(NodeAdmission.rejection(pod, node, List.of(pod)))
                .contains(new Rejection(
                        "NodePorts",
                        "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports"));
    }

    @Test
    void ignoresExtendedResourcesThatTheNodeDoesNotHave() {
        Pod pod = pod("pod", Map.of("example.com/dongle", "1"));
        Node withTooFew = new NodeBuilder(node)
                .editStatus()
                .addToAllocatable("example.com/dongle", new Quantity("0"))
                .endStatus()
                .build();

        assertThat(NodeAdmission.rejection(pod, node, List.of())).isEmpty();
        assertThat(NodeAdmission.rejection(pod, withTooFew, List.of()))
                .map(Rejection::reason)
                .contains("OutOfexample.com/dongle");
    }

    @Test
    void podsOfTheCompanionDoNotNeedToTolerateTheTaintOfSimulatedNodes() {
        Node tainted = new NodeBuilder(node)
                .editSpec()
                .addNewTaint()
                .withKey("fakegpu.dev/simulated")
                .withEffect("NoExecute")
                .endTaint()
                .endSpec()
                .build();
        Pod pod = pod("pod", Map.of());
        Pod ofCompanion = new PodBuilder(pod)
                .editSpec()
                .withSchedulerName("fakegpu-scheduler")
                .endSpec()
                .build();

        assertThat(NodeAdmission.rejection(pod, tainted, List.of()))
                .contains(new Rejection(
                        "TaintToleration",
                        "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate"));
        assertThat(NodeAdmission.rejection(ofCompanion, tainted, List.of())).isEmpty();
    }

    @Test
    void findsTheReasonInTheStatus() {
        var rejection = new Rejection("OutOfpods", "too many");
        Pod rejected = new PodBuilder(pod("pod", Map.of()))
                .withNewStatus()
                .withPhase("Failed")
                .withReason(rejection.reason())
                .withMessage(rejection.ofStatus())
                .endStatus()
                .build();
        Pod evicted = new PodBuilder(rejected)
                .editStatus()
                .withReason("Evicted")
                .withMessage("The node was low on resource: memory.")
                .endStatus()
                .build();

        assertThat(NodeAdmission.rejection(rejected)).contains(rejection);
        assertThat(NodeAdmission.isRejected(evicted)).isFalse();
    }

    private static Pod pod(String name, Map<String, String> requests) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .withUid(name)
                .endMetadata()
                .withNewSpec()
                .withNodeName("node")
                .addNewContainer()
                .withName("main")
                .withNewResources()
                .endResources()
                .endContainer()
                .endSpec()
                .build();
        requests.forEach((resource, amount) -> pod.getSpec()
                .getContainers()
                .get(0)
                .getResources()
                .getRequests()
                .put(resource, new Quantity(amount)));
        return pod;
    }
}
