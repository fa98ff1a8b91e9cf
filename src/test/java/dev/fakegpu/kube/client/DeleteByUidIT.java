package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeleteByUidIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();

    @ParameterizedTest
    @ValueSource(strings = {"""
                apiVersion: v1
                kind: Node
                metadata: {name: same}
                """, """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: same, namespace: default}
                """, """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: same}
                spec: {}
                """, """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: same}
                spec: {driver: gpu.example.com, allNodes: true, pool: {name: same, generation: 1, resourceSliceCount: 1}}
                """, """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: same, namespace: default}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: same}}]}}
                """})
    void deletesTheObjectAndNotItsSuccessor(String manifest) {
        // Given
        HasMetadata first = create(manifest);
        client.resource(first).delete();
        HasMetadata second = create(manifest);

        // When
        DeleteByUid.delete(client, first);

        // Then
        assertThat(client.resource(second).get()).isNotNull();

        // When
        DeleteByUid.delete(client, second);

        // Then
        assertThat(client.resource(second).get()).isNull();
        assertThatCode(() -> DeleteByUid.delete(client, second)).doesNotThrowAnyException();
    }

    @Test
    void whatTheApiServerRefusesIsReported() {
        var stored = client.namespaces().withName("kube-system").get();

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> DeleteByUid.delete(client, stored))
                .withMessageContaining("forbidden");
    }

    private HasMetadata create(String manifest) {
        HasMetadata object = Serialization.unmarshal(manifest);
        return client.resource(object).create();
    }
}
