package dev.fakegpu.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SimulatedNodeTest {

    private static final Map<String, String> LABELS = Map.of(
            "fakegpu.dev/simulated", "true",
            "fakegpu.dev/fakegpu", "gpus",
            "app.kubernetes.io/managed-by", "fakegpu-operator");

    private final FakeGpu fakeGpu = fakeGpu("uid-1");

    @Test
    void anOwnerAndAProviderIdMakeANodeSimulated() {
        assertThat(isSimulated(owned("uid-1", SimulatedNode.providerId(fakeGpu, "node"))))
                .isTrue();
    }

    @Test
    void labelsAreNotEnough() {
        var labelled = node("").build();

        assertThat(isSimulated(labelled)).isFalse();
        assertThat(SimulatedNode.isSimulatedFor(labelled, fakeGpu)).isFalse();
    }

    @Test
    void providerIdIsNotEnough() {
        assertThat(isSimulated(node("fakegpu://gpus/node").build())).isFalse();
    }

    @Test
    void aNodeOfACloudProviderIsNeverSimulated() {
        assertThat(isSimulated(owned("uid-1", "aws:///eu-west-1a/i-0123456789")))
                .isFalse();
    }

    @Test
    void aNodeOfAnEarlierFakeGpuOfTheSameNameIsNotSimulated() {
        assertThat(isSimulated(owned("uid-0", "fakegpu://gpus/node"))).isFalse();
    }

    /** Earlier versions of the operator created such nodes. */
    @Test
    void theOwnerDecidesForANodeWithoutProviderId() {
        var node = owned("uid-1", "");

        assertThat(isSimulated(node)).isTrue();
        assertThat(SimulatedNode.hasProviderId(node)).isFalse();
    }

    @Test
    void anOwnerOfAnotherKindWithTheSameUidDoesNotCount() {
        var node = node("").editMetadata()
                .addToOwnerReferences(
                        reference().withApiVersion("example.com/v1").build(),
                        reference().withKind("Other").build())
                .endMetadata()
                .build();

        assertThat(isSimulated(node)).isFalse();
    }

    @Test
    void unreadyNodeIsIntendedUnlessTheLifecycleControllerTaintedIt() {
        assertThat(SimulatedNode.isSetNotReady(withReady("False", "BrokenFan"))).isTrue();
        assertThat(SimulatedNode.isSetNotReady(withReady("Unknown", null))).isTrue();
        assertThat(SimulatedNode.isSetNotReady(withReady("True", "BrokenFan"))).isFalse();
        assertThat(SimulatedNode.isSetNotReady(withReady("Unknown", "NodeStatusUnknown")))
                .isFalse();
        assertThat(SimulatedNode.isSetNotReady(withReady("Unknown", "NodeStatusNeverUpdated")))
                .isFalse();
        assertThat(SimulatedNode.isSetNotReady(node("").build())).isFalse();
    }

    /** Admission adds the taint to each new node, and without the node lifecycle controller nothing else removes it. */
    @Test
    void theOperatorRemovesOnlyTheTaintOfAdmission() {
        assertThat(SimulatedNode.hasNotReadyTaint(withTaint("NoSchedule"))).isTrue();
        assertThat(SimulatedNode.hasNotReadyTaint(withTaint("NoExecute"))).isFalse();
    }

    private static Node withReady(String status, @Nullable String reason) {
        return node("").withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(status)
                .withReason(reason)
                .endCondition()
                .endStatus()
                .build();
    }

    private static Node withTaint(String effect) {
        return node("").withNewSpec()
                .addNewTaint()
                .withKey(SimulatedNode.NOT_READY_TAINT)
                .withEffect(effect)
                .endTaint()
                .endSpec()
                .build();
    }

    private boolean isSimulated(Node node) {
        return SimulatedNode.isSimulated(node, name -> name.equals("gpus") ? Optional.of(fakeGpu) : Optional.empty());
    }

    private static FakeGpu fakeGpu(String uid) {
        return TestObjects.fakeGpu("{name: gpus, uid: %s}".formatted(uid));
    }

    private OwnerReferenceBuilder reference() {
        return new OwnerReferenceBuilder(FakeGpuOwner.reference(fakeGpu));
    }

    private static Node owned(String uid, String providerId) {
        return node(providerId)
                .editMetadata()
                .addToOwnerReferences(FakeGpuOwner.reference(fakeGpu(uid)))
                .endMetadata()
                .build();
    }

    private static NodeBuilder node(String providerId) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("node")
                .withLabels(LABELS)
                .endMetadata()
                .withNewSpec()
                .withProviderID(providerId.isEmpty() ? null : providerId)
                .endSpec();
    }
}
