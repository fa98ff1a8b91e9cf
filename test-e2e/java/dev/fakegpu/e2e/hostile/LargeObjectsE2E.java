package dev.fakegpu.e2e.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Some hundred claims of about a megabyte each, with the heap that the Deployment leaves the operator. */
@Tag("manual")
class LargeObjectsE2E {

    private static final Logger LOG = Logger.getLogger(LargeObjectsE2E.class);
    private static final int CLAIMS = Integer.getInteger("large.claims", 300);

    /** A control plane of its own, since its API server keeps all of them in memory, too. */
    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.with(ControlPlaneOptions.withControllerManager()
                    .schedulerFeatureGates("DRADeviceCompatibilityGroups=true"))
            .withoutOperator();

    private final KubernetesClient client = cluster.client();

    @Test
    void operatorLivesAndServesOthers() throws IOException {
        OperatorProcess operator = cluster.startOperator(Map.of());
        try (var scenario = new ClusterScenario(client, AllocatorName.Companion);
                var tenant = new Tenant(cluster.controlPlane())) {
            // Given
            scenario.apply("example-3.yaml");

            // When
            long bytes = 0;
            for (int i = 0; i < CLAIMS; i++) {
                String json = claim(i);
                bytes += json.length();
                tenant.create(new HostileObject("large-" + i, json));
            }

            // Then
            assertThat(tenant.rejected()).isEmpty();
            runsAPod(scenario, "with-large-ones");
            report(operator, bytes);

            // When
            operator.kill();
            operator = cluster.startOperator(Map.of());

            // Then
            runsAPod(scenario, "after-restart");
            report(operator, bytes);
        } finally {
            operator.close();
        }
    }

    private static void runsAPod(ClusterScenario scenario, String name) {
        scenario.podWithClaim(name, "gpu.example.com", "mig-1g");
        scenario.awaitRunning(name);
        scenario.clear();
    }

    private static void report(OperatorProcess operator, long bytes) throws IOException {
        operator.assertHealthy();
        assertThat(operator.log()).doesNotContain("OutOfMemoryError");
        String resident = Files.readString(Path.of("/proc/" + operator.pid() + "/status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS") || line.startsWith("VmHWM"))
                .collect(Collectors.joining(", "));
        String kept = operator.metrics()
                .lines()
                .filter(line -> line.startsWith("fakegpu_watch_bytes{kind=\"ResourceClaim\"")
                        || line.startsWith("fakegpu_watch_unreadable_objects{kind=\"ResourceClaim\""))
                .collect(Collectors.joining(", "));
        LOG.infof("%d claims of %d MB in all: %s; %s", CLAIMS, bytes / 1_000_000, resident, kept);
    }

    /** A third each is large by its metadata, by selectors that have to be kept, and by opaque parameters. */
    private static String claim(int number) {
        String labels = number % 3 != 0
                ? ""
                : IntStream.range(0, 8_000)
                        .mapToObj(i -> ",\"example.com/%050d\":\"%s\"".formatted(i, "x".repeat(40)))
                        .collect(Collectors.joining());
        int requests = number % 3 == 1 ? 24 : 1;
        String devices = IntStream.range(0, requests)
                .mapToObj(i ->
                        "{\"name\":\"r%d\",\"exactly\":{\"deviceClassName\":\"nobody.example.com\",\"selectors\":%s}}"
                                .formatted(i, requests == 1 ? "[]" : "[" + selector(number * 32 + i) + "]"))
                .collect(Collectors.joining(","));
        String config = number % 3 != 2
                ? ""
                : IntStream.range(0, 32)
                        .mapToObj(i -> "{\"opaque\":{\"driver\":\"nobody.example.com\",\"parameters\":{\"a\":\"%s\"}}}"
                                .formatted("x".repeat(10_200)))
                        .collect(Collectors.joining(","));
        return """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"large-%d",
                 "annotations":{"a":"%s"},"labels":{"fakegpu.dev/allocate":"true"%s}},
                 "spec":{"devices":{"requests":[%s],"config":[%s]}}}""".formatted(number, "x".repeat(250_000), labels, devices, config);
    }

    private static String selector(int number) {
        return "{\"cel\":{\"expression\":\"device.driver == '%d' || device.driver == '%s'\"}}"
                .formatted(number, "x".repeat(10_000));
    }
}
