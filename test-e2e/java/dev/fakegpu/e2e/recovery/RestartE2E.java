package dev.fakegpu.e2e.recovery;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The operator is killed and restarted in a cluster in which there is nothing to do. */
@Tag("long")
class RestartE2E {

    private static final int NODES = 20;

    private static ControlPlane controlPlane;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(ControlPlaneOptions.apiServerOnly());
    }

    @AfterAll
    static void end() {
        controlPlane.close();
    }

    private final KubernetesClient client = controlPlane.client();

    @Test
    void aRestartWritesNothingAndDecides() {
        try (var operator = OperatorProcess.start(controlPlane, Map.of())) {
            // Given: nodes with all kinds of devices, a running pod, a refused pod, and a claim without a pod
            apply("""
                    apiVersion: fakegpu.dev/v1alpha1
                    kind: FakeGpu
                    metadata: {name: restart}
                    spec:
                      model: A100-SXM4-40GB
                      count: 8
                      nodes: {simulated: {count: %d}}
                      partitions: {mig: {profiles: [All]}, vgpu: {types: [All]}}
                    """.formatted(NODES));
            claim("runs", "gpu", "");
            pod("runs");
            claim("refused", "missing", "");
            pod("refused");
            claim("alone", "gpu", "fakegpu.dev/allocate: 'true'");
            awaitAllocated(2);
            Awaitility.await().untilAsserted(() -> {
                assertThat(client.resources(FakeGpu.class).withName("restart").get())
                        .isReady();
                assertThat(pods("runs").getStatus().getPhase()).isEqualTo("Running");
                assertThat(sentence()).contains("device class \"missing.example.com\", which does not exist");
            });
            Map<String, String> before = awaitQuiet();
            String sentence = sentence();

            // When
            operator.crash();

            // Then: the operator schedules again, and has reconciled the FakeGpu
            claim("later", "gpu", "fakegpu.dev/allocate: 'true'");
            awaitAllocated(3);
            assertThat(sentence()).isEqualTo(sentence);
            assertThat(versions()).containsAllEntriesOf(before);
        }
    }

    private String sentence() {
        return pods("refused").getStatus().getConditions().get(0).getMessage();
    }

    private void awaitAllocated(int number) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(client.resources(FakeGpu.class)
                                .withName("restart")
                                .get()
                                .getStatus())
                        .isNotNull()
                        .satisfies(status -> {
                            assertThat(status.totals().nodes()).isEqualTo(NODES);
                            assertThat(status.totals().allocated()).isEqualTo(number);
                        }));
    }

    /** The versions when there are no more writes; for example, the steps above do not wait for heartbeats. */
    private Map<String, String> awaitQuiet() {
        var last = new AtomicReference<Map<String, String>>(Map.of());
        Awaitility.await().pollInterval(Duration.ofSeconds(2)).until(() -> {
            var now = versions();
            return now.equals(last.getAndSet(now));
        });
        return last.get();
    }

    /** The versions of all objects that the operator writes, except the FakeGpu, whose status counts the later claim, Leases and Events. */
    private Map<String, String> versions() {
        return Stream.of(ResourceSlice.class, DeviceClass.class, ResourceClaim.class, Node.class, Pod.class)
                .flatMap(kind -> client.resources(kind).inAnyNamespace().list().getItems().stream())
                .collect(Collectors.toMap(
                        object -> object.getKind() + " " + object.getMetadata().getName(),
                        object -> object.getMetadata().getResourceVersion()));
    }

    private Pod pods(String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    private void claim(String name, String deviceClass, String labels) {
        apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: default, name: %s, labels: {%s}}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: %s.example.com}}]}}
                """.formatted(name, labels, deviceClass));
    }

    private void pod(String name) {
        apply("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: default, name: %1$s}
                spec:
                  schedulerName: fakegpu-scheduler
                  tolerations: [{operator: Exists}]
                  resourceClaims: [{name: r, resourceClaimName: %1$s}]
                  containers: [{name: main, image: "busybox:1", resources: {claims: [{name: r}]}}]
                """.formatted(name));
    }

    private List<HasMetadata> apply(String yaml) {
        return controlPlane.apply(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
    }
}
