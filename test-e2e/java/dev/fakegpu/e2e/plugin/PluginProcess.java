package dev.fakegpu.e2e.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.e2e.support.Kubeconfigs;
import dev.fakegpu.testing.Patience;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** The packaged kubelet plugin as a process on the node, with the rights that its DaemonSet has there. */
final class PluginProcess implements AutoCloseable {

    private static final String APP = "target/quarkus-app/quarkus-run.jar";
    private static final String NAME = "fakegpu-kubelet-plugin"; // of the namespace as well

    private final Process process;
    private final Path log;

    private PluginProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** @param podUid lets several run at a time, or null */
    static PluginProcess start(KubeletNode node, @Nullable String podUid) {
        for (String file : List.of("namespace", "service_account", "role", "role_binding")) {
            node.controlPlane().applyFile("config/kubelet-plugin/" + file + ".yaml");
        }
        try {
            var dir = Files.createDirectories(Path.of("target/e2e"));
            var kubeconfig = Files.createTempFile(dir, "plugin", ".kubeconfig");
            Files.writeString(kubeconfig, Kubeconfigs.of(node.controlPlane(), token(node)));
            var log = Files.createTempFile(dir, "plugin", ".log");
            var builder = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                            "-jar",
                            APP,
                            "kubelet-plugin")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            builder.environment().put("KUBECONFIG", kubeconfig.toString());
            builder.environment().put("NODE_NAME", KubeletNode.NAME);
            builder.environment().put("KUBELET_ROOT_DIR", node.kubeletRoot().toString());
            builder.environment().put("CDI_SPEC_DIR", node.cdiDirectory().toString());
            if (podUid != null) {
                builder.environment().put("POD_UID", podUid);
            }
            var plugin = new PluginProcess(builder.start(), log);
            plugin.awaitStarted();
            return plugin;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a crash or an OOM kill does it. */
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

    /** A kubelet that does not know the driver of a pod looks at the pod again after a minute. */
    void awaitRegistered(String driver) {
        awaitSaid("the kubelet registered " + driver);
    }

    void awaitSaid(String part) {
        Awaitility.await().untilAsserted(() -> {
            assertThat(process.isAlive()).as(said()).isTrue();
            assertThat(said()).contains(part);
        });
    }

    /** A pod's token names its node; so does one that is bound to the Node. */
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
