package dev.fakegpu.dashboard.server;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.cli.input.YamlDrafts;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.hardware.slices.PoolLocations;
import dev.fakegpu.hardware.slices.SliceRenderer;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.testing.BrowserExtension;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * Measures the page with many GPUs in a browser: {@code hack/bench page}. The cluster is in memory, so the time of an API server and of
 * watches is not included. Prints rows of a table.
 */
public final class PageBench {

    private static final int GPUS = 8;
    private static final int CHANGES = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Half of the GPUs are in use, because every second one has a MIG device. */
    private static final String FAKE_GPU = """
            nodes: {simulated: {count: %d}}
            model: A100-SXM4-40GB
            count: %d
            partitions: {whole: true, mig: {profiles: [1g.5gb, 3g.20gb]}}
            """;

    private PageBench() {}

    /** @param args the number of nodes */
    public static void main(String[] args) throws Exception {
        int nodes = Integer.parseInt(args[0]);
        var cluster = new LiveObjects(objects(nodes));
        Vertx vertx = Vertx.vertx();
        var browser = new BrowserExtension();
        double before = usedMegabytes();
        long start = System.nanoTime();
        try (var feed = new DashboardFeed(
                        cluster,
                        new DashboardReader("bench", PendingChanges.NONE),
                        new YamlDrafts("team", KubernetesVersion.NEWEST),
                        Clock.systemUTC(),
                        Ticker.SYSTEM);
                var server =
                        new DashboardServer(vertx, new InetSocketAddress("127.0.0.1", 0), Admission.everybody(feed))) {
            Awaitility.await().atMost(PATIENCE).until(() -> feed.dashboard().isPresent());
            row("first picture on the server", "%.1f s", (System.nanoTime() - start) / 1e9);
            row("memory on the server", "%.0f MB", usedMegabytes() - before);
            row(
                    "the picture as JSON",
                    "%.1f MB",
                    DashboardFeed.json(feed.dashboard().orElseThrow()).length() / 1e6);
            browser.start();
            measure(cluster, browser, "http://127.0.0.1:" + server.port() + "/?size=cards");
        } finally {
            browser.afterAll(null);
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static double usedMegabytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
    }

    private static void measure(LiveObjects cluster, BrowserExtension browser, String url) {
        Page page = browser.page(new Browser.NewContextOptions().setViewportSize(1440, 1000));
        page.navigate(url);
        page.locator(".gpu").first().waitFor();
        row(
                "first contentful paint",
                "%.0f ms",
                number(page, "performance.getEntriesByName('first-contentful-paint')[0].startTime"));
        row("first GPU drawn", "%.0f ms", number(page, "performance.now()"));
        row(
                "transferred before data",
                "%.0f kB",
                number(
                        page,
                        "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
                                + ".filter(e => !e.name.includes('/api/')).reduce((sum, e) => sum + e.transferSize, 0) / 1000"));
        var millis = new double[CHANGES];
        for (int i = 0; i < CHANGES; i++) {
            millis[i] = change(cluster, page, held("change-" + i, i / 4, i % 4 * 2));
        }
        Arrays.sort(millis);
        row("a change on the screen, median", "%.0f ms", millis[CHANGES / 2]);
        row("a change on the screen, longest", "%.0f ms", millis[CHANGES - 1]);
        row("GPUs drawn", "%.0f", number(page, "document.querySelectorAll('.gpu').length"));
        row("memory of JavaScript", "%.0f MB", number(page, "performance.memory.usedJSHeapSize / 1e6"));
        page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/dashboard/bench.png")));
    }

    /** The time from the change in memory until the document in the browser shows it, with the clock that both share. */
    private static double change(LiveObjects cluster, Page page, HasMetadata claim) {
        page.evaluate(
                "claim => { window.seen = new Promise(resolve => new MutationObserver((changes, observer) => {"
                        + " if (document.getElementById('devices').textContent.includes(claim)) { observer.disconnect(); resolve(Date.now()); }"
                        + "}).observe(document.body, {subtree: true, childList: true, characterData: true})); }",
                claim.getMetadata().getName());
        long before = System.currentTimeMillis();
        cluster.add(List.of(claim));
        return ((Number) page.evaluate("() => window.seen")).doubleValue() - before;
    }

    private static double number(Page page, String script) {
        return ((Number) page.evaluate("() => " + script)).doubleValue();
    }

    private static void row(String what, String format, double value) {
        System.out.printf(Locale.ROOT, "| %s | %s |%n", what, String.format(Locale.ROOT, format, value));
    }

    private static List<HasMetadata> objects(int nodes) throws Exception {
        var spec = Serialization.yamlMapper().readValue(FAKE_GPU.formatted(nodes, GPUS), FakeGpuSpec.class);
        List<String> names =
                IntStream.range(0, nodes).mapToObj(i -> "node-" + i).toList();
        var objects = new ArrayList<HasMetadata>();
        new SliceRenderer(new InventoryPlanner(Catalog.builtIn()))
                .slices("bench", spec, PoolLocations.of("bench", spec.nodes(), names))
                .forEach(slice -> objects.add(SliceWriter.write(slice)));
        for (int node = 0; node < nodes; node++) {
            objects.addAll(ClusterYaml.objects("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: node-%d}
                    status: {allocatable: {pods: 110}, conditions: [{type: Ready, status: 'True'}]}
                    """.formatted(node)));
            for (int gpu = 1; gpu < GPUS; gpu += 2) {
                objects.add(held("claim-" + node + "-" + gpu, node, gpu));
            }
        }
        return objects;
    }

    private static HasMetadata held(String name, int node, int gpu) {
        return ClusterYaml.objects("""
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceClaim
                        metadata: {namespace: team, name: %s}
                        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: mig, allocationMode: ExactCount, count: 1}}]}}
                        status:
                          allocation: {devices: {results: [{request: r, driver: gpu.example.com, pool: node-%d/bench, device: gpu-%d-mig-1g5gb-19-0}]}}
                        """.formatted(name, node, gpu)).get(0);
    }
}
