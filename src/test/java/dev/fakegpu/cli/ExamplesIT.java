package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs every example in the help of every command, in a cluster with the objects that they name. */
class ExamplesIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    /** These commands run until they are stopped, which end-to-end tests do; their examples are only parsed, in {@link CommandHelpTest}. */
    private static final Set<String> ENDLESS = Set.of("operator", "kubelet-plugin", "dashboard");

    /** The system property overrides the environment variable. */
    private static final String KUBECONFIG = "kubeconfig";

    private static final String OBJECTS = """
            apiVersion: v1
            kind: Namespace
            metadata: {name: team-a}
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {namespace: team-a, name: default}
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {namespace: default, name: default}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: node-7}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.example.com}
            spec: {selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: node-7}
            spec:
              driver: gpu.example.com
              nodeName: node-7
              pool: {name: node-7, generation: 1, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {namespace: team-a, name: train-gpu}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: team-a, name: train-0}
            spec:
              resourceClaims: [{name: gpu, resourceClaimName: train-gpu}]
              containers: [{name: main, image: image}]
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: default, name: train}
            spec: {containers: [{name: main, image: image}]}
            """;

    @TempDir
    private static Path folder;

    private static final Map<String, Path> FILES = new HashMap<>();

    @BeforeAll
    static void create() {
        for (HasMetadata object : ClusterYaml.objects(OBJECTS)) {
            object.getMetadata().setUid(null);
            object.getMetadata().setCreationTimestamp(null);
            controlPlane.client().resource(object).serverSideApply();
        }
        System.setProperty(KUBECONFIG, controlPlane.kubeconfig().toString());
    }

    @AfterAll
    static void delete() {
        System.clearProperty(KUBECONFIG);
        ClusterYaml.objects(OBJECTS).stream()
                .filter(object -> !Set.of("Namespace", "ServiceAccount").contains(object.getKind()))
                .forEach(object -> controlPlane
                        .client()
                        .resource(object)
                        .withGracePeriod(0)
                        .delete());
    }

    @TestFactory
    Stream<DynamicTest> examplesRun() {
        return HelpExample.commands(FakeGpuCommand.commandLine()).stream()
                .filter(command -> !ENDLESS.contains(command.getCommandName()))
                .flatMap(command -> HelpExample.of(command).stream())
                .map(example -> DynamicTest.dynamicTest(example.line(), () -> run(example)));
    }

    private static void run(HelpExample example) throws IOException {
        var out = new StringWriter();
        var err = new StringWriter();
        CommandLine program =
                FakeGpuCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

        int exit = program.execute(example.args().stream()
                .map(arg -> FILES.containsKey(arg) ? FILES.get(arg).toString() : arg)
                .toArray(String[]::new));

        Map<String, String> codes = program.getSubcommands()
                .get(example.args().get(0))
                .getCommandSpec()
                .usageMessage()
                .exitCodeList();
        assertThat(codes.get(String.valueOf(exit)))
                .as("exit code %s: %s", exit, err)
                .isNotNull()
                .doesNotContain("invalid", "cannot be read", "not exist");
        assertThat(out.toString()).isNotBlank();
        if (example.output().isPresent()) {
            Path file = folder.resolve(example.output().get());
            Files.writeString(file, out.toString());
            FILES.put(example.output().get(), file);
        }
    }
}
