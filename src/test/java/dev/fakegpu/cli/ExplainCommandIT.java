package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.Rights;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests a real API server with the devices of a driver that does not belong to a FakeGpu, without the operator and without a scheduler. */
class ExplainCommandIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private static final String OBJECTS = """
            apiVersion: v1
            kind: Namespace
            metadata: {name: explain-it}
            ---
            apiVersion: v1
            kind: Namespace
            metadata: {name: explain-it-other}
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {namespace: explain-it, name: default}
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {namespace: explain-it, name: viewer}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {namespace: explain-it, name: viewer}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: 'system:aggregate-to-view'}
            subjects: [{kind: ServiceAccount, namespace: explain-it, name: viewer}]
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: explain-it}
            spec: {}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: explain.example.com}
            spec: {selectors: [{cel: {expression: "device.driver == 'explain.example.com'"}}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: explain-it}
            spec:
              driver: explain.example.com
              nodeName: explain-it
              pool: {name: explain-it, generation: 1, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {namespace: explain-it, name: train}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: explain.example.com}}]}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {namespace: explain-it-other, name: holder}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: explain.example.com}}]}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: explain-it, name: train}
            spec:
              resourceClaims: [{name: gpu, resourceClaimName: train}]
              containers: [{name: main, image: image}]
              tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists}]
            """;

    @TempDir
    private Path folder;

    private record Result(int exit, String out, String err) {}

    @BeforeAll
    static void create() {
        ClusterYaml.objects(OBJECTS).forEach(ExplainCommandIT::create);
        try (var viewer = controlPlane.controlPlane().clientAs("explain-it", "viewer")) {
            Rights.await(viewer, "list", "", "pods");
        }
        controlPlane.client().nodes().withName("explain-it").editStatus(node -> {
            node.setStatus(((io.fabric8.kubernetes.api.model.Node)
                            ClusterYaml.objects("""
                            apiVersion: v1
                            kind: Node
                            metadata: {name: explain-it}
                            status: {conditions: [{type: Ready, status: "True"}], allocatable: {pods: "110"}}
                            """).get(0))
                    .getStatus());
            return node;
        });
        controlPlane
                .client()
                .resources(ResourceClaim.class)
                .inNamespace("explain-it-other")
                .withName("holder")
                .editStatus(claim -> {
                    claim.setStatus(((ResourceClaim) ClusterYaml.objects("""
                                    apiVersion: resource.k8s.io/v1
                                    kind: ResourceClaim
                                    metadata: {name: holder}
                                    status:
                                      allocation:
                                        devices:
                                          results: [{request: gpu, driver: explain.example.com, pool: explain-it, device: gpu-0}]
                                    """).get(0)).getStatus());
                    return claim;
                });
    }

    private static void create(HasMetadata object) {
        object.getMetadata().setUid(null);
        object.getMetadata().setCreationTimestamp(null);
        controlPlane.client().resource(object).create();
    }

    @Test
    void saysWhatIsMissingAndWhatWouldHelp() {
        Result result = run(controlPlane.kubeconfig(), "explain", "pod", "train", "-n", "explain-it");

        assertThat(result.out())
                .startsWith("""
                        Pod explain-it/train is pending (DevicesInUse):
                          no device for request "gpu": """)
                .contains("gpu-0 is held by explain-it-other/holder")
                .contains("no scheduler (schedulerName: default-scheduler) has reported on it yet")
                .contains("on explain-it: delete claim explain-it-other/holder, which no pod uses")
                .doesNotContain("Not seen");
        assertThat(result.exit()).isEqualTo(3);
    }

    @Test
    void saysWhatAnAllocatedClaimHas() {
        Result result = run(controlPlane.kubeconfig(), "explain", "claim", "holder", "-n", "explain-it-other");

        assertThat(result.out())
                .contains("ResourceClaim explain-it-other/holder is served (Allocated):")
                .contains("claim holder, request \"gpu\": gpu-0 of pool explain-it, driver explain.example.com");
        assertThat(result.exit()).isZero();
    }

    @Test
    void writesNothing() {
        String before = version();

        run(controlPlane.kubeconfig(), "explain", "-A", "-o", "json");

        assertThat(version()).isEqualTo(before);
    }

    @Test
    void viewerOfTheNamespaceSeesWhatIsUnknown() throws IOException {
        Result result = run(viewer(), "explain", "pod", "train", "-o", "json");

        assertThat(result.exit()).as(result.err()).isEqualTo(3);
        JsonNode json = new ObjectMapper().readTree(result.out());
        assertThat(json.path("explanations").path(0).path("code").asText()).isEqualTo("NotVisible");
        assertThat(json.path("notSeen"))
                .extracting(unseen -> unseen.path("resource").asText())
                .contains("resourceslices.resource.k8s.io", "nodes", "deviceclasses.resource.k8s.io");
        assertThat(run(viewer(), "explain", "pod", "train").out())
                .contains(
                        "may not list resourceclaims.resource.k8s.io in all namespaces: holders in other namespaces are not");
    }

    @Test
    void pendingPodsInNamespacesThatMayNotBeListedAreUnknown() throws IOException {
        Result text = run(viewer(), "explain", "-A", "-n", "explain-it-other");
        Result json = run(viewer(), "explain", "-A", "-n", "explain-it-other", "-o", "json");

        assertThat(text.exit()).as(text.out()).isEqualTo(1);
        assertThat(text.out())
                .startsWith("It is not known whether pods or claims wait for devices: you may not list pods or");
        assertThat(json.exit()).isEqualTo(1);
        assertThat(new ObjectMapper().readTree(json.out()).path("explanations")).isEmpty();
        assertThat(json.err()).startsWith("fakegpu: It is not known whether pods or claims wait for devices");
    }

    @Test
    void aNameThatDoesNotExistIsAnError() {
        Result result = run(controlPlane.kubeconfig(), "explain", "pod", "tran", "-n", "explain-it");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err())
                .isEqualToNormalizingNewlines(
                        "fakegpu: there is no pod \"tran\" in namespace \"explain-it\" (did you mean \"train\"?); there are train\n");
    }

    private static String version() {
        Pod pod = controlPlane
                .client()
                .pods()
                .inNamespace("explain-it")
                .withName("train")
                .get();
        return pod.getMetadata().getResourceVersion()
                + controlPlane
                        .client()
                        .v1()
                        .events()
                        .inNamespace("explain-it")
                        .list()
                        .getItems();
    }

    /** A kubeconfig with the namespace in its context, as users have it. */
    private Path viewer() throws IOException {
        Config admin = controlPlane.controlPlane().config();
        String token = controlPlane
                .client()
                .serviceAccounts()
                .inNamespace("explain-it")
                .withName("viewer")
                .tokenRequest()
                .getStatus()
                .getToken();
        return Files.writeString(
                folder.resolve("viewer"), """
                apiVersion: v1
                kind: Config
                current-context: viewer
                contexts: [{name: viewer, context: {cluster: c, user: viewer, namespace: explain-it}}]
                users: [{name: viewer, user: {token: %s}}]
                clusters: [{name: c, cluster: {server: "%s", %s}}]
                """.formatted(token, admin.getMasterUrl(), authority(admin)));
    }

    private static String authority(Config admin) {
        return admin.getCaCertData() == null
                ? "certificate-authority: \"" + admin.getCaCertFile() + '"'
                : "certificate-authority-data: " + admin.getCaCertData();
    }

    private static Result run(Path kubeconfig, String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        var commandLine =
                FakeGpuCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        var all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--kubeconfig";
        all[args.length + 1] = kubeconfig.toString();
        int exit = commandLine.execute(all);
        return new Result(exit, out.toString(), err.toString());
    }
}
