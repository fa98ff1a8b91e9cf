package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.wire.Allocations;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

/** Tests which parts of an object are kept after parsing. */
class KeptObjectsTest {

    private static final String LARGE = "x".repeat(KeptObjects.MAX_BYTES);

    private static final String POD = """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","uid":"1","labels":{"app":"x"},
              "annotations":{"example.com/large":"%1$s","fakegpu.dev/not-allocated":"why"},
              "managedFields":[{"manager":"kubectl","operation":"Update"}]},
             "spec":{"schedulerName":"fakegpu-scheduler","nodeName":"n","priority":7,
              "tolerations":[{"operator":"Exists"}],"nodeSelector":{"a":"b"},"affinity":{"nodeAffinity":{}},
              "securityContext":{"runAsUser":1},"volumes":[{"name":"v"},{"name":"p","persistentVolumeClaim":{"claimName":"p"}},
                {"name":"e","ephemeral":{"volumeClaimTemplate":{"metadata":{"labels":{"a":"%1$s"}},"spec":{}}}}],
              "initContainers":[{"name":"sidecar","image":"i","restartPolicy":"Always",
                "ports":[{"containerPort":1},{"containerPort":2,"hostPort":2}],"env":[{"name":"A","value":"%1$s"}]}],
              "containers":[{"name":"main","image":"i","command":["sh"],"args":["%1$s"],"ports":[{"containerPort":1}],
                "env":[{"name":"A","value":"b"}],"volumeMounts":[{"name":"v","mountPath":"/v"}],
                "livenessProbe":{"periodSeconds":1},"resources":{"requests":{"cpu":"1"},"claims":[{"name":"gpu"}]}}],
              "resourceClaims":[{"name":"gpu","resourceClaimName":"gpu"}]},
             "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],
              "containerStatuses":[{"name":"main"}],
              "initContainerStatuses":[{"name":"init"},{"name":"sidecar","ready":true,"allocatedResources":{"cpu":"2"}}]}}""";

    private final ObjectMapper mapper = ClientSerialization.mapper();
    private final KubernetesSerialization json = serialization(mapper);

    @Test
    void podKeepsTheFieldsThatDecisionsUse() {
        // When
        Pod pod = json.unmarshal(POD.formatted("b"), Pod.class);

        // Then
        assertThat(UnreadableFields.isReadable(pod)).isTrue();
        assertThat(pod.getMetadata().getLabels()).containsEntry("app", "x");
        assertThat(pod.getMetadata().getAnnotations()).containsOnlyKeys("fakegpu.dev/not-allocated");
        assertThat(pod.getMetadata().getManagedFields()).isEmpty();
        var spec = pod.getSpec();
        assertThat(spec.getNodeName()).isEqualTo("n");
        assertThat(spec.getPriority()).isEqualTo(7);
        assertThat(spec.getTolerations()).hasSize(1);
        assertThat(spec.getNodeSelector()).containsEntry("a", "b");
        assertThat(spec.getAffinity()).isNotNull();
        assertThat(spec.getResourceClaims()).hasSize(1);
        assertThat(spec.getVolumes())
                .containsExactly(
                        new VolumeBuilder()
                                .withName("p")
                                .withNewPersistentVolumeClaim("p", null)
                                .build(),
                        new VolumeBuilder()
                                .withName("e")
                                .withNewEphemeral()
                                .endEphemeral()
                                .build());
        assertThat(spec.getInitContainers().get(0).getPorts())
                .extracting(ContainerPort::getHostPort)
                .containsExactly(2);
        assertThat(spec.getSecurityContext()).isNull();
        assertThat(spec.getInitContainers())
                .singleElement()
                .satisfies(sidecar -> assertThat(sidecar.getRestartPolicy()).isEqualTo("Always"));
        assertThat(pod.getStatus().getConditions()).hasSize(1);
        assertThat(pod.getStatus().getContainerStatuses()).hasSize(1);
        assertThat(pod.getStatus().getInitContainerStatuses())
                .containsExactly(new ContainerStatusBuilder()
                        .withName("sidecar")
                        .addToAllocatedResources("cpu", new Quantity("2"))
                        .build());
    }

    @Test
    void containerKeepsNameImageAndResources() {
        // When
        var container = json.unmarshal(POD.formatted("b"), Pod.class)
                .getSpec()
                .getContainers()
                .get(0);

        // Then
        assertThat(mapper.<JsonNode>valueToTree(container).fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("name", "image", "resources");
    }

    /** Only unused fields are large, so the pod is not truncated. */
    @Test
    void podWithLargeUnusedFieldsIsReadable() {
        // When
        Pod pod = json.unmarshal(POD.formatted(LARGE), Pod.class);

        // Then
        assertThat(UnreadableFields.isReadable(pod)).isTrue();
        assertThat(pod.getSpec().getTolerations()).hasSize(1);
        assertThat(json.asJson(pod).length()).isLessThan(2000);
    }

    /** Writes are patches of the differences, so they never remove omitted fields. */
    @Test
    void patchHasNoOmittedFields() {
        // Given
        Pod pod = json.unmarshal(POD.formatted("b"), Pod.class);

        // When
        var changed = new PodBuilder(pod)
                .editMetadata()
                .addToLabels("new", "y")
                .endMetadata()
                .build();

        // Then
        assertThat(ObjectPatch.difference(tree(pod), tree(changed)).toString())
                .isEqualTo("{\"metadata\":{\"labels\":{\"new\":\"y\"}}}");
    }

    @Test
    void tooLargePodIsUnreadableAndStillOccupiesItsNodeAndUsesItsClaims() {
        // When
        Pod pod = json.unmarshal(POD.formatted("b").replace("\"app\":\"x\"", "\"app\":\"" + LARGE + "\""), Pod.class);

        // Then
        assertThat(UnreadableFields.of(pod)).get().asString().contains("most fields cannot be read: the object has 26");
        assertThat(pod.getMetadata().getUid()).isEqualTo("1");
        assertThat(pod.getSpec().getNodeName()).isEqualTo("n");
        assertThat(pod.getSpec().getContainers().get(0).getResources().getRequests())
                .containsKey("cpu");
        assertThat(pod.getSpec().getResourceClaims()).hasSize(1);
        assertThat(json.asJson(pod).length()).isLessThan(2000);
    }

    /** A watch event is read from text, whose positions are counted in characters. */
    @Test
    void sizeIsCountedInBytesOfUtf8() {
        // Given
        String ofThreeBytes = "\u20ac".repeat(KeptObjects.MAX_BYTES / 2);

        // When
        Pod pod = json.unmarshal(
                POD.formatted("b").replace("\"app\":\"x\"", "\"app\":\"" + ofThreeBytes + "\""), Pod.class);

        // Then
        assertThat(UnreadableFields.of(pod)).get().asString().contains("most fields cannot be read: the object has 39");
    }

    @Test
    void tooLargeClaimIsUnreadableAndStillHoldsItsDevices() {
        // When
        ResourceClaim claim = json.unmarshal("""
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","uid":"1"},
                 "spec":{"devices":{"requests":[{"name":"%1$s","exactly":{"deviceClassName":"c"}}]}},
                 "status":{"reservedFor":[{"resource":"pods","name":"p","uid":"2"}],
                  "devices":[{"driver":"d","pool":"p","device":"x","data":{"a":"%1$s"}}],
                  "allocation":{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"x"}],
                   "config":[{"source":"FromClaim","opaque":{"driver":"d","parameters":{"a":"%1$s"}}}]}}}}""".formatted(LARGE), ResourceClaim.class);

        // Then
        assertThat(UnreadableFields.isReadable(claim)).isFalse();
        assertThat(Allocations.devices(claim)).hasSize(1);
        assertThat(claim.getStatus().getReservedFor()).hasSize(1);
        assertThat(json.asJson(claim).length()).isLessThan(2000);
    }

    @Test
    void tooLargeNodeIsUnreadableAndHidesNoOther() {
        // When
        var node = json.unmarshal("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"a","labels":{"a":"%s"}},"spec":{}}""".formatted(LARGE), Node.class);

        // Then
        assertThat(UnreadableFields.isReadable(node)).isFalse();
        assertThat(node.getMetadata().getName()).isEqualTo("a");
    }

    @Test
    void onlyTheLargeItemOfAListIsCut() {
        // When
        var pods = json.unmarshal("""
                {"kind":"PodList","apiVersion":"v1","metadata":{},"items":[
                 {"metadata":{"name":"a","labels":{"a":"%s"}},"spec":{"containers":[]}},
                 {"metadata":{"name":"b","labels":{"a":"b"}},"spec":{"containers":[]}}]}""".formatted(LARGE), PodList.class);

        // Then
        assertThat(pods.getItems()).extracting(UnreadableFields::isReadable).containsExactly(false, true);
        assertThat(pods.getItems().get(1).getMetadata().getLabels()).containsEntry("a", "b");
    }

    /** Both modules wrap the same deserializers. */
    @Test
    void reducedObjectReportsUnreadableFields() {
        // When
        Pod pod = json.unmarshal(POD.formatted("b").replace("\"priority\":7", "\"priority\":\"high\""), Pod.class);

        // Then
        assertThat(UnreadableFields.of(pod)).get().asString().startsWith("field spec.priority cannot be read");
        assertThat(pod.getSpec().getVolumes()).hasSize(2);
    }

    @Test
    void objectsOfOtherKindsAreKeptWhole() {
        // When
        var configMap = json.unmarshal("""
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","annotations":{"example.com/a":"b"}},
                 "data":{"a":"%s"}}""".formatted(LARGE), ConfigMap.class);

        // Then
        assertThat(configMap.getMetadata().getAnnotations()).hasSize(1);
        assertThat(configMap.getData()).containsEntry("a", LARGE);
    }

    private JsonNode tree(Pod pod) {
        return json.convertValue(pod, JsonNode.class);
    }

    private static KubernetesSerialization serialization(ObjectMapper mapper) {
        KeptObjects.configure(mapper, () -> false);
        return new KubernetesSerialization(mapper, true);
    }
}
