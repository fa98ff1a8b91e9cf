package dev.fakegpu.operator.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.NodeAdmission.Rejection;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PodAdmissionTest {

    private final ObjectStores cluster = new ObjectStores();
    private final PodAdmission admission = new PodAdmission(cluster, this::current);

    /** The stored version of the node; null if it is the watched one. */
    private @Nullable Node stored;

    private int versions = 0;

    @Test
    void aPodThatDoesNotFitIsRejectedUnlessASchedulerHasBoundIt() {
        // Given
        node("status: {allocatable: {cpu: '2', pods: '10'}}");
        Pod chosen = pod("chosen", "cpu: '3'", "{}");
        Pod bound = pod("bound", "cpu: '3'", "{conditions: [{type: PodScheduled, status: 'True'}]}");

        // Then
        assertThat(reason(chosen)).hasValue("OutOfcpu");
        assertThat(reason(bound)).isEmpty();
    }

    @Test
    void podsThatRunCountEvenWithoutAStartTime() {
        // Given
        node("status: {allocatable: {cpu: '2', pods: '10'}}");
        pod("running", "cpu: '2'", "{phase: Running}");

        // Then
        assertThat(reason(pod("late", "cpu: '1'", "{}"))).hasValue("OutOfcpu");
    }

    @Test
    void aPodIsJudgedOnce() {
        // Given
        node("status: {allocatable: {cpu: '2', pods: '10'}}");
        Pod admitted = pod("admitted", "cpu: '2'", "{}");
        assertThat(reason(admitted)).isEmpty();

        // When
        node("status: {allocatable: {cpu: '1', pods: '10'}}");

        // Then
        assertThat(reason(admitted)).isEmpty();
        admission.retain(Set.of());
        assertThat(reason(admitted)).hasValue("OutOfcpu");
    }

    @Test
    void aNodeThatHasNotReportedItsResourcesRejectsNothing() {
        // Given
        node("");

        // Then
        assertThat(reason(pod("early", "cpu: '2'", "{}"))).isEmpty();
    }

    /** The creator of a pod may learn of a change of the node before the kubelet does. */
    @Test
    void theStoredNodeDecidesIfTheWatchedOneIsOlder() {
        // Given
        node("status: {allocatable: {cpu: '2', pods: '10'}}");

        // When
        stored = TestObjects.node("{name: node, uid: node}", "status: {allocatable: {cpu: '3', pods: '10'}}");

        // Then
        assertThat(reason(pod("large", "cpu: '3'", "{}"))).isEmpty();
        assertThat(reason(pod("larger", "cpu: '4'", "{}"))).hasValue("OutOfcpu");
    }

    private Optional<Node> current(Node watched) {
        return Optional.of(stored == null ? watched : stored);
    }

    private Optional<String> reason(Pod pod) {
        return admission.rejection(pod).map(Rejection::reason);
    }

    private void node(String status) {
        versions++;
        cluster.nodes()
                .onAdd(TestObjects.node("{name: node, uid: node, resourceVersion: '%d'}".formatted(versions), status));
    }

    private Pod pod(String name, String requests, String status) {
        Pod pod = TestObjects.pod(
                "{namespace: team, name: %1$s, uid: %1$s, resourceVersion: '1'}".formatted(name),
                "spec: {nodeName: node, containers: [{name: main, resources: {requests: {%s}}}]}".formatted(requests),
                "status: " + status);
        cluster.pods().onAdd(pod);
        return pod;
    }
}
