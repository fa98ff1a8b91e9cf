package dev.fakegpu.cli;

import dev.fakegpu.api.Labels;
import dev.fakegpu.catalog.Catalog;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.prepare.plugin.KubeletPlugin;
import dev.fakegpu.prepare.plugin.ProbeServer;
import dev.fakegpu.publish.LiveCatalog;
import dev.fakegpu.watch.ObjectStore;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fakegpu kubelet-plugin}: the DRA driver on a node with a kubelet, until it is stopped. */
@Command(
        name = "kubelet-plugin",
        mixinStandardHelpOptions = true,
        description = {
            "Prepare the devices of FakeGpus for the pods of the node that this runs on, as the kubelet's plugin.",
            "Needs the rights of a node's system program: the kubelet's directory and the CDI directory, at the same paths as the"
                    + " node has them."
        })
final class KubeletPluginCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Option(
            names = "--driver",
            paramLabel = "NAME",
            defaultValue = "gpu.example.com",
            description =
                    "Name of the DRA driver, spec.driver of the FakeGpus; can be repeated (default: ${DEFAULT-VALUE}).")
    private List<String> drivers = List.of();

    @Option(
            names = "--node",
            paramLabel = "NAME",
            defaultValue = "${env:NODE_NAME}",
            description = "Name of the Node (default: the environment variable NODE_NAME).")
    private @Nullable String node;

    @Option(
            names = "--kubelet-root",
            paramLabel = "DIRECTORY",
            defaultValue = "${env:KUBELET_ROOT_DIR:-/var/lib/kubelet}",
            description = "The kubelet's --root-dir (default: KUBELET_ROOT_DIR, else /var/lib/kubelet).")
    @SuppressWarnings("NullAway.Init") // it has a default
    private Path kubeletRoot;

    @Option(
            names = "--cdi-dir",
            paramLabel = "DIRECTORY",
            defaultValue = "${env:CDI_SPEC_DIR:-/var/run/cdi}",
            description = "Where the container runtime looks for CDI files (default: CDI_SPEC_DIR, else /var/run/cdi).")
    @SuppressWarnings("NullAway.Init") // it has a default
    private Path cdiDirectory;

    @Option(
            names = "--pod-uid",
            paramLabel = "UID",
            defaultValue = "${env:POD_UID}",
            description = {
                "UID of the pod that this runs in (default: POD_UID). With it the sockets have names of their own, so that a new"
                        + " plugin begins before the old one ends; needs a kubelet of Kubernetes 1.33 or later."
            })
    private @Nullable String podUid;

    @Option(
            names = "--catalog-namespace",
            paramLabel = "NAME",
            defaultValue = "${env:FAKEGPU_CATALOG_NAMESPACE:-fakegpu-system}",
            description = {
                "Namespace whose ConfigMaps add GPU models, the operator's (default: FAKEGPU_CATALOG_NAMESPACE, else fakegpu-system)."
            })
    @SuppressWarnings("NullAway.Init") // it has a default
    private String catalogNamespace;

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            defaultValue = "${env:HEALTH_PORT:--1}",
            description =
                    "Port for the kubelet's gRPC probes of this process; less than 0 for none (default: HEALTH_PORT, else -1).")
    private int healthPort = -1;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (node == null || node.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--node or the environment variable NODE_NAME has to name the Node");
        }
        ConsoleLogging.start();
        var end = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(end, ended), "stop"));
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            run(client, node, end);
        } finally {
            ended.countDown();
        }
        return CommandLine.ExitCode.OK;
    }

    private void run(KubernetesClient client, String nodeName, CountDownLatch end)
            throws IOException, InterruptedException {
        var plugins = new ArrayList<KubeletPlugin>();
        var files = new ObjectStore<ConfigMap>();
        var planner = new InventoryPlanner(new LiveCatalog(Catalog.builtIn(), files, (configMap, problem) -> {}));
        try (var informer = client.configMaps()
                .inNamespace(catalogNamespace)
                .withLabel(Labels.CATALOG, "true")
                .runnableInformer(0)) {
            informer.addEventHandler(files);
            // Comes when the API server is there; until then devices of added models are judged by what is published of
            // them.
            informer.start();
            for (String driver : drivers) {
                var options = new KubeletPlugin.Options(
                        driver,
                        nodeName,
                        kubeletRoot,
                        cdiDirectory,
                        podUid == null || podUid.isEmpty() ? null : podUid);
                var plugin = new KubeletPlugin(options, client, planner, Clock.systemUTC());
                plugins.add(plugin);
                plugin.start();
            }
            awaitEnd(plugins, end);
        } finally {
            for (KubeletPlugin plugin : plugins) {
                plugin.close();
            }
        }
    }

    private void awaitEnd(List<KubeletPlugin> plugins, CountDownLatch end) throws IOException, InterruptedException {
        if (healthPort < 0) {
            end.await();
            return;
        }
        try (var probes = new ProbeServer(healthPort, () -> plugins.stream().allMatch(KubeletPlugin::serves))) {
            end.await();
        }
    }

    /** The process ends when all hooks have run, so this one waits. */
    private static void stop(CountDownLatch end, CountDownLatch ended) {
        end.countDown();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
