package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.Rights;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Tests {@code who}, {@code what-if} and {@code simulate} with the slices and allocated claims of a driver, in a cluster without the
 * operator.
 */
class WhoIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private static final String NAMESPACE = "who-it";

    private static final String OBJECTS = """
            apiVersion: v1
            kind: Namespace
            metadata: {name: who-it}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: who-it-node}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: who.example.com}
            spec: {selectors: [{cel: {expression: 'device.driver == "who.example.com"'}}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: who-it-0}
            spec:
              driver: who.example.com
              nodeName: who-it-node
              pool: {name: who-it-node, generation: 1, resourceSliceCount: 2}
              sharedCounters: [{name: card-0, counters: {memory: {value: 40Gi}}}]
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: who-it-1}
            spec:
              driver: who.example.com
              nodeName: who-it-node
              pool: {name: who-it-node, generation: 1, resourceSliceCount: 2}
              devices:
              - {name: card-0, consumesCounters: [{counterSet: card-0, counters: {memory: {value: 40Gi}}}]}
              - {name: card-0-part-0, consumesCounters: [{counterSet: card-0, counters: {memory: {value: 10Gi}}}]}
              - {name: card-0-part-1, consumesCounters: [{counterSet: card-0, counters: {memory: {value: 10Gi}}}]}
              - {name: card-0-part-2, consumesCounters: [{counterSet: card-0, counters: {memory: {value: 10Gi}}}]}
            """;

    private static final String CLAIM = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {namespace: who-it, name: part}
            spec: {devices: {requests: [{name: r, exactly: {deviceClassName: who.example.com}}]}}
            status:
              allocation: {devices: {results: [{request: r, driver: who.example.com, pool: who-it-node, device: card-0-part-1}]}}
              reservedFor: [{resource: pods, name: gone, uid: "1"}]
            """;

    @BeforeAll
    static void create() {
        ClusterYaml.objects(OBJECTS).forEach(WhoIT::create);
        var node = controlPlane.client().nodes().withName("who-it-node").get();
        controlPlane
                .client()
                .nodes()
                .resource(node)
                .editStatus(stored -> stored.edit()
                        .editOrNewStatus()
                        .addToAllocatable("pods", new Quantity("10"))
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
        var wanted = (ResourceClaim) ClusterYaml.objects(CLAIM).get(0);
        create(ClusterYaml.objects(CLAIM).get(0));
        controlPlane
                .client()
                .resources(ResourceClaim.class)
                .inNamespace(NAMESPACE)
                .withName("part")
                .editStatus(
                        stored -> stored.edit().withStatus(wanted.getStatus()).build());
    }

    private static void create(HasMetadata object) {
        object.getMetadata().setUid(null);
        object.getMetadata().setCreationTimestamp(null);
        controlPlane.client().resource(object).create();
    }

    /** The exit code and output of a command. */
    private record Answer(int exit, String out, String err) {}

    private static Answer fakegpu(String... args) {
        return fakegpu(controlPlane.kubeconfig(), args);
    }

    private static Answer fakegpu(Path kubeconfig, String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        String[] all = Stream.concat(Stream.of(args), Stream.of("--kubeconfig", kubeconfig.toString()))
                .toArray(String[]::new);
        int exit = FakeGpuCommand.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all);
        return new Answer(exit, out.toString(), err.toString());
    }

    @Test
    void listsHoldersOfDevices() throws Exception {
        Answer answer = fakegpu("who", "-n", NAMESPACE, "-o", "json");

        assertThat(answer.exit()).as(answer.err()).isZero();
        JsonNode gpu = new ObjectMapper().readTree(answer.out()).path("gpus").path(0);
        assertThat(gpu.path("mode").asText()).isEqualTo("partitioned");
        JsonNode holding = gpu.path("holdings").path(0);
        assertThat(holding.path("device").asText()).isEqualTo("card-0-part-1");
        assertThat(holding.path("claim").asText()).isEqualTo("part");
        assertThat(holding.path("notes").path(0).asText()).isEqualTo("pod \"gone\" does not exist");
        assertThat(gpu.path("kinds").path(0).path("obstacle").asText()).isEqualTo("memory");
        assertThat(gpu.path("left").path(0).path("left").asText()).isEqualTo("30Gi");
    }

    @Test
    void triesAClaimAndWritesNothing(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("claims.yaml");
        Files.writeString(file, """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: two}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: who.example.com, count: 2}}]}}
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: three}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: who.example.com, count: 3}}]}}
                """);

        Answer answer = fakegpu("what-if", "-n", NAMESPACE, "-f", file.toString());

        assertThat(answer.exit()).as(answer.err() + answer.out()).isEqualTo(3);
        assertThat(answer.out())
                .startsWith(
                        "claim who-it/two would be placed on who-it-node with card-0-part-0, card-0-part-1 if a pod used it;")
                .contains("claim who-it/three would wait even if a pod used it:")
                .contains("who-it/two");
        assertThat(controlPlane
                        .client()
                        .resources(ResourceClaim.class)
                        .inNamespace(NAMESPACE)
                        .list()
                        .getItems())
                .extracting(claim -> claim.getMetadata().getName())
                .containsExactly("part");
    }

    @Test
    void simulatesOnACopyAndWritesNothing(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("scenario.yaml");
        Files.writeString(file, """
                apiVersion: fakegpu.dev/v1alpha1
                kind: Scenario
                steps:
                - expect:
                  - {claim: part, namespace: who-it, is: NotAllocated}
                - apply:
                  - apiVersion: resource.k8s.io/v1
                    kind: ResourceClaim
                    metadata: {namespace: who-it, name: three}
                    spec: {devices: {requests: [{name: r, exactly: {deviceClassName: who.example.com, count: 3}}]}}
                  - apiVersion: v1
                    kind: Pod
                    metadata: {namespace: who-it, name: three}
                    spec:
                      tolerations: [{operator: Exists}]
                      containers: [{name: main, image: busybox}]
                      resourceClaims: [{name: r, resourceClaimName: three}]
                - expect:
                  - {pod: three, namespace: who-it, is: Running, node: who-it-node}
                """);

        Answer answer =
                fakegpu("simulate", "--from-cluster", "--scheduler", "kube", "-n", NAMESPACE, "-f", file.toString());

        assertThat(answer.exit()).as(answer.out() + answer.err()).isZero();
        assertThat(answer.out())
                .as("the pod that part is reserved for does not exist, so kube-controller-manager would release it")
                .contains("claim who-it/part is not allocated", "card-0-part-0,card-0-part-1,");
        assertThat(controlPlane
                        .client()
                        .resources(ResourceClaim.class)
                        .inNamespace(NAMESPACE)
                        .list()
                        .getItems())
                .singleElement()
                .satisfies(
                        claim -> assertThat(claim.getStatus().getAllocation()).isNotNull());
    }

    @Test
    void anUnknownContextIsAnError() {
        Answer answer = fakegpu("who", "--context", "nowhere");

        assertThat(answer.exit()).isEqualTo(1);
        assertThat(answer.err()).startsWith("fakegpu: there is no context \"nowhere\" in the kubeconfig");
    }

    @Test
    void watchingPrintsTheAnswerAgainWhenItHasChanged() throws Exception {
        var out = new StringWriter();
        CommandLine program =
                FakeGpuCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(new StringWriter()));
        var watching = new Thread(() -> program.execute(
                "who",
                "-g",
                "claim",
                "-n",
                NAMESPACE,
                "--watch",
                "--kubeconfig",
                controlPlane.kubeconfig().toString()));
        watching.start();
        try {
            await().until(out::toString, text -> text.contains("part"));
            String before = out.toString();

            var wanted = (ResourceClaim) ClusterYaml.objects(
                            CLAIM.replace("name: part}", "name: watched}").replace("card-0-part-1", "card-0-part-2"))
                    .get(0);
            ResourceClaim created = ClusterYaml.objects(CLAIM.replace("name: part}", "name: watched}")).stream()
                    .map(ResourceClaim.class::cast)
                    .findFirst()
                    .orElseThrow();
            create(created);
            controlPlane
                    .client()
                    .resources(ResourceClaim.class)
                    .inNamespace(NAMESPACE)
                    .withName("watched")
                    .editStatus(stored ->
                            stored.edit().withStatus(wanted.getStatus()).build());

            await().until(out::toString, text -> text.contains("watched"));
            assertThat(out.toString()).startsWith(before);
        } finally {
            watching.interrupt();
            watching.join();
            controlPlane
                    .client()
                    .resources(ResourceClaim.class)
                    .inNamespace(NAMESPACE)
                    .withName("watched")
                    .delete();
        }
    }

    @Test
    void aFileIsComparedWithACluster(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("slices.yaml");
        String slices = OBJECTS.substring(OBJECTS.indexOf("apiVersion: resource.k8s.io/v1\nkind: ResourceSlice"));
        Files.writeString(file, slices);

        Answer same = fakegpu("diff", file.toString(), "context:", "--driver", "who.example.com");
        Files.writeString(file, slices.replace("card-0-part-2", "card-0-part-9"));
        Answer other = fakegpu("diff", file.toString(), "context:", "--driver", "who.example.com", "-o", "json");

        assertThat(same.exit()).as(same.err()).isZero();
        assertThat(same.out()).startsWith("equal: 1 pool");
        assertThat(other.exit()).as(other.err()).isEqualTo(2);
        JsonNode difference =
                new ObjectMapper().readTree(other.out()).path("differences").path(0);
        assertThat(difference.path("pool").asText()).isEqualTo("who-it-node");
        assertThat(difference.path("kind").asText()).isEqualTo("Different");
        assertThat(difference.path("sentence").asText()).contains("card-0-part-9");
    }

    /** The metrics of the API server show its feature gate; the devices have no groups here, so it has no effect. */
    @Test
    void freeDevicesAreCountedAndAssumptionsAreListed() {
        // The reason why it is on depends on the slices of other tests on the same API server.
        assertThat(fakegpu("who", "--free", "who.example.com").out())
                .startsWith("2 more claims for one device of class \"who.example.com\" fit at once")
                .contains("Assumed:", "with DRADeviceCompatibilityGroups on (");
        assertThat(fakegpu("who", "--free", "who.example.com", "--gate", "off").out())
                .contains("chosen by --gate");
    }

    /** A user with the right to list some kinds in all namespaces. */
    private static Path userWhoLists(Path folder, String name, String resources) throws IOException {
        ClusterYaml.objects("""
                        apiVersion: v1
                        kind: ServiceAccount
                        metadata: {namespace: who-it, name: NAME}
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRole
                        metadata: {name: who-it-NAME}
                        rules: [{apiGroups: [resource.k8s.io], resources: [RESOURCES], verbs: [list]}]
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRoleBinding
                        metadata: {name: who-it-NAME}
                        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: who-it-NAME}
                        subjects: [{kind: ServiceAccount, namespace: who-it, name: NAME}]
                        """.replace("NAME", name).replace("RESOURCES", resources))
                .forEach(WhoIT::create);
        try (var user = controlPlane.controlPlane().clientAs(NAMESPACE, name)) {
            Rights.await(user, "list", "resource.k8s.io", "deviceclasses");
        }
        String token = controlPlane
                .client()
                .serviceAccounts()
                .inNamespace(NAMESPACE)
                .withName(name)
                .tokenRequest()
                .getStatus()
                .getToken();
        Config admin = controlPlane.controlPlane().config();
        return Files.writeString(folder.resolve(name), """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                users: [{name: u, user: {token: %s}}]
                clusters: [{name: c, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
                """.formatted(token, admin.getMasterUrl()));
    }

    @Test
    void withoutPermissionThereIsNoEmptyTableAndNoNumber(@TempDir Path folder) throws Exception {
        Path slicesOnly = userWhoLists(folder, "slices-only", "resourceslices, deviceclasses");
        Path claimsOnly = userWhoLists(folder, "claims-only", "resourceclaims, deviceclasses");

        Answer namespace = fakegpu(slicesOnly, "who", "-n", NAMESPACE);
        Answer holders = fakegpu(slicesOnly, "who", "-g", "claim");
        Answer freeWithoutClaims = fakegpu(slicesOnly, "who", "--free", "who.example.com");
        Answer freeWithoutSlices = fakegpu(claimsOnly, "who", "--free", "who.example.com");
        Answer allowed = fakegpu(claimsOnly, "who", "-n", NAMESPACE);

        assertThat(List.of(namespace, holders, freeWithoutClaims, freeWithoutSlices))
                .allSatisfy(answer -> {
                    assertThat(answer.exit()).isEqualTo(1);
                    assertThat(answer.out()).isEmpty();
                });
        assertThat(namespace.err())
                .contains("who holds devices in namespace \"who-it\" is not known: you may not list");
        assertThat(holders.err()).contains("which claims hold devices is not known: you may not list");
        assertThat(freeWithoutClaims.err())
                .contains("how many more claims fit is not known: you may not list resourceclaims");
        assertThat(freeWithoutSlices.err())
                .contains("how many more claims fit is not known: you may not list resourceslices");
        assertThat(allowed.exit()).as(allowed.err()).isZero();
        assertThat(allowed.out()).contains("card-0-part-1");
    }
}
