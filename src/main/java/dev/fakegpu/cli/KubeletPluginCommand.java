package dev.fakegpu.cli;

import dev.fakegpu.api.Labels;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.Informers;
import dev.fakegpu.kube.client.Pages;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.operator.prepare.plugin.KubeletPlugin;
import dev.fakegpu.operator.prepare.plugin.MetricsServer;
import dev.fakegpu.operator.prepare.plugin.ProbeServer;
import dev.fakegpu.operator.publish.LiveCatalog;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jboss.logmanager.handlers.ConsoleHandler;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fakegpu kubelet-plugin}: runs the DRA drivers of a node with a real kubelet until it is stopped. */
@Command(
        name = "kubelet-plugin",
        mixinStandardHelpOptions = true,
        description = {
            "Run the DRA drivers of a node: prepare the devices of FakeGpus when the kubelet calls.",
            "Needs a cluster, and root on the node: it writes to the kubelet's directory and the CDI directory, which a container"
                    + " must mount at the same paths as on the node."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu kubelet-plugin --node node-7",
            "  fakegpu kubelet-plugin --node node-7 --driver gpu.nvidia.com,gpu.example.com"
        })
final class KubeletPluginCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Option(
            names = "--driver",
            paramLabel = "NAME",
            split = ",",
            description = {
                "Serve only this DRA driver, as in spec.driver of FakeGpus. Repeat it, or separate names by commas, for several"
                        + " drivers (default: the drivers of all FakeGpus on the node)."
            })
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
                "UID of the plugin's pod (default: POD_UID). It goes into the names of the sockets, so that a new plugin can start before"
                        + " the old one stops. Needs a kubelet of Kubernetes 1.33 or later."
            })
    private @Nullable String podUid;

    @Option(
            names = "--pod-name",
            paramLabel = "NAME",
            defaultValue = "${env:POD_NAME}",
            description = {
                "Name of the plugin's pod (default: POD_NAME). Its status reports which drivers the kubelet has registered, after which"
                        + " the operator publishes their devices."
            })
    private @Nullable String podName;

    @Option(
            names = "--pod-namespace",
            paramLabel = "NAME",
            defaultValue = "${env:POD_NAMESPACE:-fakegpu-kubelet-plugin}",
            description = "Namespace of the plugin's pod (default: POD_NAMESPACE, else fakegpu-kubelet-plugin).")
    @SuppressWarnings("NullAway.Init") // it has a default
    private String podNamespace;

    @Option(
            names = "--catalog-namespace",
            paramLabel = "NAME",
            defaultValue = "${env:FAKEGPU_CATALOG_NAMESPACE:-fakegpu-system}",
            description = {
                "Namespace of the ConfigMaps that add GPU models, the same as the operator's (default: FAKEGPU_CATALOG_NAMESPACE, else"
                        + " fakegpu-system)."
            })
    @SuppressWarnings("NullAway.Init") // it has a default
    private String catalogNamespace;

    @Option(
            names = "--explanations-names",
            paramLabel = "NAMES",
            defaultValue = "${env:FAKEGPU_EXPLANATIONS_NAMES:-OwnNamespace}",
            description = {
                "Which claims the message of a failed preparation names: Full for all, or OwnNamespace for those of the pod's namespace"
                        + " (default: FAKEGPU_EXPLANATIONS_NAMES, else OwnNamespace)."
            })
    private ClaimNaming naming = ClaimNaming.OwnNamespace;

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            defaultValue = "${env:HEALTH_PORT:--1}",
            description = "Port for the kubelet's gRPC probes; negative for none (default: HEALTH_PORT, else -1).")
    private int healthPort = -1;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            defaultValue = "${env:METRICS_PORT:--1}",
            description = "Port for metrics, at /metrics; negative for none (default: METRICS_PORT, else -1).")
    private int metricsPort = -1;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (node == null || node.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--node or the environment variable NODE_NAME has to name the Node");
        }
        ConsoleLogging.start(ConsoleHandler.Target.SYSTEM_OUT);
        var end = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(end, ended), "stop"));
        try (KubernetesClient client = ClientSerialization.builder().build()) {
            run(client, node, end);
        } finally {
            ended.countDown();
        }
        return CommandLine.ExitCode.OK;
    }

    private void run(KubernetesClient client, String nodeName, CountDownLatch end)
            throws IOException, InterruptedException {
        var files = new ObjectStore<ConfigMap>();
        var planner = new InventoryPlanner(new LiveCatalog(Catalog.builtIn(), files, (configMap, problem) -> {}));
        try (var informer = Informers.of(
                client.configMaps().inNamespace(catalogNamespace).withLabel(Labels.CATALOG, "true"), Pages.SMALL)) {
            informer.addEventHandler(files);
            // Does not wait: until the API server responds, devices of added models are checked against the published
            // slices.
            informer.start();
            var options = new KubeletPlugin.Options(
                    Set.copyOf(drivers),
                    nodeName,
                    kubeletRoot,
                    cdiDirectory,
                    podUid == null || podUid.isEmpty() ? null : podUid,
                    pod(),
                    naming);
            var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            try (var plugin = new KubeletPlugin(options, client, planner, meters, Clock.systemUTC(), Ticker.SYSTEM)) {
                plugin.start();
                serveMetrics(plugin, meters, end);
            }
        }
    }

    private @Nullable ObjectMeta pod() {
        if (podName == null || podName.isEmpty()) {
            return null;
        }
        return new ObjectMetaBuilder()
                .withNamespace(podNamespace)
                .withName(podName)
                .withUid(podUid == null || podUid.isEmpty() ? null : podUid)
                .build();
    }

    private void serveMetrics(KubeletPlugin plugin, PrometheusMeterRegistry meters, CountDownLatch end)
            throws IOException, InterruptedException {
        if (metricsPort < 0) {
            awaitEnd(plugin, end);
            return;
        }
        try (var metrics = new MetricsServer(new InetSocketAddress(metricsPort), meters::scrape)) {
            awaitEnd(plugin, end);
        }
    }

    private void awaitEnd(KubeletPlugin plugin, CountDownLatch end) throws IOException, InterruptedException {
        if (healthPort < 0) {
            end.await();
            return;
        }
        // Binds all addresses, because the kubelet's gRPC probes call the address of the pod.
        try (var probes = new ProbeServer(new InetSocketAddress(healthPort), plugin::serves, ProbeServer.INTERVAL)) {
            end.await();
        }
    }

    /** Blocks, because the process exits as soon as all shutdown hooks have returned. */
    private static void stop(CountDownLatch end, CountDownLatch ended) {
        end.countDown();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
