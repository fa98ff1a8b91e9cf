package dev.fakegpu.e2e.versionskew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that alpha fields of Kubernetes 1.37 that the client's model does not have survive every write of the operator. */
@Tag("long")
class NewerApiServerE2E {

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.with(ControlPlaneOptions.withControllerManager()
                    .featureGates(
                            "DRADeviceCompatibilityGroups=true,EvictionRequestAPI=true,VolumeBindMountOptions=true,"
                                    + "KubeletInUserNamespace=true,InPlacePodVerticalScalingSchedulerPreemption=true"))
            .withoutOperator();

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "newer", "namespace": "%s"}, "spec": {
              "schedulerName": "fakegpu-scheduler",
              "evictionResponders": [{"name": "example.com/responder", "priority": 1000}],
              "containers": [{"name": "main", "image": "i", "volumeMounts":
                [{"name": "data", "mountPath": "/data", "bindMountOptions": ["noexec"]}]}],
              "volumes": [{"name": "data", "emptyDir": {}}],
              "resourceClaims": [{"name": "gpu", "resourceClaimName": "newer"}]}}""";

    private final KubernetesClient client = cluster.client();

    @Test
    void unknownFieldsSurviveEveryWrite() {
        try (var operator = cluster.startOperator(Map.of());
                var fakeGpus = cluster.fakeGpus();
                var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            patchDefinition("add", "status/properties/future", "{\"type\": \"string\"}");
            awaitServed("{driver: newer.example.com, nodes: {names: [nowhere]}, model: L40S}", "{future: kept}");
            fakeGpus.create("newer", "{driver: newer.example.com, nodes: {simulated: {count: 1}}, model: L40S}");
            fakeGpus.awaitReady("newer");
            String node = fakeGpus.simulatedNodes("newer").get(0).getMetadata().getName();
            patch(
                    Node.class,
                    node,
                    "",
                    "{\"spec\":{\"podPreemptionPolicy\":{\"disableResizePreemption\":[\"example.com/a\"]}}}");
            patch(Node.class, node, "status", "{\"status\":{\"nodeInfo\":{\"runningInUserNamespace\":true}}}");
            patch(FakeGpu.class, "newer", "status", "{\"status\":{\"future\":\"kept\"}}");

            // When
            scenario.claim("newer", "newer.example.com");
            client.raw(
                    "/api/v1/namespaces/%s/pods".formatted(scenario.namespace()),
                    "POST",
                    POD.formatted(scenario.namespace()));
            scenario.awaitRunning("newer");
            makeNotReady(node);
            fakeGpus.patchSpec(
                    "newer", "{\"count\": 4, \"nodes\": {\"simulated\": {\"count\": 1, \"taint\": \"None\"}}}");
            fakeGpus.awaitReady("newer");
            fakeGpus.await(() -> assertThat(
                            client.nodes().withName(node).require().getSpec().getTaints())
                    .isEmpty());

            // Then
            JsonNode pod = raw("/api/v1/namespaces/" + scenario.namespace() + "/pods/newer");
            assertThat(pod.at("/spec/evictionResponders/0/name").asText()).isEqualTo("example.com/responder");
            assertThat(pod.at("/spec/containers/0/volumeMounts/0/bindMountOptions/0")
                            .asText())
                    .isEqualTo("noexec");
            JsonNode stored = raw("/api/v1/nodes/" + node);
            assertThat(stored.at("/spec/podPreemptionPolicy/disableResizePreemption/0")
                            .asText())
                    .isEqualTo("example.com/a");
            assertThat(stored.at("/status/nodeInfo/runningInUserNamespace").asBoolean())
                    .isTrue();
            assertThat(raw("/apis/fakegpu.dev/v1alpha1/fakegpus/newer")
                            .at("/status/future")
                            .asText())
                    .isEqualTo("kept");
            assertThat(operator.log().lines())
                    .filteredOn(line -> line.contains(" ERROR "))
                    .allMatch(line -> line.contains("no longer the leader")); // this happens if the machine pauses
        }
    }

    @Test
    void fakeGpuOfANewerDefinitionIsNotAcceptedAndStopsNoOther() {
        try (var operator = cluster.startOperator(Map.of());
                var fakeGpus = cluster.fakeGpus()) {
            // Given
            patchDefinition(
                    "replace",
                    "spec/properties/updatePolicy",
                    "{\"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true}");

            String future =
                    "{driver: newer.example.com, nodes: {names: [nowhere]}, model: L40S, updatePolicy: {mode: Future}}";
            awaitServed(future, "{}");

            // When
            fakeGpus.create("future", future);
            fakeGpus.create("present", "{driver: present.example.com, nodes: {simulated: {count: 1}}, model: L40S}");

            // Then
            fakeGpus.awaitReady("present");
            var refused = fakeGpus.awaitCondition("future", "Accepted", "False");
            assertThat(FakeGpuFixture.condition(refused, "Accepted").getMessage())
                    .contains("field spec.updatePolicy cannot be read: it is an object");
            fakeGpus.await(() ->
                    assertThat(fakeGpus.events("future", "UnreadableFields")).isNotEmpty());
            assertThat(operator.metrics())
                    .containsPattern("fakegpu_watch_unreadable_objects\\{kind=\"FakeGpu\"[^}]*} 1.0");

            // When
            operator.kill();
            try (var again = cluster.startOperator(Map.of())) {
                fakeGpus.patchSpec("present", "{\"count\": 4}");

                // Then
                fakeGpus.awaitReady("present");
                again.assertHealthy();
                for (String name : List.of("future", "present")) {
                    fakeGpus.delete(name);
                    fakeGpus.await(() -> assertThat(fakeGpus.find(name)).isEmpty());
                }
            }
        }
    }

    /** The node lifecycle controller does this; the operator, as the node's kubelet, writes the node's status. */
    private void makeNotReady(String node) {
        client.nodes()
                .withName(node)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.STRATEGIC_MERGE),
                        "{\"status\":{\"conditions\":["
                                + "{\"type\":\"Ready\",\"status\":\"Unknown\",\"reason\":\"NodeStatusUnknown\"},"
                                + "{\"type\":\"example.com/Other\",\"status\":\"True\"}]}}");
        cluster.fakeGpus()
                .await(() -> assertThat(client.nodes()
                                .withName(node)
                                .require()
                                .getStatus()
                                .getConditions())
                        .anySatisfy(condition -> {
                            assertThat(condition.getType()).isEqualTo("Ready");
                            assertThat(condition.getStatus()).isEqualTo("True");
                        })
                        .anySatisfy(condition -> assertThat(condition.getType()).isEqualTo("example.com/Other")));
    }

    private void patchDefinition(String operation, String field, String schema) {
        client.resources(CustomResourceDefinition.class)
                .withName("fakegpus.fakegpu.dev")
                .patch(PatchContext.of(PatchType.JSON), """
                        [{"op": "%s", "path": "/spec/versions/0/schema/openAPIV3Schema/properties/%s", "value": %s}]""".formatted(operation, field, schema));
    }

    /** The API server uses the previous definition for some milliseconds after it has stored a new one. */
    private void awaitServed(String spec, String status) {
        var manifest = """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: probe}
                spec: %s
                status: %s
                """.formatted(spec, status);
        var probe = client.getKubernetesSerialization().unmarshal(manifest, GenericKubernetesResource.class);
        cluster.fakeGpus()
                .await(() -> assertThatCode(() -> client.resource(probe)
                                .dryRun()
                                .fieldValidation(FieldValidateable.Validation.STRICT)
                                .create())
                        .doesNotThrowAnyException());
    }

    private <T extends HasMetadata> void patch(Class<T> kind, String name, String subresource, String patch) {
        var object = client.resources(kind).withName(name);
        (subresource.isEmpty() ? object : object.subresource(subresource))
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private JsonNode raw(String path) {
        try {
            return JSON.readTree(client.raw(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (KubernetesClientException e) {
            throw new AssertionError(path, e);
        }
    }
}
