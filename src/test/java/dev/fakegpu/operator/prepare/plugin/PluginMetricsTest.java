package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.DRIVER;
import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_0;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.operator.prepare.fault.FaultInjectingCalls;
import dev.fakegpu.testing.DocumentedMetrics;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.Scrape;
import io.grpc.stub.StreamObserver;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PluginMetricsTest {

    private static final String VGPU = "vgpu-gpu-0-10c-0";

    @TempDir
    Path root;

    private final FakeNode node = new FakeNode();
    private final MutableClock clock = new MutableClock("2026-01-31T12:00:00Z");
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private PluginPaths paths;
    private DriverService service;

    @BeforeEach
    void start() throws IOException {
        paths = FakeNode.paths(root, DRIVER);
        var listener = new PluginMetrics(registry, "node-1").of(DRIVER);
        var preparer = new ClaimPreparer(
                paths, node, new FaultInjectingCalls(clock), ClaimNaming.OwnNamespace, listener, clock);
        service = new DriverService(preparer, listener, clock);
    }

    @Test
    void callsAreCountedByDriverOperationAndOutcome() {
        node.put(allocated("a", MIG_0));
        node.put(allocated("b", VGPU));

        // When: the hardware does not support the second claim at the same time
        prepare("a");
        prepare("b");
        prepare("a");
        unprepare("a");
        unprepare("a");
        prepare("b");

        // Then
        assertThat(sum("nvidia_dra_requests_total", "operation", "prepare")).isEqualTo(3);
        assertThat(sum("nvidia_dra_requests_total", "operation", "unprepare")).isEqualTo(2);
        assertThat(sum("nvidia_dra_request_duration_seconds_count", "operation", "prepare"))
                .isEqualTo(3);
        assertThat(sum("nvidia_dra_requests_inflight", "driver", DRIVER)).isZero();
        assertThat(sum("nvidia_dra_node_prepare_errors_total", "error_type", "prepare_devices"))
                .isEqualTo(1);
        assertThat(sum("nvidia_dra_node_unprepare_errors_total", "driver", DRIVER))
                .isZero();
        assertThat(sum("dra_example_driver_prepare_claims_total", "result", "success"))
                .isEqualTo(3);
        assertThat(sum("dra_example_driver_prepare_claims_total", "result", "error"))
                .isEqualTo(1);
        assertThat(sum("dra_example_driver_unprepare_claims_total", "result", "success"))
                .isEqualTo(2);
        assertThat(sum("dra_example_driver_prepare_claim_duration_seconds_count", "result", "error"))
                .isEqualTo(1);
    }

    @Test
    void preparedDevicesAreCountedByTypeAlsoByTheNextPlugin() throws IOException {
        node.put(allocated("a", MIG_0, MIG_1));
        prepare("a");
        assertThat(devices("mig")).isEqualTo(2);
        assertThat(devices("gpu")).isZero();

        // When
        var next = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (var state = NodeState.open(paths)) {
            new PluginMetrics(next, "node-1")
                    .of(DRIVER)
                    .prepared(state.checkpoint().devicesByType());
        }
        unprepare("a");

        // Then
        assertThat(new Scrape(next.scrape()).sum("nvidia_dra_prepared_devices", Map.of("device_type", "mig")))
                .isEqualTo(2);
        assertThat(devices("mig")).isZero();
    }

    @Test
    void aCallThatFailsAsAWholeIsAnErrorOfItsOwn() throws IOException {
        node.put(allocated("a", MIG_0));
        Files.createDirectory(paths.data().resolve("serialize.lock"));

        prepare("a");
        unprepare("a");

        assertThat(sum("nvidia_dra_node_prepare_errors_total", "error_type", "lock_acquire"))
                .isEqualTo(1);
        assertThat(sum("nvidia_dra_node_unprepare_errors_total", "error_type", "lock_acquire"))
                .isEqualTo(1);
        assertThat(sum("nvidia_dra_requests_inflight", "driver", DRIVER)).isZero();
    }

    @Test
    void servingADriverAgainReplacesItsGauge() {
        var metrics = new PluginMetrics(registry, "node-1");
        metrics.of("again.example.com").prepared(Map.of("gpu", 2L));
        metrics.of("again.example.com").prepared(Map.of("gpu", 1L));

        assertThat(sum("nvidia_dra_prepared_devices", "driver", "again.example.com"))
                .isEqualTo(1);
    }

    /** Metrics exist before the first call: a metric that appears with its first event shows no increase. */
    @Test
    void allMetricsAreDocumented() {
        var documented = new TreeMap<>(DocumentedMetrics.of("nvidia_dra_"));
        documented.putAll(DocumentedMetrics.of("dra_example_driver_"));

        assertThat(new Scrape(registry.scrape()).families()).isEqualTo(documented);
    }

    @ParameterizedTest
    @CsvSource({"GET, /metrics, 200", "GET, /, 404", "POST, /metrics, 405"})
    void metricsAreServed(String method, String path, int status) throws Exception {
        try (var server = new MetricsServer(new InetSocketAddress("127.0.0.1", 0), registry::scrape)) {
            var response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(server.port(), path)))
                                    .method(method, HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(response.body()).isEqualTo(status == 200 ? registry.scrape() : "");
        }
    }

    private double devices(String type) {
        return sum("nvidia_dra_prepared_devices", "device_type", type);
    }

    private double sum(String name, String label, String value) {
        return new Scrape(registry.scrape()).sum(name, Map.of(label, value));
    }

    private void prepare(String claim) {
        service.v1().nodePrepareResources(Claims.prepare(claim), ignoring());
    }

    private void unprepare(String claim) {
        service.v1().nodeUnprepareResources(Claims.unprepare(claim), ignoring());
    }

    private static <T> StreamObserver<T> ignoring() {
        return new StreamObserver<>() {
            @Override
            public void onNext(T answer) {}

            @Override
            public void onError(Throwable problem) {}

            @Override
            public void onCompleted() {}
        };
    }
}
