package dev.fakegpu.e2e.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.e2e.support.SingleRequestClaims;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * If the memory of an operator is too small for a FakeGpu, the operator publishes what fits, reports this, and keeps working; the same
 * applies to slices of other drivers.
 */
@Tag("long")
class MemoryLimitE2E {

    private static final String DRIVER = "gpu.example.com";
    private static final int SLICES_OF_OTHERS = 600;
    private static final Pattern UNREADABLE_SLICES =
            Pattern.compile("fakegpu_watch_unreadable_objects\\{[^}]*kind=\"ResourceSlice\"[^}]*} (\\S+)");

    @Test
    void theOperatorStopsPublishingBeforeItsMemoryIsFull() {
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.apiServerOnly());
                var operator = OperatorProcess.start(controlPlane, Map.of(OperatorProcess.HEAP, "96m"))) {
            var client = controlPlane.client();
            createFakeGpu(client, "large", """
                    {model: A100-SXM4-40GB, count: 8, nodes: {simulated: {count: 300}},
                      partitions: {mig: {profiles: [All]}, vgpu: {types: [All]}, vfio: true}}""");

            // Each reconciliation measures the free memory again.
            Awaitility.await()
                    .untilAsserted(() -> assertThat(published(client)).hasValueSatisfying(condition -> {
                        assertThat(condition.getReason()).isEqualTo("MemoryLimit");
                        assertThat(condition.getMessage())
                                .contains("of 300 node(s)")
                                .contains("raise the memory limit of its Deployment");
                    }));
            Awaitility.await()
                    .untilAsserted(() -> assertThat(operator.metrics()).contains("fakegpu_memory_limited 1.0"));

            allocate(client, "claim");
            operator.assertHealthy();
        }
    }

    private static void createFakeGpu(KubernetesClient client, String name, String spec) {
        client.resource(client.getKubernetesSerialization()
                        .unmarshal("""
                        apiVersion: fakegpu.dev/v1alpha1
                        kind: FakeGpu
                        metadata: {name: %s}
                        spec: %s
                        """.formatted(name, spec), GenericKubernetesResource.class))
                .create();
    }

    /** Unlike nodes of a FakeGpu, these slices cannot be refused. */
    @Test
    void theOperatorOutlivesSlicesOfOthersThatDoNotFit() {
        var memory = Map.of(OperatorProcess.HEAP, "128m");
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.apiServerOnly())) {
            var client = controlPlane.client();
            try (var operator = OperatorProcess.start(controlPlane, memory)) {
                // Given
                createFakeGpu(client, "small", "{model: A100-SXM4-40GB, nodes: {simulated: {count: 2}}}");

                // When
                IntStream.range(0, SLICES_OF_OTHERS)
                        .forEach(i -> client.resource(sliceOfAnother(i)).create());

                // Then
                Awaitility.await()
                        .untilAsserted(
                                () -> assertThat(withoutDevices(operator)).isPositive());
                allocate(client, "before");
                operator.assertHealthy();
            }
            try (var restarted = OperatorProcess.start(controlPlane, memory)) {
                // Then
                Awaitility.await()
                        .untilAsserted(
                                () -> assertThat(withoutDevices(restarted)).isPositive());
                allocate(client, "after");

                // When
                IntStream.range(0, SLICES_OF_OTHERS * 3 / 4)
                        .forEach(i -> client.resource(sliceOfAnother(i)).delete());

                // Then
                Awaitility.await()
                        .untilAsserted(
                                () -> assertThat(withoutDevices(restarted)).isZero());
                assertThat(restarted.log())
                        .as("what the API server stores is found out by slices that belong to no FakeGpu")
                        .doesNotContain("consumesCounters");
                restarted.assertHealthy();
            }
        }
    }

    /** The value of the metric. */
    private static double withoutDevices(OperatorProcess operator) {
        return UNREADABLE_SLICES
                .matcher(operator.metrics())
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
    }

    /** No two devices have equal parts that could be stored only once. */
    private static ResourceSlice sliceOfAnother(int number) {
        return new ResourceSliceBuilder()
                .withNewMetadata()
                .withName("other-" + number)
                .endMetadata()
                .withNewSpec()
                .withDriver("other.example.com")
                .withAllNodes(true)
                .withNewPool(1L, "other-" + number, 1L)
                .withDevices(IntStream.range(0, 64)
                        .mapToObj(device -> new DeviceBuilder()
                                .withName("d" + device)
                                .withAttributes(IntStream.range(0, 32)
                                        .boxed()
                                        .collect(Collectors.toMap(
                                                attribute -> "a" + attribute,
                                                attribute -> new DeviceAttributeBuilder()
                                                        .withString("slice %s, device %s, attribute %s"
                                                                .formatted(number, device, attribute))
                                                        .build())))
                                .build())
                        .toList())
                .endSpec()
                .build();
    }

    /** The condition {@code Published}; empty while there is no status. */
    private static Optional<Condition> published(KubernetesClient client) {
        var status = client.resources(FakeGpu.class).withName("large").get().getStatus();
        return status == null
                ? Optional.empty()
                : status.conditions().stream()
                        .filter(condition -> condition.getType().equals("Published"))
                        .findFirst();
    }

    private static void allocate(KubernetesClient client, String name) {
        client.resource(SingleRequestClaims.ofType("default", name, DRIVER, "gpu")
                        .editMetadata()
                        .addToLabels("fakegpu.dev/allocate", "true")
                        .endMetadata()
                        .build())
                .create();
        Awaitility.await().untilAsserted(() -> {
            ResourceClaim claim = client.resources(ResourceClaim.class)
                    .inNamespace("default")
                    .withName(name)
                    .get();
            assertThat(claim.getStatus()).isNotNull();
            assertThat(claim.getStatus().getAllocation()).isNotNull();
        });
    }
}
