package dev.fakegpu.e2e.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.Patience;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/**
 * A kind cluster that runs the operator and the kubelet plugin, as created by {@code hack/kind up --kubelet-plugin}. The environment
 * variable {@code FAKEGPU_KIND_KUBECONFIG} is the path of its kubeconfig. The plugin's files on the node are read through its pod.
 */
final class KindCluster implements AutoCloseable {

    /** The image of the operator, which {@code hack/kind} has loaded, so that no registry is needed. */
    static final String IMAGE = "fakegpu-operator:dev";

    private static final String KUBECONFIG = "FAKEGPU_KIND_KUBECONFIG";
    private static final String PLUGIN = "fakegpu-kubelet-plugin"; // also the namespace
    private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

    private final ControlPlane controlPlane;
    private final String worker;

    private KindCluster(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        this.worker = client().nodes().withoutLabel(CONTROL_PLANE).list().getItems().stream()
                .map(node -> node.getMetadata().getName())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the kind cluster has no worker"));
    }

    /** Why there is no such cluster; empty if there is one. */
    static Optional<String> missing() {
        String kubeconfig = System.getenv(KUBECONFIG);
        return kubeconfig != null && Files.isReadable(Path.of(kubeconfig))
                ? Optional.empty()
                : Optional.of(
                        "no kind cluster: set %s to the kubeconfig of one that \"hack/kind up --kubelet-plugin\" made; see docs/kubelet-plugin.md"
                                .formatted(KUBECONFIG));
    }

    static KindCluster connect() {
        return new KindCluster(ControlPlane.at(Path.of(System.getenv(KUBECONFIG))));
    }

    KubernetesClient client() {
        return controlPlane.client();
    }

    // --- the plugin on the worker ---

    /** The plugin pods that serve the worker's kubelet, with the oldest first. There is one, except for a short time during an upgrade. */
    List<Pod> plugins() {
        return allPlugins().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && Readiness.isPodReady(pod))
                .sorted((one, other) -> one.getMetadata()
                        .getCreationTimestamp()
                        .compareTo(other.getMetadata().getCreationTimestamp()))
                .toList();
    }

    /** Also those that end: until they are gone, they may serve the kubelet. */
    private List<Pod> allPlugins() {
        return client().pods()
                .inNamespace(PLUGIN)
                .withLabel("app.kubernetes.io/name", PLUGIN)
                .withField("spec.nodeName", worker)
                .list()
                .getItems();
    }

    /** Restarts the plugins as {@code kubectl rollout restart} does. */
    void restartPlugins() {
        daemonSet()
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"kubectl.kubernetes.io/restartedAt\":\"%s\"}}}}}"
                                .formatted(System.nanoTime()));
    }

    /** Removes the plugins, as an uninstallation does, and waits until none serves the kubelet. */
    void removePlugins() {
        selectNodes("\"true\"");
        Awaitility.await().untilAsserted(() -> assertThat(allPlugins()).isEmpty());
    }

    /** Installs the plugins again. */
    void installPlugins() {
        selectNodes("null");
    }

    private void selectNodes(String label) {
        daemonSet()
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"template\":{\"spec\":{\"nodeSelector\":{\"no-node-has-this\":%s}}}}}"
                                .formatted(label));
    }

    /** Asserts that {@code kubectl rollout status} would succeed, and that the old pods are gone. */
    void assertRolledOut() {
        var stored = daemonSet().require();
        var status = stored.getStatus();
        assertThat(status.getObservedGeneration())
                .isEqualTo(stored.getMetadata().getGeneration());
        assertThat(status.getUpdatedNumberScheduled()).isEqualTo(status.getDesiredNumberScheduled());
        assertThat(status.getNumberAvailable()).isEqualTo(status.getDesiredNumberScheduled());
        assertThat(plugins()).hasSize(1);
    }

    /** Otherwise a pod would be delayed: if the kubelet does not know its driver, it retries after a minute. */
    void assertRegistered(String driver) {
        assertThat(plugins()).isNotEmpty().allSatisfy(plugin -> PluginProcess.assertRegistered(said(plugin), driver));
    }

    /** Kills the plugin without a grace period. */
    void killPlugin(Pod plugin) {
        client().resource(plugin).withGracePeriod(0).delete();
    }

    String said(Pod plugin) {
        return client().pods()
                .inNamespace(PLUGIN)
                .withName(plugin.getMetadata().getName())
                .getLog();
    }

    private Resource<DaemonSet> daemonSet() {
        return client().apps().daemonSets().inNamespace(PLUGIN).withName(PLUGIN);
    }

    // --- the worker's files ---

    String checkpoint() {
        return onWorker("cat /var/lib/kubelet/plugins/gpu.example.com/checkpoint");
    }

    /** The names of the claims' CDI files, one on each line. */
    String cdiFiles() {
        return onWorker("ls /var/run/cdi");
    }

    /** Waits for a plugin, which serves the kubelet some seconds before it is ready. */
    private String onWorker(String command) {
        var plugins = Awaitility.await("a plugin on " + worker).until(this::plugins, ready -> !ready.isEmpty());
        return execute(plugins.get(plugins.size() - 1), command);
    }

    /** The output of a shell script in a pod's only container, including stderr. */
    String execute(Pod pod, String command) {
        var output = new ByteArrayOutputStream();
        try (var shell = client().pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .writingOutput(output)
                .exec("sh", "-c", "exec 2>&1; " + command)) {
            int result = shell.exitCode().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(result).as("%s: %s", command, output.toString(UTF_8)).isZero();
            return output.toString(UTF_8);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(
                    "%s in %s".formatted(command, pod.getMetadata().getName()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        controlPlane.close();
    }
}
