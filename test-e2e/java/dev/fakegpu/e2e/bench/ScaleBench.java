package dev.fakegpu.e2e.bench;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.e2e.support.SingleRequestClaims;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * Publishes many nodes, allocates a claim, and restarts the operator; then a bare client creates the same slices on another API server.
 *
 * <p>Arguments: the program of {@code hack/scale}, a directory for results, and a regular expression for the names of the cases.
 */
final class ScaleBench {

    private static final Duration LIMIT = Duration.ofMinutes(60);
    private static final String GPU = "gpu.example.com";
    private static final int SAMPLE = 400;
    private static final Pattern WRITES = Pattern.compile(
            "apiserver_request_total\\{[^}]*resource=\"resourceslices\"[^}]*verb=\"(POST|PATCH|APPLY|PUT|DELETE)\"[^}]*} (\\S+)");

    /**
     * A case to publish.
     *
     * @param heap the heap of the operator, as for {@code -Xmx}; that of the Deployment is 60 % of its memory limit
     */
    private record Case(int nodes, String devices, String heap) {
        String name() {
            return "%04d-nodes-%s".formatted(nodes, devices);
        }

        String partitions() {
            return switch (devices) {
                case "whole" -> "{}";
                case "mig" -> "{mig: {profiles: [All]}}";
                default -> "{mig: {profiles: [All]}, vgpu: {types: [All]}, vfio: true}";
            };
        }
    }

    private static final List<Case> CASES = List.of(
            new Case(100, "everything", "614m"),
            new Case(300, "everything", "614m"),
            new Case(1000, "everything", "921m"),
            new Case(2233, "everything", "2g"),
            new Case(1000, "mig", "614m"),
            new Case(1000, "whole", "614m"),
            new Case(5000, "whole", "1g"));

    private final String bareClient;
    private final Case measured;
    private final Path slices;

    private ScaleBench(String bareClient, Case measured, Path results) {
        this.bareClient = bareClient;
        this.measured = measured;
        this.slices = results.resolve("slices.json");
    }

    public static void main(String... arguments) throws IOException, InterruptedException {
        Awaitility.setDefaultTimeout(LIMIT);
        Path results = Files.createDirectories(Path.of(arguments[1]));
        var names = Pattern.compile(arguments[2]);
        for (Case each : CASES) {
            Path row = results.resolve(each.name() + ".row");
            if (names.matcher(each.name()).find() && !Files.exists(row)) {
                var bench = new ScaleBench(arguments[0], each, results);
                String measured = bench.operator() + bench.bare();
                Files.writeString(row, measured + "\n");
                System.out.println(measured);
                Files.delete(bench.slices);
            }
        }
        System.exit(0); // otherwise the threads of clients keep the process alive
    }

    // --- the operator

    private String operator() throws IOException, InterruptedException {
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.apiServerOnly());
                var operator = OperatorProcess.start(controlPlane, Map.of(OperatorProcess.HEAP, measured.heap()))) {
            Awaitility.await().until(operator::hasLed);
            String published = published(controlPlane, operator);
            run(controlPlane, "dump", slices.toString());
            return published;
        }
    }

    private String published(ControlPlane controlPlane, OperatorProcess operator) {
        KubernetesClient client = controlPlane.client();
        var process = new ProcessUse(operator.pid());
        var apiServer = ProcessUse.of(controlPlane.kubeconfig(), "kube-apiserver");
        var etcd = ProcessUse.of(controlPlane.kubeconfig(), "etcd");
        double[] before = {process.seconds(), apiServer.seconds(), etcd.seconds()};
        long begun = System.nanoTime();
        create(client, """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: bench}
                spec: {nodes: {simulated: {count: %d}}, model: A100-SXM4-40GB, count: 8, partitions: %s}
                """.formatted(measured.nodes(), measured.partitions()));
        String end = awaitEnd(client);
        double seconds = ProcessUse.since(begun);
        var totals = totals(client);
        long writes = writes(client);
        String published = String.format(
                Locale.ROOT,
                "| %d | %s | %d | %s | %s | %.0f | %.0f | %.0f | %.0f | %d | %d | %d | %d |",
                totals.nodes(),
                measured.devices(),
                totals.devices(),
                measured.heap(),
                end,
                seconds,
                process.seconds() - before[0],
                apiServer.seconds() - before[1],
                etcd.seconds() - before[2],
                writes,
                process.peakMiB(),
                apiServer.peakMiB(),
                stored(controlPlane));
        return published + claimed(client, operator);
    }

    /** The size of etcd's database on disk, in MB. */
    private static long stored(ControlPlane controlPlane) {
        try {
            return Files.size(controlPlane.kubeconfig().resolveSibling("etcd/member/snap/db")) / 1_000_000;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until everything is published, or until no more fits in memory. */
    private static String awaitEnd(KubernetesClient client) {
        var reason = new String[1];
        await(() -> {
            var fakeGpu = client.resources(FakeGpu.class).withName("bench").get();
            if (fakeGpu.getStatus() == null) {
                return false;
            }
            return fakeGpu.getStatus().conditions().stream()
                    .filter(condition -> condition.getType().equals("Ready"))
                    .peek(condition -> reason[0] = condition.getReason())
                    .anyMatch(isEnd());
        });
        return reason[0].equals("MemoryLimit") ? "memory limit" : "all";
    }

    private static Predicate<Condition> isEnd() {
        return condition ->
                condition.getStatus().equals("True") || condition.getReason().equals("MemoryLimit");
    }

    private static dev.fakegpu.api.FakeGpuStatus.Totals totals(KubernetesClient client) {
        return client.resources(FakeGpu.class)
                .withName("bench")
                .get()
                .getStatus()
                .totals();
    }

    /** The number of completed write requests for slices since the API server started. */
    private static long writes(KubernetesClient client) {
        return WRITES.matcher(client.raw("/metrics"))
                .results()
                .mapToLong(count -> (long) Double.parseDouble(count.group(2)))
                .sum();
    }

    /** Measures the first claim, then a restart, and the first claim after the restart. */
    private String claimed(KubernetesClient client, OperatorProcess operator) {
        double first = claim(client, "first");
        long writes = writes(client);
        long begun = System.nanoTime();
        operator.crash();
        claim(client, "after-restart");
        double restart = ProcessUse.since(begun);
        return String.format(Locale.ROOT, " %.1f | %.1f | %d |", first, restart, writes(client) - writes);
    }

    /** Seconds from the creation of a claim until it is allocated. */
    private static double claim(KubernetesClient client, String name) {
        long begun = System.nanoTime();
        client.resource(SingleRequestClaims.ofType("default", name, GPU, "gpu")
                        .editMetadata()
                        .addToLabels("fakegpu.dev/allocate", "true")
                        .endMetadata()
                        .build())
                .create();
        await(() -> {
            ResourceClaim claim = client.resources(ResourceClaim.class)
                    .inNamespace("default")
                    .withName(name)
                    .get();
            return claim.getStatus() != null && claim.getStatus().getAllocation() != null;
        });
        return ProcessUse.since(begun);
    }

    private static void create(KubernetesClient client, String yaml) {
        client.resource(client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
                .create();
    }

    private static void await(java.util.concurrent.Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .until(condition);
    }

    // --- the bare client

    /** Tries several levels of parallelism with the first slices, and creates all slices with the best one. */
    private String bare() throws IOException, InterruptedException {
        int best = 1;
        double least = Double.MAX_VALUE;
        for (int parallel : new int[] {2, 4, 8, 16}) {
            double seconds = Double.parseDouble(bare(parallel, SAMPLE)[2]);
            if (seconds < least) {
                least = seconds;
                best = parallel;
            }
        }
        String[] all = bare(best, 0);
        return String.format(
                Locale.ROOT,
                " %s | %.0f | %.0f | %d |",
                all[0],
                Double.parseDouble(all[1]) / 1000 / Double.parseDouble(all[0]),
                Double.parseDouble(all[2]),
                best);
    }

    private String[] bare(int parallel, int count) throws IOException, InterruptedException {
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.apiServerOnly())) {
            return run(controlPlane, "create", slices.toString(), String.valueOf(parallel), String.valueOf(count))
                    .strip()
                    .split(" ");
        }
    }

    private String run(ControlPlane controlPlane, String... arguments) throws IOException, InterruptedException {
        var command = new java.util.ArrayList<>(List.of(bareClient));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        var config = controlPlane.config();
        builder.environment()
                .putAll(Map.of(
                        "API_SERVER", config.getMasterUrl(),
                        "API_TOKEN", config.getAutoOAuthToken(),
                        "API_CA", certificate(config.getCaCertData())));
        var process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed");
        }
        return output;
    }

    /** The certificate in base64; the client may have decoded it. */
    private static String certificate(String data) {
        return data.startsWith("-----")
                ? Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.UTF_8))
                : data;
    }
}
