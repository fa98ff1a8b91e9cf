package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class NodeFaultsTest {

    private static final Node READY = TestObjects.node(
            "{name: sample-node-0}", "spec: {}", "status: {conditions: [{type: Ready, status: 'True'}]}");

    @Test
    void aNodeIsNotReadyUntilTheFaultIsOver() {
        Node failed = apply(READY, "{name: fan, effect: NotReady}");
        assertThat(failed.getStatus().getConditions()).singleElement().satisfies(condition -> {
            assertThat(condition.getStatus()).isEqualTo("False");
            assertThat(condition.getReason()).isEqualTo("InjectedFault");
            assertThat(condition.getMessage()).isEqualTo("injected fault \"fan\"");
        });
        assertThat(apply(failed, "{name: fan, effect: NotReady}")).isEqualTo(failed);
        assertThat(apply(failed, "").getStatus().getConditions()).isEmpty();
    }

    @Test
    void nodeThatAUserSetNotReadyStaysNotReady() {
        NodeCondition byHand = new NodeConditionBuilder()
                .withType("Ready")
                .withStatus("False")
                .withReason("ByHand")
                .build();
        Node node = new NodeBuilder(READY)
                .editStatus()
                .withConditions(byHand)
                .endStatus()
                .build();

        assertThat(apply(apply(node, "{name: fan, effect: NotReady}"), "")
                        .getStatus()
                        .getConditions())
                .containsExactly(byHand);
    }

    @Test
    void aNodeIsUncordonedIfAFaultHasCordonedIt() {
        Node cordoned = apply(READY, "{name: work, effect: Cordoned}");
        assertThat(cordoned.getSpec().getUnschedulable()).isTrue();
        assertThat(annotations(cordoned)).containsEntry("fakegpu.dev/cordoned-by", "work");

        assertThat(apply(cordoned, "").getSpec().getUnschedulable()).isNull();
        assertThat(annotations(apply(cordoned, ""))).isEmpty();
    }

    @Test
    void nodesThatUsersCordonOrUncordonStayUnchanged() {
        Node byHand = new NodeBuilder(READY)
                .editSpec()
                .withUnschedulable(true)
                .endSpec()
                .build();
        Node uncordoned = new NodeBuilder(apply(READY, "{name: work, effect: Cordoned}"))
                .editSpec()
                .withUnschedulable(null)
                .endSpec()
                .build();

        assertThat(apply(apply(byHand, "{name: work, effect: Cordoned}"), "")
                        .getSpec()
                        .getUnschedulable())
                .isTrue();
        assertThat(apply(uncordoned, "{name: work, effect: Cordoned}").getSpec().getUnschedulable())
                .isNull();
    }

    @Test
    void aSlowKubeletIsKnownByAnAnnotation() {
        Node slow = apply(READY, "{name: slow, effect: SlowKubelet, delay: 20s}");
        assertThat(annotations(slow)).containsEntry("fakegpu.dev/start-delay", "20s");
        assertThat(annotations(apply(slow, ""))).isEmpty();
    }

    @Test
    void onlySelectedNodesFail() {
        var spec = simulated("{name: pulled, effect: Gone, nodes: [sample-node-1]}");
        assertThat(NodeFaults.isGone(spec, "sample-node-0")).isFalse();
        assertThat(NodeFaults.isGone(spec, "sample-node-1")).isTrue();
    }

    private static Map<String, String> annotations(Node node) {
        return Objects.requireNonNullElse(node.getMetadata().getAnnotations(), Map.of());
    }

    private static Node apply(Node node, String fault) {
        return NodeFaults.apply(node, simulated(fault), Instant.parse("2026-01-01T12:00:00Z"));
    }

    private static NodesSpec.Simulated simulated(String fault) {
        return Objects.requireNonNull(
                Specs.spec("{model: L40S, nodes: {simulated: {count: 2, faults: [%s]}}}".formatted(fault))
                        .nodes()
                        .simulated());
    }
}
