package dev.fakegpu.kube.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownKindTest {

    @ParameterizedTest
    @CsvSource({
        "resource.k8s.io/v1, ResourceCliam, ResourceClaim",
        "resource.k8s.io/v1, resourceclaim, ResourceClaim",
        "resource.k8s.io/v1beta2, DeviceClas, DeviceClass",
        "fakegpu.dev/v1alpha1, FakeGPU, FakeGpu",
        "v1, Pods, Pod",
        "apps/v1, Deploymnet, Deployment",
        "resource.k8s.io/v1beta1, ResourceClaim, resource.k8s.io/v1",
        "resource.k8s/v1, ResourceSlice, resource.k8s.io/v1",
        "fakegpu.dev/v1, FakeGpu, fakegpu.dev/v1alpha1",
        "scheduling.k8s.io/v1alpha2, PodGroup, scheduling.k8s.io/v1beta1",
        "'', Pod, allowed: v1"
    })
    void misspelledKindIsReportedWithTheIntendedOne(String apiVersion, String kind, String meant) {
        assertThat(misspelling(apiVersion, kind)).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({
        "v1, Pod",
        "v1, Secret",
        "v1, Service",
        "v1, ServiceAccount",
        "apps/v1, DaemonSet",
        "apps/v1, ReplicaSet",
        "batch.volcano.sh/v1alpha1, Job",
        "trainer.kubeflow.org/v1alpha1, TrainJob",
        "karpenter.sh/v1, NodePool",
        "karpenter.sh/v1, NodeClaim",
        "node.k8s.io/v1, RuntimeClass",
        "storage.k8s.io/v1, StorageClass",
        "networking.k8s.io/v1, IngressClass",
        "scheduling.k8s.io/v1beta1, Workload",
        "rbac.authorization.k8s.io/v1, Role"
    })
    void otherKindsAreNotReportedAsMisspelled(String apiVersion, String kind) {
        assertThat(misspelling(apiVersion, kind)).isEmpty();
    }

    @Test
    void aMisspellingOfAKindThatIsNotReadIsNotReported() {
        var object = JsonNodeFactory.instance
                .objectNode()
                .put("kind", "ResourceCliam")
                .put("apiVersion", "resource.k8s.io/v1");

        assertThat(KnownKind.misspelling(object, KnownKind.versions(EnumSet.of(KnownKind.ResourceSlice))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DeviceTaintRule | resource.k8s.io/v1        | V1_37 |
            DeviceTaintRule | resource.k8s.io/v1        | V1_36 | resource.k8s.io/v1alpha3, resource.k8s.io/v1beta2
            DeviceTaintRule | resource.k8s.io/v1        | V1_34 | resource.k8s.io/v1alpha3
            DeviceTaintRule | resource.k8s.io/v1beta2   | V1_36 |
            DeviceTaintRule | resource.k8s.io/v1beta2   | V1_35 | resource.k8s.io/v1alpha3
            DeviceTaintRule | resource.k8s.io/v1alpha3  | V1_34 |
            ResourceClaim   | resource.k8s.io/v1beta1   | V1_34 |
            ResourceClaim   | resource.k8s.io/v1        | V1_34 |
            PodGroup        | scheduling.k8s.io/v1beta1 | V1_37 |
            PodGroup        | scheduling.k8s.io/v1beta1 | V1_36 | ''
            Pod             | v1                        | V1_34 |
            FakeGpu         | fakegpu.dev/v1alpha1      | V1_34 |
            Secret          | v1                        | V1_34 |
            """)
    void kindsThatAServerDoesNotServeAreReportedWithItsVersions(
            String kind, String apiVersion, KubernetesVersion server, @Nullable String served) {
        var unserved = KnownKind.unserved(kind, apiVersion, server);

        if (served == null) {
            assertThat(unserved).isEmpty();
        } else {
            assertThat(unserved)
                    .hasValueSatisfying(sentence -> assertThat(sentence)
                            .startsWith(
                                    "apiVersion: no matches for kind \"%s\" in version \"%s\": it is in Kubernetes 1."
                                            .formatted(kind, apiVersion))
                            .endsWith(served.isEmpty() ? "or newer" : "; allowed: " + served));
        }
    }

    private static String misspelling(String apiVersion, String kind) {
        var object = JsonNodeFactory.instance.objectNode().put("kind", kind).put("apiVersion", apiVersion);
        return String.join("; ", KnownKind.misspelling(object, KnownKind.versions(EnumSet.allOf(KnownKind.class))));
    }
}
