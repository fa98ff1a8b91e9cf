package dev.fakegpu.e2e.support;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.testing.AllocationChecker;
import dev.fakegpu.testing.Eventually;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** The pods, claims and events of a namespace, with waits. */
public abstract sealed class ObservedNamespace permits ClusterScenario {

    final KubernetesClient client;
    final String namespace;

    ObservedNamespace(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    public String namespace() {
        return namespace;
    }

    /** A pod, which must exist in the end. */
    public Eventually<Pod> pod(String name) {
        return Eventually.of("pod " + name, () -> storedPod(name));
    }

    /** A claim, which must exist in the end. */
    public Eventually<ResourceClaim> claim(String name) {
        return Eventually.of("claim " + name, () -> storedClaim(name));
    }

    /** The messages of the events about an object of any kind. */
    public Eventually<List<String>> messages(String object, String reason) {
        return Eventually.of(
                reason + " events of " + object,
                () -> events(object, reason).stream().map(Event::getMessage).toList());
    }

    public List<DeviceId> awaitAllocated(String claim) {
        await(() -> assertThat(devices(claim)).as("devices of claim %s", claim).isNotEmpty());
        return devices(claim);
    }

    public List<DeviceId> devices(String claim) {
        return Optional.ofNullable(claims().withName(claim).get())
                .map(Allocations::devices)
                .orElse(List.of());
    }

    public List<ResourceClaim> storedClaims() {
        return claims().list().getItems();
    }

    public ResourceClaim storedClaim(String name) {
        return claims().withName(name).require();
    }

    public void awaitRunning(String pod) {
        await(() -> assertThat(storedPod(pod).getStatus().getPhase())
                .as("phase of pod %s", pod)
                .isEqualTo("Running"));
    }

    public List<Pod> storedPods() {
        return client.pods().inNamespace(namespace).list().getItems();
    }

    /** The names of the pods that run and are not being deleted. */
    public Set<String> running() {
        return storedPods().stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .map(Pod::getMetadata)
                .filter(metadata -> metadata.getDeletionTimestamp() == null)
                .map(ObjectMeta::getName)
                .collect(Collectors.toSet());
    }

    /** Asserts that the allocations of this scenario's claims are possible, without using the allocator. */
    public void assertPossible() {
        var claims = storedClaims(); // before the slices, so that the held devices are already published
        assertThat(AllocationChecker.problems(
                        client.resources(ResourceSlice.class).list().getItems(), claims))
                .isEmpty();
    }

    public Pod storedPod(String name) {
        return client.pods().inNamespace(namespace).withName(name).require();
    }

    /** The status of a pod's only container. */
    public ContainerStatus container(String pod) {
        var statuses = storedPod(pod).getStatus().getContainerStatuses();
        assertThat(statuses).as("containers of pod %s", pod).hasSize(1);
        return statuses.get(0);
    }

    /** Waits until the kubelet has reported why the pod's only container does not run yet: its events come before its statuses. */
    public void awaitWaiting(String pod, String reason) {
        await(() -> {
            var waiting = container(pod).getState().getWaiting();
            assertThat(waiting).as("waiting state of pod %s", pod).isNotNull();
            assertThat(waiting.getReason()).isEqualTo(reason);
        });
    }

    /** When the pod's container started to run. */
    public String startOf(String pod) {
        return Objects.requireNonNull(container(pod).getState().getRunning()).getStartedAt();
    }

    /** Waits until a scheduler has reported that it cannot place the pod, for whatever reason. */
    public void awaitUnschedulable(String pod) {
        refusals(pod).satisfies(refusals -> assertThat(refusals).isNotEmpty());
    }

    /**
     * Waits until a scheduler has reported that it cannot place the pod, and returns the message.
     *
     * @param part text that the final message contains; before, the scheduler may report that it does not know the pod's claims, nodes or
     *     devices
     */
    public String awaitUnschedulable(String pod, String part, String... more) {
        return awaitText(refusals(pod), part, more);
    }

    private Eventually<List<String>> refusals(String pod) {
        return Eventually.of(
                "why pod " + pod + " is unschedulable",
                () -> storedPod(pod).getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().equals("PodScheduled"))
                        .filter(condition -> "Unschedulable".equals(condition.getReason()))
                        .map(PodCondition::getMessage)
                        .toList());
    }

    /** Waits for any event with this reason. */
    public void awaitEvent(String object, String reason) {
        messages(object, reason).satisfies(messages -> assertThat(messages).isNotEmpty());
    }

    /**
     * Waits for an event and returns its message.
     *
     * @param part text that the message contains; other events may have the same reason, for example that a claim did not exist yet
     */
    public String awaitEvent(String object, String reason, String part, String... more) {
        return awaitText(messages(object, reason), part, more);
    }

    private static String awaitText(Eventually<List<String>> texts, String part, String... more) {
        List<String> parts = Stream.concat(Stream.of(part), Stream.of(more)).toList();
        var wanted = new AtomicReference<String>();
        texts.satisfies(known -> assertThat(known).anySatisfy(text -> {
            assertThat(text).contains(parts);
            wanted.set(text);
        }));
        return wanted.get();
    }

    public List<Event> events(String object, String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> object.equals(event.getInvolvedObject().getName()))
                .filter(event -> reason.equals(event.getReason()))
                .toList();
    }

    public void await(ThrowingRunnable assertion) {
        Awaitility.await().untilAsserted(assertion);
    }

    final NonNamespaceOperation<ResourceClaim, KubernetesResourceList<ResourceClaim>, Resource<ResourceClaim>>
            claims() {
        return client.resources(ResourceClaim.class).inNamespace(namespace);
    }
}
