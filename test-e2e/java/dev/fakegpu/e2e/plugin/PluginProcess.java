package dev.fakegpu.e2e.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.e2e.support.Kubeconfigs;
import dev.fakegpu.e2e.support.StartArchive;
import dev.fakegpu.testing.Patience;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** The packaged kubelet plugin as a process on the node, with the rights of its DaemonSet. */
final class PluginProcess implements AutoCloseable {

    private static final String APP = "target/quarkus-app/quarkus-run.jar";
    private static final String NAME = "fakegpu-kubelet-plugin"; // also the namespace

    private final Process process;
    private final Path log;

    private PluginProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** @param podUid allows several plugins to run at the same time; may be null */
    static PluginProcess start(KubeletNode node, @Nullable String podUid) {
        return start(node, podUid == null ? Map.of() : Map.of("POD_UID", podUid));
    }

    /** @param pod stands for the plugin's pod, in which the plugin reports what is registered */
    static PluginProcess startIn(Pod pod, KubeletNode node) {
        var metadata = pod.getMetadata();
        return start(
                node,
                Map.of(
                        "POD_UID",
                        metadata.getUid(),
                        "POD_NAME",
                        metadata.getName(),
                        "POD_NAMESPACE",
                        metadata.getNamespace()));
    }

    /** Creates a pod on the node that the operator treats as the plugin's. Its container does nothing, since the plugin is a process. */
    static Pod createPod(KubeletNode node) {
        applyRights(node);
        return node.controlPlane()
                .client()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(NAME)
                        .withName("plugin")
                        .addToLabels("app.kubernetes.io/name", NAME)
                        .endMetadata()
                        .withNewSpec()
                        .withServiceAccountName(NAME)
                        .withAutomountServiceAccountToken(false)
                        .withNodeName(KubeletNode.NAME)
                        .withTerminationGracePeriodSeconds(1L)
                        .addNewContainer()
                        .withName("main")
                        .withImage("busybox:1")
                        .withCommand("sh", "-c", "trap 'exit 0' TERM; while :; do sleep 1; done")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    private static void applyRights(KubeletNode node) {
        for (String file : List.of("namespace", "service_account", "role", "role_binding")) {
            node.controlPlane().applyFile("config/kubelet-plugin/" + file + ".yaml");
        }
    }

    private static PluginProcess start(KubeletNode node, Map<String, String> pod) {
        applyRights(node);
        try {
            var dir = Files.createDirectories(Path.of("target/e2e"));
            var kubeconfig = Files.createTempFile(dir, "plugin", ".kubeconfig");
            Files.writeString(kubeconfig, Kubeconfigs.of(node.controlPlane(), token(node)));
            var log = Files.createTempFile(dir, "plugin", ".log");
            var java = Path.of(System.getProperty("java.home"), "bin", "java");
            var builder = new ProcessBuilder(
                            java.toString(),
                            StartArchive.option(java, Path.of(APP)),
                            "@deploy/image/java.options",
                            "-jar",
                            APP,
                            "kubelet-plugin")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            builder.environment().put("KUBECONFIG", kubeconfig.toString());
            builder.environment().put("NODE_NAME", KubeletNode.NAME);
            builder.environment().put("KUBELET_ROOT_DIR", node.kubeletRoot().toString());
            builder.environment().put("CDI_SPEC_DIR", node.cdiDirectory().toString());
            builder.environment().putAll(pod);
            var plugin = new PluginProcess(builder.start(), log);
            plugin.awaitStarted();
            return plugin;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the plugin, as a crash or an OOM kill does. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    String said() {
        return ProjectFiles.read(log);
    }

    @Override
    public void close() {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("the plugin ends")
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitStarted() {
        awaitSaid("the drivers of all FakeGpus on node " + KubeletNode.NAME + " are served");
    }

    /** Otherwise a pod would be delayed: if the kubelet does not know its driver, it retries after a minute. */
    void awaitRegistered(String driver) {
        awaitSaid(said -> assertRegistered(said, driver));
    }

    /** Asserts that a plugin with this log serves the driver. It may have stopped and started again while slices changed. */
    static void assertRegistered(String said, String driver) {
        assertThat(said.lastIndexOf("the kubelet registered " + driver + " "))
                .as("registration of %s, in %s", driver, said)
                .isGreaterThan(said.lastIndexOf("driver " + driver + " listens at "))
                .isGreaterThan(said.lastIndexOf("driver " + driver + " is no longer served"));
    }

    void awaitSaid(String part) {
        awaitSaid(said -> assertThat(said).contains(part));
    }

    private void awaitSaid(Consumer<String> assertions) {
        Awaitility.await().untilAsserted(() -> {
            assertThat(process.isAlive()).as(said()).isTrue();
            assertions.accept(said());
        });
    }

    /** The token names the node, as the token of a pod does, because it is bound to the Node. */
    private static TokenRequest token(KubeletNode node) {
        var client = node.controlPlane().client();
        return client.serviceAccounts()
                .inNamespace(NAME)
                .withName(NAME)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withNewBoundObjectRef()
                        .withApiVersion("v1")
                        .withKind("Node")
                        .withName(KubeletNode.NAME)
                        .withUid(client.nodes()
                                .withName(KubeletNode.NAME)
                                .require()
                                .getMetadata()
                                .getUid())
                        .endBoundObjectRef()
                        .endSpec()
                        .build());
    }
}
