package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what other tests expect of the control plane: it is real, the feature gate is on, and RBAC is enforced. */
class ControlPlaneIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    @RegisterExtension
    static final ControlPlaneExtension withBeta = ControlPlaneExtension.with(ControlPlaneOptions.apiServerOnly()
            .runtimeConfig("resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true"));

    @Test
    void keepsCompatibilityGroups() {
        controlPlane.controlPlane().apply(yaml("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: control-plane-it-counters}
                spec:
                  driver: it.example.com
                  allNodes: true
                  pool: {name: it, generation: 1, resourceSliceCount: 2}
                  sharedCounters: [{name: gpu-0-counter-set, counters: {memory: {value: 40Gi}}}]
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: control-plane-it-devices}
                spec:
                  driver: it.example.com
                  allNodes: true
                  pool: {name: it, generation: 1, resourceSliceCount: 2}
                  devices:
                  - name: gpu-0-mig
                    consumesCounters:
                    - counterSet: gpu-0-counter-set
                      counters: {memory: {value: 5Gi}}
                      compatibilityGroups: [mig]
                """));

        ResourceSlice stored = controlPlane
                .client()
                .resources(ResourceSlice.class)
                .withName("control-plane-it-devices")
                .get();
        var consumed =
                stored.getSpec().getDevices().get(0).getConsumesCounters().get(0);
        assertThat(consumed.getCompatibilityGroups()).containsExactly("mig");
    }

    @Test
    void servesTheBetaVersionsThatItIsAskedFor() {
        String older = """
                apiVersion: resource.k8s.io/v1beta1
                kind: ResourceClaimTemplate
                metadata: {name: control-plane-it, namespace: default}
                spec: {spec: {devices: {requests: [{name: gpu, deviceClassName: gpu.example.com}]}}}
                """;
        withBeta.controlPlane().apply(yaml(older));

        ResourceClaimTemplate asV1 = withBeta.client()
                .resources(ResourceClaimTemplate.class)
                .inNamespace("default")
                .withName("control-plane-it")
                .get();
        var request = asV1.getSpec().getSpec().getDevices().getRequests().get(0);
        assertThat(request.getExactly().getDeviceClassName()).isEqualTo("gpu.example.com");
        assertThat(versions(withBeta.client())).containsExactly("v1", "v1beta2", "v1beta1");
        assertThat(versions(controlPlane.client())).containsExactly("v1");
    }

    private static List<String> versions(KubernetesClient client) {
        return client.getApiGroup("resource.k8s.io").getVersions().stream()
                .map(GroupVersionForDiscovery::getVersion)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"resource.k8s.io=true", "resource.k8s.io/v1beta1", "resource.k8s.io/v1beta1=true,"})
    void refusesWhatIsNoListOfApiVersions(String runtimeConfig) {
        var options = ControlPlaneOptions.apiServerOnly().runtimeConfig(runtimeConfig);

        assertThatIllegalStateException()
                .isThrownBy(() -> new ScriptControlPlaneSource().start(options))
                .withMessageContaining("\"" + runtimeConfig + "\" is not a list of API versions");
    }

    @Test
    void servesACustomResourceAsSoonAsItsDefinitionIsApplied() {
        controlPlane.controlPlane().apply(yaml("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.it.example.com}
                spec:
                  group: it.example.com
                  scope: Cluster
                  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
                """));

        var applied = controlPlane.controlPlane().apply(yaml("""
                apiVersion: it.example.com/v1
                kind: Widget
                metadata: {name: first}
                spec: {}
                """));

        assertThat(applied)
                .singleElement()
                .satisfies(widget -> assertThat(widget.getMetadata().getUid()).isNotEmpty());
    }

    @Test
    void aServiceAccountMayDoWhatRbacAllowsIt() {
        KubernetesClient admin = controlPlane.client();
        String namespace = "control-plane-it";
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        admin.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("nobody")
                        .endMetadata()
                        .build())
                .create();

        try (KubernetesClient nobody = controlPlane.controlPlane().clientAs(namespace, "nobody")) {
            assertThatExceptionOfType(KubernetesClientException.class)
                    .isThrownBy(() -> nobody.pods().inNamespace(namespace).list())
                    .satisfies(refusal -> assertThat(refusal.getCode()).isEqualTo(HttpURLConnection.HTTP_FORBIDDEN))
                    .withMessageContaining("system:serviceaccount:control-plane-it:nobody");
        }
    }

    private static InputStream yaml(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
