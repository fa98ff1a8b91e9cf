package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.testing.AllocationChecker;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Makes each single write of the companion fail in every way, with a real API server, while three pods request the only two devices.
 * Regardless of the fault, two of them get a device each.
 */
class CompanionFaultsIT {

    private static final String NAMESPACE = "faults";
    private static final int PODS = 3;
    private static final int DEVICES = 2;

    /** The finalizer, allocation and binding for each pod that is placed; repeated writes after a fault are not included. */
    private static final int WRITES = 3 * DEVICES;

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    static Stream<Arguments> everyWriteInEveryWay() {
        return Stream.of(FaultyApi.Fault.values())
                .flatMap(fault -> IntStream.rangeClosed(1, WRITES).mapToObj(number -> Arguments.of(fault, number)));
    }

    @BeforeAll
    static void cluster() {
        controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml");
        apply("""
                apiVersion: v1
                kind: Namespace
                metadata: {name: faults}
                ---
                apiVersion: v1
                kind: Namespace
                metadata: {name: fakegpu-system}
                ---
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: faults}
                spec:
                  driver: faults.example.com
                  nodes: {names: [faults-node]}
                  model: A100-SXM4-40GB
                ---
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: faults.example.com}
                spec: {selectors: [{cel: {expression: "device.driver == 'faults.example.com'"}}]}
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: faults-node}
                """);
        apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata:
                  name: faults
                  labels: {fakegpu.dev/fakegpu: faults}
                  ownerReferences: [{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, name: faults, uid: %s}]
                spec:
                  driver: faults.example.com
                  nodeName: faults-node
                  pool: {name: faults-node/faults, generation: 1, resourceSliceCount: 1}
                  devices:
                  - {name: gpu-0, taints: [{key: fakegpu.dev/allocator, value: companion, effect: NoSchedule}]}
                  - {name: gpu-1, taints: [{key: fakegpu.dev/allocator, value: companion, effect: NoSchedule}]}
                """.formatted(controlPlane
                .client()
                .resources(FakeGpu.class)
                .withName("faults")
                .require()
                .getMetadata()
                .getUid()));
        var node = controlPlane.client().nodes().withName("faults-node");
        // The API server taints new nodes, and there is no controller that removes the taint.
        node.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"taints\":null}}");
        node.subresource("status")
                .patch(
                        PatchContext.of(PatchType.STRATEGIC_MERGE),
                        "{\"status\":{\"allocatable\":{\"pods\":\"100\"},"
                                + "\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    }

    @ParameterizedTest
    @MethodSource("everyWriteInEveryWay")
    void twoPodsGetOneDeviceEach(FaultyApi.Fault fault, int number) {
        // Given
        IntStream.range(0, PODS).forEach(CompanionFaultsIT::podWithClaim);
        var faulty = new FaultyApi(fault, number);
        try (var client = ClientSerialization.builder()
                        .withConfig(controlPlane.controlPlane().config())
                        .withHttpClientBuilderConsumer(builder -> builder.addOrReplaceInterceptor("faults", faulty))
                        .build();
                var watch = new ClusterWatch(client, "fakegpu-system", "fakegpu-system");
                var companion = companion(client, watch)) {

            // When
            watch.start();
            companion.start();

            // Then
            Awaitility.await().untilAsserted(() -> {
                assertThat(problems()).isEmpty();
                assertThat(faulty.isInjected()).isTrue();
                assertThat(pods().stream().filter(PodState::isBound)).hasSize(DEVICES);
                assertThat(pods().stream().filter(CompanionFaultsIT::isRefused)).hasSize(PODS - DEVICES);
                assertThat(claims().stream().filter(Allocations::isAllocated)).hasSize(DEVICES);
            });
        }
    }

    private static Companion companion(KubernetesClient client, ClusterWatch watch) {
        return new CompanionBuilder(
                        client,
                        watch,
                        new EventRecorder(client, Clock.systemUTC(), Ticker.SYSTEM, "faults"),
                        new CompanionSettings(watch, CompanionCluster.OPTIONS))
                .build();
    }

    @AfterEach
    void clear() {
        var client = controlPlane.client();
        pods().forEach(pod -> client.resource(pod).withGracePeriod(0).delete());
        claims().forEach(claim -> {
            client.resource(claim).edit(stored -> {
                stored.getMetadata().setFinalizers(List.of());
                return stored;
            });
            client.resource(claim).delete();
        });
        Awaitility.await().untilAsserted(() -> {
            assertThat(pods()).isEmpty();
            assertThat(claims()).isEmpty();
        });
    }

    private static List<String> problems() {
        var slices = controlPlane
                .client()
                .resources(ResourceSlice.class)
                .withLabel(Labels.FAKEGPU, "faults")
                .list()
                .getItems();
        return AllocationChecker.problems(slices, claims());
    }

    private static List<Pod> pods() {
        return controlPlane.client().pods().inNamespace(NAMESPACE).list().getItems();
    }

    private static List<ResourceClaim> claims() {
        return controlPlane
                .client()
                .resources(ResourceClaim.class)
                .inNamespace(NAMESPACE)
                .list()
                .getItems();
    }

    private static boolean isRefused(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> "Unschedulable".equals(condition.getReason()));
    }

    private static void podWithClaim(int number) {
        apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: faults, name: claim-%1$d}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: faults.example.com}}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: faults, name: pod-%1$d}
                spec:
                  schedulerName: fakegpu-scheduler
                  containers: [{name: main, image: "busybox:1"}]
                  resourceClaims: [{name: gpu, resourceClaimName: claim-%1$d}]
                """.formatted(number));
    }

    private static void apply(String yaml) {
        controlPlane.controlPlane().apply(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
    }
}
