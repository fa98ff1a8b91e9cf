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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests claims and pods of about a megabyte each, with the memory that the Deployment gives the operator. {@code -Dlarge.objects} sets
 * their number.
 */
@Tag("long")
class LargeObjectsE2E {

    private static final int OBJECTS = Integer.getInteger("large.objects", 60);

    /** {@code resources.limits.memory} of the Deployment: the kernel ends a container that uses more. */
    private static final long MEMORY_LIMIT_KIB = 1024 * 1024;

    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

    /** Uses its own control plane, since the API server also keeps all of them in memory. */
    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.with(ControlPlaneOptions.withControllerManager()
                    .schedulerFeatureGates("DRADeviceCompatibilityGroups=true"))
            .withoutOperator();

    private final KubernetesClient client = cluster.client();

    @Test
    void operatorLivesAndServesOthers() throws IOException {
        OperatorProcess operator = cluster.startOperator(Map.of());
        @SuppressWarnings("resource") // its objects end with the control plane, and deleting them would take a minute
        var tenant = new Tenant(cluster.controlPlane());
        try (var scenario = new ClusterScenario(client, AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");

            // When
            long bytes = 0;
            for (int i = 0; i < OBJECTS; i++) {
                String json = i % 4 == 3 ? pod(i) : claim(i);
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
        Matcher peak = PEAK.matcher(Files.readString(Path.of("/proc/" + operator.pid() + "/status")));
        assertThat(peak.find()).isTrue();
        assertThat(Long.parseLong(peak.group(1)))
                .as("most memory that the operator had, in KiB")
                .isLessThan(MEMORY_LIMIT_KIB);
        String kept = operator.metrics()
                .lines()
                .filter(line ->
                        line.matches("fakegpu_watch_(bytes|unreadable_objects)[{]kind=\"(ResourceClaim|Pod)\".*"))
                .collect(Collectors.joining(", "));
        System.out.printf(
                "%d objects of %d MB in all: at most %s KiB resident; %s%n",
                OBJECTS, bytes / 1_000_000, peak.group(1), kept);
    }

    /**
     * One third of the claims has large metadata, one third has large selectors, which must be kept, and one third has large opaque
     * parameters.
     */
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

    private static String pod(int number) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"large-%d"},"spec":{"schedulerName":"nobody",
                 "containers":[{"name":"main","image":"i","env":[{"name":"A","value":"%s"}]}]}}""".formatted(number, "x".repeat(900_000));
    }

    private static String selector(int number) {
        return "{\"cel\":{\"expression\":\"device.driver == '%d' || device.driver == '%s'\"}}"
                .formatted(number, "x".repeat(10_000));
    }
}
