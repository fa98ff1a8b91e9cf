package dev.fakegpu.e2e.faults;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests the operator's decisions about objects that it cannot read completely: it makes none, and reports this, while other objects are
 * unaffected. {@code ClaimReleaserTest} shows that such claims are not released, because kube-controller-manager does it here.
 */
@Tag("long")
class UnreadableFieldsE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withControllerManager().withoutOperator();

    private static ProxiedOperator proxied;
    private static OperatorProcess operator;

    private final KubernetesClient client = cluster.client();
    private ClusterScenario scenario;

    @BeforeAll
    static void startOperator() {
        proxied = ProxiedOperator.start(
                cluster.controlPlane(), 0, FaultRule.always(new Fault.Rewritten(ObjectRewrite.unreadableFields())));
        operator = proxied.operator();
    }

    @AfterAll
    static void stopOperator() {
        proxied.close();
    }

    @BeforeEach
    void publish() {
        scenario = cluster.scenario(AllocatorName.Companion);
        scenario.apply("example-3.yaml");
    }

    /** The next test checks whether the operator has seen its objects. */
    @AfterEach
    void end() {
        scenario.close();
        scenario.await(() ->
                assertThat(operator.metrics()).doesNotContainPattern("fakegpu_watch_unreadable_objects.*} [1-9]"));
    }

    @Test
    void podIsRefusedWithTheField() {
        // When
        scenario.claim("a", GPU, "mig-1g");
        scenario.create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: a, labels: {%s: spec.priority}}
                spec:
                  containers: [{name: main, image: i}]
                  resourceClaims: [{name: gpu, resourceClaimName: a}]
                """.formatted(ObjectRewrite.LABEL));

        // Then
        scenario.awaitUnschedulable("a", "field spec.priority cannot be read: it is \"unreadable\"");
        assertOthersRun();
        assertThat(scenario.storedClaim("a")).isNotAllocated();

        // When
        makeReadable(scenario.storedPod("a"));

        // Then
        scenario.awaitRunning("a");
    }

    @Test
    void podOfAnUnreadableClaimIsRefusedWithTheField() {
        // Given
        scenario.claim("a", GPU, "mig-1g");
        makeUnreadable(scenario.storedClaim("a"), "spec.devices.constraints");

        // When
        scenario.podForCompanion("a", "a");

        // Then
        scenario.awaitUnschedulable("a", "ResourceClaim \"a\"", "field spec.devices.constraints cannot be read");
        assertOthersRun();
        assertThat(scenario.storedClaim("a")).isNotAllocated();
    }

    @Test
    void claimWithoutPodIsNotAllocated() {
        // Given
        scenario.claim("a", GPU, "mig-1g");
        makeUnreadable(scenario.storedClaim("a"), "spec.devices.requests");

        // When
        label(scenario.storedClaim("a"), Labels.ALLOCATE, "true");

        // Then
        scenario.await(() -> assertThat(scenario.storedClaim("a").getMetadata().getAnnotations())
                .hasEntrySatisfying(
                        Labels.NOT_ALLOCATED,
                        why -> assertThat(why).contains("field spec.devices.requests cannot be read")));
        assertOthersRun();
        assertThat(scenario.storedClaim("a")).isNotAllocated();
    }

    @Test
    void poolOfAnUnreadableSliceIsNotAllocatedFrom() {
        // Given
        List<String> nodes = twoNodes();
        ResourceSlice slice =
                client.resources(ResourceSlice.class).withLabel(Labels.FAKEGPU, fakeGpu()).list().getItems().stream()
                        .filter(each -> nodes.get(0).equals(each.getSpec().getNodeName()))
                        .findFirst()
                        .orElseThrow();
        makeUnreadable(slice, "spec.pool");

        // Then
        assertAllRunOn(nodes.get(1));
        scenario.awaitUnschedulable(
                "c",
                "ResourceSlice \"" + slice.getMetadata().getName()
                        + "\" is not considered: field spec.pool cannot be read");
        makeReadable(slice);
    }

    @Test
    void unreadableNodeTakesNoPodsAndStaysReady() {
        // Given
        List<String> nodes = twoNodes();
        Node node = client.nodes().withName(nodes.get(0)).require();
        makeUnreadable(node, "spec.taints");

        // Then
        assertAllRunOn(nodes.get(1));
        ZonedDateTime renewed = renewed(nodes.get(0));
        scenario.await(() -> assertThat(renewed(nodes.get(0))).isAfter(renewed));
        assertThat(Readiness.isNodeReady(client.nodes().withName(nodes.get(0)).require()))
                .isTrue();
        makeReadable(node);
    }

    @Test
    void unreadableClassIsIgnored() {
        // Given
        scenario.create("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: unreadable.example.com, labels: {%s: spec.selectors}}
                spec: {}
                """.formatted(ObjectRewrite.LABEL));

        // When
        scenario.claim("a", "unreadable.example.com");
        scenario.podForCompanion("a", "a");

        // Then
        scenario.awaitUnschedulable(
                "a", "DeviceClass \"unreadable.example.com\" is not considered: field spec.selectors cannot be read");
        assertOthersRun();
        assertThat(scenario.storedClaim("a")).isNotAllocated();
    }

    private void assertOthersRun() {
        scenario.podWithClaim("other", GPU, "mig-1g");
        scenario.awaitRunning("other");
        operator.assertHealthy();
    }

    /** Without the fault, the pods are spread over the nodes. */
    private void assertAllRunOn(String node) {
        for (String pod : List.of("a", "b")) {
            scenario.podWithClaim(pod, GPU, "mig-1g");
            scenario.awaitRunning(pod);
            assertThat(scenario.storedPod(pod).getSpec().getNodeName()).isEqualTo(node);
        }
        scenario.podWithClaim("c", GPU, "mig-1g");
        scenario.awaitUnschedulable("c");
    }

    private List<String> twoNodes() {
        scenario.patch("{\"spec\":{\"nodes\":{\"simulated\":{\"count\":2}}}}");
        var nodes = client.nodes().withLabel(Labels.FAKEGPU, fakeGpu());
        scenario.await(() -> assertThat(nodes.list().getItems()).hasSize(2).allMatch(Readiness::isNodeReady));
        return nodes.list().getItems().stream()
                .map(node -> node.getMetadata().getName())
                .toList();
    }

    private String fakeGpu() {
        return scenario.fakeGpu().getMetadata().getName();
    }

    private ZonedDateTime renewed(String node) {
        return client.leases()
                .inNamespace("kube-node-lease")
                .withName(node)
                .require()
                .getSpec()
                .getRenewTime();
    }

    private void makeUnreadable(HasMetadata object, String field) {
        label(object, ObjectRewrite.LABEL, field);
        // Waits until the operator has seen it; nothing else is marked by then.
        scenario.await(() -> assertThat(operator.metrics())
                .containsPattern(
                        "fakegpu_watch_unreadable_objects\\{kind=\"%s\"[^}]*} 1.0".formatted(object.getKind())));
    }

    private void makeReadable(HasMetadata object) {
        label(object, ObjectRewrite.LABEL, null);
    }

    private void label(HasMetadata object, String label, String value) {
        client.resource(object)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"%s\":%s}}}"
                                .formatted(label, value == null ? "null" : '"' + value + '"'));
    }
}
