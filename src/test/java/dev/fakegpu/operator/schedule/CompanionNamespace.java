package dev.fakegpu.operator.schedule;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.AllocationChecker;
import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reads the pods and claims of a test from an API server, and waits for what a companion writes to them. */
abstract class CompanionNamespace {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    final KubernetesClient client = controlPlane.client();
    final String namespace = "companion-" + UUID.randomUUID().toString().substring(0, 8);

    void await(ThrowingRunnable assertion) {
        Awaitility.await().untilAsserted(assertion);
    }

    String awaitNode(String pod) {
        await(() -> assertThat(stored(pod)).isBound());
        return stored(pod).getSpec().getNodeName();
    }

    /** @param parts text that the final message contains; before, the companion may report that it does not know the pod's claim */
    String awaitRefused(String pod, String... parts) {
        return refusal(pod, parts).getMessage();
    }

    PodCondition refusal(String pod, String... parts) {
        var refusals = new ArrayList<PodCondition>();
        await(() -> {
            var conditions = stored(pod).getStatus().getConditions();
            conditions.stream()
                    .filter(condition -> "Unschedulable".equals(condition.getReason()))
                    .filter(condition -> containsAll(condition.getMessage(), parts))
                    .forEach(refusals::add);
            assertThat(refusals)
                    .as("refusals of pod %s that say %s, among %s", pod, Arrays.toString(parts), conditions)
                    .isNotEmpty();
        });
        return refusals.get(0);
    }

    /**
     * @param parts text that the event's message contains; there may be other events, for example that the pod's claim does not exist yet
     */
    String awaitEvent(String pod, String... parts) {
        var events = new ArrayList<String>();
        await(() -> {
            events(pod).stream().filter(message -> containsAll(message, parts)).forEach(events::add);
            assertThat(events)
                    .as("events of pod %s that say %s, among %s", pod, Arrays.toString(parts), events(pod))
                    .isNotEmpty();
        });
        return events.get(0);
    }

    private static boolean containsAll(String message, String... parts) {
        return Arrays.stream(parts).allMatch(message::contains);
    }

    List<String> events(String pod) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getInvolvedObject().getName().equals(pod))
                .map(event -> event.getMessage())
                .toList();
    }

    void awaitAllocated(String claim) {
        await(() -> assertThat(claim(claim)).isAllocated());
    }

    void assertPossible() {
        assertThat(AllocationChecker.problems(
                        client.resources(ResourceSlice.class).list().getItems(), claims()))
                .isEmpty();
    }

    Pod stored(String pod) {
        return client.pods().inNamespace(namespace).withName(pod).require();
    }

    ResourceClaim claim(String name) {
        return client.resources(ResourceClaim.class)
                .inNamespace(namespace)
                .withName(name)
                .require();
    }

    List<Pod> pods() {
        return client.pods().inNamespace(namespace).list().getItems();
    }

    List<ResourceClaim> claims() {
        return client.resources(ResourceClaim.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }
}
