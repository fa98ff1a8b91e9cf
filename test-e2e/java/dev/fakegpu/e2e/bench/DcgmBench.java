package dev.fakegpu.e2e.bench;

import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** Measures scrapes of {@code /dcgm/metrics}, and how soon an injected error appears in one. Writes rows of a table to standard output. */
final class DcgmBench {

    private static final int SCRAPES = 10;
    private static final Duration LIMIT = Duration.ofMinutes(20);

    /** @param partitions the partitions of each GPU, as in {@code spec.partitions} */
    private record Case(String name, int nodes, String partitions) {}

    private static final List<Case> CASES = List.of(
            new Case("whole", 100, "{}"),
            new Case("whole", 1000, "{}"),
            new Case("whole and 1g.5gb", 1000, "{mig: {profiles: [1g.5gb]}}"));

    private final KubernetesClient client;
    private final OperatorProcess operator;

    private DcgmBench(KubernetesClient client, OperatorProcess operator) {
        this.client = client;
        this.operator = operator;
    }

    public static void main(String... arguments) {
        Awaitility.setDefaultTimeout(LIMIT); // also for the start of an operator on a busy machine
        for (Case each : CASES) {
            try (var controlPlane = ControlPlane.start(ControlPlaneOptions.apiServerOnly());
                    var operator = OperatorProcess.start(controlPlane, Map.of())) {
                System.out.println(new DcgmBench(controlPlane.client(), operator).row(each));
            }
        }
        System.exit(0); // otherwise the threads of clients keep the process alive
    }

    private String row(Case measured) {
        int gpus = 8 * measured.nodes();
        client.resource(client.getKubernetesSerialization()
                        .unmarshal(
                                """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: bench}
                spec: {nodes: {simulated: {count: %d}}, model: A100-SXM4-40GB, count: 8, partitions: %s}
                """.formatted(measured.nodes(), measured.partitions()),
                                GenericKubernetesResource.class))
                .create();
        await(scrape -> count(scrape, "DCGM_FI_DEV_GPU_UTIL{") == gpus);
        long[] times = new long[SCRAPES];
        int bytes = 0;
        for (int i = 0; i < SCRAPES; i++) {
            long begun = System.nanoTime();
            bytes = operator.dcgmMetrics().length();
            times[i] = System.nanoTime() - begun;
        }
        Arrays.sort(times);
        long begun = System.nanoTime();
        client.genericKubernetesResources("fakegpu.dev/v1alpha1", "FakeGpu")
                .withName("bench")
                .patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"spec":{"health":[{"state":"XidError","xid":48,"devices":{"nodes":["bench-node-0"],"gpus":[3]}}]}}""");
        await(scrape -> scrape.contains("err_code=\"48\""));
        return "| %d | %s | %.1f | %.2f | %.2f | %.2f |"
                .formatted(
                        gpus,
                        measured.name(),
                        bytes / 1e6,
                        seconds(times[SCRAPES / 2]),
                        seconds(times[SCRAPES - 1]),
                        seconds(System.nanoTime() - begun));
    }

    private void await(Predicate<String> expected) {
        Awaitility.await()
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> expected.test(operator.dcgmMetrics()));
    }

    private static long count(String text, String begin) {
        return text.lines().filter(line -> line.startsWith(begin)).count();
    }

    private static double seconds(long nanos) {
        return (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }
}
