package dev.fakegpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.Rights;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code config/admission-policy}: which writes it allows among those for which the operator has rights. */
class AdmissionPolicyIT {

    private static final List<String> POLICIES =
            List.of("config/admission-policy/nodes.yaml", "config/admission-policy/real_nodes.yaml");

    private static final String NAMESPACE = "policy-it";
    private static final String SIMULATED = "policy-simulated";
    private static final String REAL = "policy-real";
    private static final String ONLY_LABELLED = "policy-labelled";
    private static final String OF_A_CLOUD = "policy-cloud";
    private static final String OF_KWOK = "policy-kwok";
    private static final String ONLY_ANNOTATED = "policy-annotated";

    private static final String OWNER =
            "ownerReferences: [{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, name: policy, uid: 4711}]";

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private static KubernetesClient admin;
    private static KubernetesClient operator;

    @BeforeAll
    static void install() {
        ControlPlane cluster = controlPlane.controlPlane();
        admin = controlPlane.client();
        for (String file : List.of("namespace", "service_account", "role", "role_binding")) {
            cluster.applyFile("config/rbac/" + file + ".yaml");
        }
        Rights.awaitStored(admin);
        POLICIES.forEach(cluster::applyFile);
        operator = cluster.clientAs("fakegpu-system", "fakegpu-operator");
        apply("{apiVersion: v1, kind: Namespace, metadata: {name: policy-it}}");
        node(SIMULATED, OWNER);
        node(REAL, "labels: {a: b}");
        node(ONLY_LABELLED, "labels: {fakegpu.dev/simulated: 'true'}");
        apply("{apiVersion: v1, kind: Node, metadata: {name: policy-cloud, %s}, spec: {providerID: 'cloud://1'}}"
                .formatted(OWNER));
        node(OF_KWOK, "annotations: {kwok.x-k8s.io/node: fake}");
        apply("""
                apiVersion: v1
                kind: Node
                metadata: {name: policy-annotated, annotations: {kwok.x-k8s.io/node: fake}}
                status: {nodeInfo: {containerRuntimeVersion: "containerd://2.2.1"}}
                """);
        // A policy and its parameters take effect shortly after they are stored.
        Awaitility.await().untilAsserted(() -> {
            assertForbidden(() -> patchNode(REAL), "owned by a FakeGpu");
            assertForbidden(() -> createLease(REAL), "policy-real");
            assertForbidden(() -> createLease(ONLY_LABELLED), "policy-labelled");
            assertForbidden(() -> createLease(OF_A_CLOUD), "policy-cloud");
            assertForbidden(() -> createLease(OF_KWOK), "policy-kwok");
            assertForbidden(() -> createLease(ONLY_ANNOTATED), "policy-annotated");
            assertThatCode(() -> createLease(SIMULATED)).doesNotThrowAnyException();
        });
    }

    /** The control plane is shared with other tests. */
    @AfterAll
    static void remove() {
        for (String policy : List.of("fakegpu-operator-simulated-nodes", "fakegpu-operator-real-nodes")) {
            admin.admissionRegistration()
                    .v1()
                    .validatingAdmissionPolicyBindings()
                    .withName(policy)
                    .delete();
            admin.admissionRegistration()
                    .v1()
                    .validatingAdmissionPolicies()
                    .withName(policy)
                    .delete();
        }
        List.of(SIMULATED, REAL, ONLY_LABELLED, OF_A_CLOUD, OF_KWOK, ONLY_ANNOTATED)
                .forEach(name -> {
                    admin.nodes().withName(name).delete();
                    admin.leases().inNamespace("kube-node-lease").withName(name).delete();
                });
        operator.close();
    }

    @BeforeEach
    void pods() {
        pod("on-simulated", "nodeName: " + SIMULATED);
        pod("on-real", "nodeName: " + REAL);
        pod("on-labelled", "nodeName: " + ONLY_LABELLED);
        pod("on-cloud", "nodeName: " + OF_A_CLOUD);
        String claims = "resourceClaims: [{name: gpu, resourceClaimName: gpu}]";
        pod("on-kwok", claims + ", nodeName: " + OF_KWOK);
        pod("on-kwok-without-claims", "nodeName: " + OF_KWOK);
        pod("on-annotated", claims + ", nodeName: " + ONLY_ANNOTATED);
        pod("companions", "schedulerName: fakegpu-scheduler, nodeName: " + REAL);
        pod("waiting", "schedulerName: fakegpu-scheduler");
        pod("waiting-for-another", "schedulerName: default-scheduler");
    }

    @AfterEach
    void removePods() {
        admin.pods().inNamespace(NAMESPACE).withGracePeriod(0).delete();
    }

    @Test
    void simulatedNodesMayBeWritten() {
        assertThatCode(() -> patchNode(SIMULATED)).doesNotThrowAnyException();
        assertThatCode(() -> patchNodeStatus(SIMULATED)).doesNotThrowAnyException();
        assertThatCode(() -> create(operator, nodeYaml("policy-new", OWNER))).doesNotThrowAnyException();
        assertThat(operator.nodes().withName("policy-new").delete()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {REAL, ONLY_LABELLED, OF_A_CLOUD, OF_KWOK})
    void otherNodesMayNotBeWritten(String node) {
        String why = "may write only nodes that are owned by a FakeGpu and have no other provider ID";
        assertForbidden(() -> patchNode(node), why);
        assertForbidden(() -> patchNodeStatus(node), why);
        assertForbidden(() -> operator.nodes().withName(node).delete(), why);
        assertForbidden(
                () -> merge(
                        operator,
                        node,
                        "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"fakegpu.dev/v1alpha1\","
                                + "\"kind\":\"FakeGpu\",\"name\":\"policy\",\"uid\":\"4711\"}]}}"),
                why);
    }

    @Test
    void otherNodesCannotBeCreatedOrReleased() {
        assertForbidden(() -> create(operator, nodeYaml("policy-new", "labels: {a: b}")), "owned by a FakeGpu");
        assertForbidden(
                () -> merge(operator, SIMULATED, "{\"metadata\":{\"ownerReferences\":null}}"), "owned by a FakeGpu");
    }

    @Test
    void leasesOfOtherNodesMayNotBeWritten() {
        assertForbidden(
                () -> createLease(REAL),
                "may not write this Lease, because node \"policy-real\" is not a simulated node of a FakeGpu");
        assertForbidden(() -> createLease(ONLY_LABELLED), "node \"policy-labelled\" is not a simulated node");
        assertThatCode(() -> createLease(SIMULATED)).doesNotThrowAnyException();
    }

    @Test
    void podsOfSimulatedNodesMayBeWrittenAndDeleted() {
        assertThatCode(() -> patchPodStatus("on-simulated")).doesNotThrowAnyException();
        assertThatCode(() -> delete("on-simulated")).doesNotThrowAnyException();
    }

    @Test
    void podsWithClaimsOnNodesOfKwokMayBeWrittenAndDeleted() {
        assertThatCode(() -> patchPodStatus("on-kwok")).doesNotThrowAnyException();
        assertThatCode(() -> delete("on-kwok")).doesNotThrowAnyException();
        assertForbidden(() -> patchPodStatus("on-kwok-without-claims"), "node \"policy-kwok\" is not");
        assertForbidden(() -> delete("on-kwok-without-claims"), "node \"policy-kwok\" is not");
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-real", "on-labelled", "on-cloud", "on-annotated"})
    void podsOfOtherNodesMayNotBeWrittenOrDeleted(String pod) {
        String why = "may not write this pod, because node \"policy-" + pod.substring("on-".length());
        assertForbidden(() -> patchPodStatus(pod), why);
        assertForbidden(() -> delete(pod), why);
    }

    @Test
    void companionMayWriteTheStatusOfItsPodsAnywhereAndDeleteNone() {
        assertThatCode(() -> patchPodStatus("companions")).doesNotThrowAnyException();
        assertThatCode(() -> patchPodStatus("waiting")).doesNotThrowAnyException();
        assertForbidden(() -> delete("companions"), "node \"policy-real\" is not a simulated node");
        assertForbidden(() -> delete("waiting"), "pods without a node only the status");
        assertForbidden(() -> patchPodStatus("waiting-for-another"), "if schedulerName is fakegpu-scheduler");
    }

    @Test
    void otherUsersKeepTheirPermissions() {
        assertThatCode(() -> merge(admin, REAL, "{\"metadata\":{\"labels\":{\"a\":\"c\"}}}"))
                .doesNotThrowAnyException();
        admin.pods()
                .inNamespace(NAMESPACE)
                .withName("on-real")
                .withGracePeriod(0)
                .delete();
        assertThat(admin.pods().inNamespace(NAMESPACE).withName("on-real").get())
                .isNull();
    }

    // --- writes ---

    private static void patchNode(String node) {
        merge(operator, node, "{\"spec\":{\"taints\":null}}");
        merge(operator, node, "{\"metadata\":{\"annotations\":{\"by\":\"operator\"}}}");
    }

    private static void patchNodeStatus(String node) {
        operator.nodes()
                .withName(node)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\":{\"nodeInfo\":{\"osImage\":\"simulated\"}}}");
    }

    private static void merge(KubernetesClient client, String node, String patch) {
        client.nodes().withName(node).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private static void createLease(String node) {
        operator.resource(load(operator, """
                        apiVersion: coordination.k8s.io/v1
                        kind: Lease
                        metadata: {namespace: kube-node-lease, name: %1$s}
                        spec: {holderIdentity: %1$s}
                        """.formatted(node)))
                .fieldManager("policy-it")
                .forceConflicts()
                .serverSideApply();
    }

    private static void patchPodStatus(String pod) {
        operator.pods()
                .inNamespace(NAMESPACE)
                .withName(pod)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"message\":\"by the operator\"}}");
    }

    private static void delete(String pod) {
        operator.pods().inNamespace(NAMESPACE).withName(pod).withGracePeriod(0).delete();
    }

    private static void assertForbidden(Runnable write, String why) {
        assertThatThrownBy(write::run)
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(why)
                .satisfies(e ->
                        assertThat(((KubernetesClientException) e).getCode()).isEqualTo(403));
    }

    // --- objects ---

    private static void node(String name, String metadata) {
        apply(nodeYaml(name, metadata));
    }

    private static String nodeYaml(String name, String metadata) {
        return "{apiVersion: v1, kind: Node, metadata: {name: %s, %s}}".formatted(name, metadata);
    }

    private static void pod(String name, String spec) {
        apply("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: policy-it, name: %s}
                spec: {containers: [{name: main, image: i}], terminationGracePeriodSeconds: 0, %s}
                """.formatted(name, spec));
    }

    private static void apply(String yaml) {
        admin.resource(load(admin, yaml))
                .fieldManager("policy-it")
                .forceConflicts()
                .serverSideApply();
    }

    private static void create(KubernetesClient client, String yaml) {
        client.resource(load(client, yaml)).create();
    }

    private static HasMetadata load(KubernetesClient client, String yaml) {
        // Without the document marker, text that begins with a brace is parsed as JSON.
        return client.load(new ByteArrayInputStream(("---\n" + yaml).getBytes(StandardCharsets.UTF_8)))
                .items()
                .get(0);
    }
}
