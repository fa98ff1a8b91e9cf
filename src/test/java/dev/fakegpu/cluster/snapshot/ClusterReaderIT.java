package dev.fakegpu.cluster.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.Rights;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A cluster without the operator, which is read by an administrator and by a user who may view only one namespace. The rights of the role
 * {@code view} are in {@code system:aggregate-to-view}, from which kube-controller-manager would copy them.
 */
class ClusterReaderIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private static final String HERE = "cluster-reader-it";
    private static final String ELSEWHERE = "cluster-reader-it-elsewhere";

    private static final String OBJECTS = """
            apiVersion: v1
            kind: Namespace
            metadata: {name: cluster-reader-it}
            ---
            apiVersion: v1
            kind: Namespace
            metadata: {name: cluster-reader-it-elsewhere}
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {namespace: cluster-reader-it, name: viewer}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {namespace: cluster-reader-it, name: viewer}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: 'system:aggregate-to-view'}
            subjects: [{kind: ServiceAccount, namespace: cluster-reader-it, name: viewer}]
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: cluster-reader-it}
            spec:
              driver: reader.example.com
              allNodes: true
              pool: {name: reader, generation: 1, resourceSliceCount: 1}
              devices: [{name: d}]
            """;

    @BeforeAll
    static void create() {
        ClusterYaml.objects(OBJECTS).forEach(ClusterReaderIT::create);
        for (String namespace : List.of(HERE, ELSEWHERE)) {
            IntStream.range(0, 3).forEach(i -> create(claim(namespace, "claim-" + i)));
        }
        try (KubernetesClient viewer = viewer()) {
            Rights.await(viewer, "list", "resource.k8s.io", "resourceclaims");
        }
    }

    private static KubernetesClient viewer() {
        return controlPlane.controlPlane().clientAs(HERE, "viewer");
    }

    private static void create(HasMetadata object) {
        object.getMetadata().setUid(null);
        object.getMetadata().setCreationTimestamp(null);
        controlPlane.client().resource(object).create();
    }

    private static HasMetadata claim(String namespace, String name) {
        return ClusterYaml.objects("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: %s, name: %s}
                spec: {devices: {requests: [{name: d, exactly: {deviceClassName: reader.example.com}}]}}
                """.formatted(namespace, name)).get(0);
    }

    @Test
    void anAdministratorSeesAllPageByPage() {
        ClusterSnapshot snapshot = new ClusterReader(controlPlane.client(), 2).read(HERE);

        assertThat(snapshot.slices())
                .extracting(slice -> slice.stored().getMetadata().getName())
                .contains("cluster-reader-it");
        assertThat(names(snapshot, HERE)).containsExactly("claim-0", "claim-1", "claim-2");
        assertThat(names(snapshot, ELSEWHERE)).containsExactly("claim-0", "claim-1", "claim-2");
        assertThat(snapshot.objects().unseen()).extracting(Unseen::cause).doesNotContain(Unseen.Cause.FORBIDDEN);
        assertThat(snapshot.unreadable()).isEmpty();
    }

    @Test
    void viewerSeesTheNamespaceAndAListOfWhatIsMissing() {
        try (KubernetesClient viewer = viewer()) {
            ClusterSnapshot snapshot = new ClusterReader(viewer).read(HERE);

            assertThat(snapshot.slices()).isEmpty();
            assertThat(names(snapshot, HERE))
                    .as(() -> String.valueOf(snapshot.objects().unseen()))
                    .hasSize(3);
            assertThat(names(snapshot, ELSEWHERE)).isEmpty();
            assertThat(snapshot.objects().unseen())
                    .extracting(Unseen::text)
                    .contains(
                            "may not list resourceslices.resource.k8s.io",
                            "may not list nodes",
                            "may not list pods in all namespaces",
                            "may not list resourceclaims.resource.k8s.io in all namespaces")
                    .doesNotContain("may not list pods in namespace \"" + HERE + '"');
        }
    }

    @Test
    void withoutPermissionForTheNamespaceBothRefusalsAreReported() {
        try (KubernetesClient viewer = viewer()) {
            ClusterSnapshot snapshot = new ClusterReader(viewer).read(ELSEWHERE);

            assertThat(snapshot.objects().isComplete(ObjectKind.PODS, ELSEWHERE))
                    .isFalse();
        }
    }

    @Test
    void anUnreachableApiServerIsNamed() {
        Config nowhere = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:1")
                .withRequestRetryBackoffLimit(0)
                .build();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(nowhere).build()) {
            assertThatExceptionOfType(ClusterUnreadableException.class)
                    .isThrownBy(() -> new ClusterReader(client).read(HERE))
                    .withMessageStartingWith("cannot read from the API server https://127.0.0.1:1/: ");
        }
    }

    private static List<String> names(ClusterSnapshot snapshot, String namespace) {
        return snapshot.objects().claims().stream()
                .filter(claim -> namespace.equals(claim.getMetadata().getNamespace()))
                .map(claim -> claim.getMetadata().getName())
                .toList();
    }
}
