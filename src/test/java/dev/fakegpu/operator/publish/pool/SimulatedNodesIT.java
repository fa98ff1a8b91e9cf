package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests which nodes of a real API server belong to a FakeGpu. */
class SimulatedNodesIT {

    private static final Map<String, String> LABELS = Map.of(
            "fakegpu.dev/simulated", "true",
            "fakegpu.dev/fakegpu", "adopter",
            "app.kubernetes.io/managed-by", "fakegpu-operator");

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();
    private final ObjectStore<Node> store = new ObjectStore<>();
    private final ObjectStore<Pod> pods = new ObjectStore<>();
    private final SimulatedNodes nodes = new SimulatedNodes(ObjectClient.of(client), store, pods);
    private final FakeGpu fakeGpu = fakeGpu();

    @AfterEach
    void removeNodes() {
        IntStream.range(0, 3)
                .forEach(i -> client.nodes().withName("adopter-node-" + i).delete());
    }

    /** Reconciles in a turn that never ends, regardless of the machine's speed. */
    private SimulatedNodes.Result reconcile(FakeGpu fakeGpu) {
        var stopped = new MutableClock("2026-11-24T12:00:00Z");
        return nodes.reconcile(
                fakeGpu, stopped.instant(), PublishPace.onCaller(stopped).begin());
    }

    @Test
    void createdNodeBelongsToItsFakeGpu() {
        var result = reconcile(fakeGpu);

        assertThat(result.foreign()).isEmpty();
        assertThat(stored().getSpec().getProviderID()).isEqualTo("fakegpu://adopter/adopter-node-0");
        assertThat(FakeGpuOwner.owns(fakeGpu, stored())).isTrue();
    }

    @Test
    void turnCreatesNodesUntilItsTimeIsUp() {
        // Given
        var clock = new MutableClock("2026-11-24T12:00:00Z");
        clock.advanceAtEachReading(Duration.ofSeconds(2)); // a turn takes 5 s
        FakeGpu three = fakeGpu(3, "");

        // When
        var result = nodes.reconcile(
                three, clock.instant(), PublishPace.onCaller(clock).begin());

        // Then
        assertThat(result.remaining()).isEqualTo(1);
        assertThat(store.list()).hasSize(2);

        // When, Then
        assertThat(reconcile(three).remaining()).isZero();
        assertThat(store.list()).hasSize(3);
    }

    /** The API server adds the taint to each new node. Without the taint and with a heartbeat, the node is ready. */
    @Test
    void createdNodeIsReadyAfterItsFirstHeartbeatAndWithoutTheTaint() {
        var created = reconcile(fakeGpu);
        store.written(client.nodes().withName("adopter-node-0").editStatus(SimulatedNodesIT::ready));
        var tainted = reconcile(fakeGpu);
        store.written(client.nodes()
                .withName("adopter-node-0")
                .edit(node -> new NodeBuilder(node)
                        .editSpec()
                        .removeMatchingFromTaints(taint -> taint.getKey().equals("node.kubernetes.io/not-ready"))
                        .endSpec()
                        .build()));
        var usable = reconcile(fakeGpu);

        assertThat(created.notReady()).containsExactly("adopter-node-0");
        assertThat(tainted.notReady()).containsExactly("adopter-node-0");
        assertThat(usable.notReady()).isEmpty();
        assertThat(usable.desired()).isEqualTo(1);
    }

    /** Earlier versions of the operator set no provider ID; the owner reference shows that they created the node. */
    @Test
    void nodeOfAnEarlierVersionIsAdopted() {
        // Given
        create(new NodeBuilder()
                .withNewMetadata()
                .withName("adopter-node-0")
                .withLabels(LABELS)
                .withOwnerReferences(FakeGpuOwner.reference(fakeGpu))
                .endMetadata()
                .build());

        // When
        var result = reconcile(fakeGpu);

        // Then
        assertThat(result.foreign()).isEmpty();
        assertThat(stored().getSpec().getProviderID()).isEqualTo("fakegpu://adopter/adopter-node-0");
        String version = stored().getMetadata().getResourceVersion();
        reconcile(fakeGpu);
        assertThat(stored().getMetadata().getResourceVersion())
                .as("written once")
                .isEqualTo(version);
    }

    @Test
    void labelsThatWereRemovedComeBack() {
        reconcile(fakeGpu);
        store.written(client.nodes()
                .withName("adopter-node-0")
                .edit(node -> new NodeBuilder(node)
                        .editMetadata()
                        .withLabels(Map.of("own", "label"))
                        .endMetadata()
                        .build()));

        reconcile(fakeGpu);

        assertThat(stored().getMetadata().getLabels())
                .containsAllEntriesOf(LABELS)
                .containsEntry("own", "label");
    }

    @Test
    void nodeHasTheLabelsAndTheCapacityOfTheSpec() {
        // Given
        reconcile(fakeGpu("labels: {example.com/rack: r1}, capacity: {memory: 131072Mi, example.com/dongle: 2}"));

        // Then
        assertThat(stored().getMetadata().getLabels())
                .containsAllEntriesOf(LABELS)
                .containsEntry("example.com/rack", "r1")
                .containsEntry("kubernetes.io/hostname", "adopter-node-0");
        assertThat(stored().getStatus().getCapacity())
                .containsEntry("cpu", new Quantity("256"))
                .containsEntry("memory", new Quantity("128Gi"))
                .containsEntry("example.com/dongle", new Quantity("2"));
        assertThat(stored().getStatus().getAllocatable())
                .isEqualTo(stored().getStatus().getCapacity());
        String version = stored().getMetadata().getResourceVersion();
        reconcile(fakeGpu("labels: {example.com/rack: r1}, capacity: {memory: 131072Mi, example.com/dongle: 2}"));
        assertThat(stored().getMetadata().getResourceVersion())
                .as("nothing to write")
                .isEqualTo(version);
    }

    @Test
    void changedSpecChangesNothingThatUsersHaveSet() {
        // Given
        reconcile(fakeGpu("labels: {rack: r1, row: a}, capacity: {cpu: 8, example.com/dongle: 2}"));
        client.nodes()
                .withName("adopter-node-0")
                .edit(node -> new NodeBuilder(node)
                        .editMetadata()
                        .addToLabels(Map.of("own", "label", "rack", "other"))
                        .addToAnnotations("own", "annotation")
                        .endMetadata()
                        .build());
        store.written(client.nodes()
                .withName("adopter-node-0")
                .editStatus(node -> new NodeBuilder(node)
                        .editStatus()
                        .addToCapacity(Map.of("own.example.com/part", new Quantity("3"), "pods", new Quantity("20")))
                        .addToCapacity("cpu", new Quantity("99"))
                        .endStatus()
                        .build()));

        // When
        reconcile(fakeGpu("labels: {rack: r1}, capacity: {cpu: 4}"));

        // Then
        assertThat(stored().getMetadata().getLabels())
                .containsAllEntriesOf(LABELS)
                .containsEntry("rack", "r1")
                .containsEntry("own", "label")
                .doesNotContainKey("row");
        assertThat(stored().getStatus().getCapacity())
                .containsEntry("cpu", new Quantity("4"))
                .containsEntry("own.example.com/part", new Quantity("3"))
                .containsEntry("pods", new Quantity("20"))
                .doesNotContainKey("example.com/dongle");

        // When
        reconcile(fakeGpu);

        // Then
        assertThat(stored().getMetadata().getLabels()).doesNotContainKey("rack").containsEntry("own", "label");
        assertThat(stored().getMetadata().getAnnotations())
                .doesNotContainKeys("fakegpu.dev/node-labels", "fakegpu.dev/node-capacity")
                .containsEntry("own", "annotation");
        assertThat(stored().getStatus().getCapacity())
                .containsEntry("cpu", new Quantity("256"))
                .containsEntry("pods", new Quantity("20"));
        assertThat(stored().getStatus().getAllocatable())
                .containsEntry("cpu", new Quantity("256"))
                .containsEntry("pods", new Quantity("1000"));
    }

    @Test
    void nodeWithOnlyTheLabelsIsNotAdopted() {
        // Given
        var labelled = create(new NodeBuilder()
                .withNewMetadata()
                .withName("adopter-node-0")
                .withLabels(LABELS)
                .endMetadata()
                .build());

        // When
        var result = reconcile(fakeGpu);
        nodes.removeAll(fakeGpu);

        // Then
        assertThat(result.foreign()).containsExactly("adopter-node-0");
        assertThat(stored().getMetadata().getResourceVersion())
                .isEqualTo(labelled.getMetadata().getResourceVersion());
    }

    /** The garbage collector removes nodes but not their pods, and may be faster. */
    @Test
    void podOnANodeThatIsAlreadyGoneEndsWithTheFakeGpu() {
        // Given
        var pod = client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("adopter-pod")
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("adopter-node-0")
                        .withTerminationGracePeriodSeconds(3600L)
                        .addNewContainer()
                        .withName("main")
                        .withImage("busybox:1")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        pods.written(pod);

        // When
        nodes.removeAll(fakeGpu);

        // Then
        assertThat(client.resource(pod).get()).isNull();
    }

    private static Node ready(Node node) {
        return new NodeBuilder(node)
                .editOrNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    private Node create(Node node) {
        var created = client.resource(node).create();
        store.written(created);
        return created;
    }

    private Node stored() {
        return client.nodes().withName("adopter-node-0").require();
    }

    /** The same FakeGpu with additional fields in {@code simulated}. */
    private FakeGpu fakeGpu(String simulated) {
        return fakeGpu(1, ", " + simulated);
    }

    private FakeGpu fakeGpu(int count, String simulated) {
        var changed = new FakeGpu();
        changed.setMetadata(fakeGpu.getMetadata());
        changed.setSpec(Specs.spec("{model: L40S, nodes: {simulated: {count: " + count + simulated + "}}}"));
        return changed;
    }

    private static FakeGpu fakeGpu() {
        return TestObjects.fakeGpu(
                "{name: adopter, uid: %s}".formatted(UUID.randomUUID()),
                "spec: {model: L40S, nodes: {simulated: {count: 1}}}");
    }
}
