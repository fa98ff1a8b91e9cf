package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.cluster.fit.PlacementFields;
import dev.fakegpu.dra.wire.CompactSlice;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UnusedFieldsTest {

    private final ObjectMapper mapper = ClientSerialization.mapper();

    @BeforeEach
    void configure() {
        ClientSerialization.configureForSnapshots(mapper);
        assertThat(new KubernetesSerialization(mapper, false)).isNotNull(); // also configures the mapper
    }

    @Test
    void fieldsThatDecisionsUseAreReadAsBefore() throws JsonProcessingException {
        Pod pod = mapper.readValue("""
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {"name": "a", "annotations": {"example.com/a": "b"}, "managedFields": [{"manager": "m"}]},
                 "spec": {"nodeName": "n", "volumes": [{"name": "v", "emptyDir": {}}, {"name": "p", "persistentVolumeClaim": {"claimName": "p"}},
                   {"name": "e", "ephemeral": {"volumeClaimTemplate": {"spec": {}}}}, {"name": "d", "gcePersistentDisk": {"pdName": "d"}}],
                  "schedulingGroup": {"podGroupName": "ring"},
                  "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}],
                  "resourceClaims": [{"name": "gpu", "resourceClaimName": "train"}],
                  "containers": [{"name": "main", "image": "i", "ports": [{"containerPort": 1, "hostPort": 1}], "livenessProbe": {"tcpSocket": {"port": 1}},
                   "env": [{"name": "A", "value": "1"}, {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "p"}}}],
                   "resources": {"claims": [{"name": "gpu"}], "requests": {"cpu": "1"}}}]},
                 "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}],
                  "resources": {"requests": {"cpu": "3"}},
                  "containerStatuses": [{"name": "main", "image": "i", "imageID": "", "ready": true, "restartCount": 0,
                   "state": {"running": {}}, "allocatedResources": {"cpu": "2"}, "resources": {"requests": {"cpu": "1"}}}]}}
                """, Pod.class);

        PodSpec spec = pod.getSpec();
        assertThat(spec.getVolumes().get(0))
                .isEqualTo(new VolumeBuilder().withName("v").build());
        assertThat(PlacementFields.of(pod))
                .containsExactly(
                        "spec.topologySpreadConstraints",
                        "spec.volumes.persistentVolumeClaim",
                        "spec.volumes.ephemeral",
                        "spec.volumes.gcePersistentDisk");
        assertThat(spec.getAdditionalProperties()).isEmpty();
        assertThat(spec.getSchedulingGroup().getPodGroupName()).isEqualTo("ring");
        assertThat(spec.getNodeName()).isEqualTo("n");
        assertThat(spec.getResourceClaims().get(0).getResourceClaimName()).isEqualTo("train");
        Container container = spec.getContainers().get(0);
        assertThat(container.getPorts().get(0).getHostPort()).isEqualTo(1);
        assertThat(container.getLivenessProbe()).isNull();
        assertThat(container.getEnv().get(0).getValue()).isEqualTo("1");
        assertThat(container.getResources().getClaims()).hasSize(1);
        assertThat(pod.getMetadata().getAnnotations()).containsEntry("example.com/a", "b");
        assertThat(pod.getMetadata().getManagedFields()).isEmpty();
        assertThat(pod.getStatus().getConditions()).hasSize(1);
        assertThat(pod.getStatus().getResources().getRequests()).containsKey("cpu");
        ContainerStatus status = pod.getStatus().getContainerStatuses().get(0);
        assertThat(status.getState()).isNull();
        assertThat(status.getAllocatedResources()).containsKey("cpu");
        assertThat(status.getResources().getRequests()).containsKey("cpu");
    }

    @Test
    void anUnusedFieldOfAnotherTypeIsNotReported() throws JsonProcessingException {
        Node node = mapper.readValue("""
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"images": 1}}
                """, Node.class);

        assertThat(UnreadableFields.isReadable(node)).isTrue();
    }

    @Test
    void aUsedFieldOfAnotherTypeIsReported() throws JsonProcessingException {
        Node node = mapper.readValue("""
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "spec": {"taints": 1}}
                """, Node.class);

        assertThat(UnreadableFields.of(node))
                .hasValueSatisfying(text -> assertThat(text).contains("field spec.taints cannot be read"));
    }

    @Test
    void slicesAreCompact() throws JsonProcessingException {
        ResourceSlice slice = mapper.readValue("""
                {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "s"},
                 "spec": {"driver": "d", "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}, "nodeName": "n"}}
                """, ResourceSlice.class);

        assertThat(slice).isInstanceOf(CompactSlice.class);
    }

    @ParameterizedTest
    @MethodSource("types")
    void theClientsModelHasTheUnusedFields(Map.Entry<Class<?>, Set<String>> fields) {
        assertThat(Arrays.stream(fields.getKey().getDeclaredFields())
                        .map(field -> field.getName())
                        .collect(Collectors.toSet()))
                .containsAll(fields.getValue());
    }

    static Set<Map.Entry<Class<?>, Set<String>>> types() {
        return UnusedFields.OF_TYPES.entrySet();
    }
}
