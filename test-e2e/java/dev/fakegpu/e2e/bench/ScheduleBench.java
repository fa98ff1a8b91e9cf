package dev.fakegpu.e2e.bench;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.support.KubeSchedulerProcess;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.e2e.support.SingleRequestClaims;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import dev.fakegpu.testing.Patience;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * Schedules the same pods with kube-scheduler and with the companion, on the same API server, one after the other. The pods are not run,
 * and the nodes are only Node objects, so the work of the operator besides scheduling is not measured.
 *
 * <p>Arguments: the program kube-scheduler, a directory for results, and a regular expression for the names of the cases.
 */
final class ScheduleBench {

    private static final String GPU = "gpu.example.com";
    private static final int WARM_UP = 64;
    private static final int CLIENTS = 16;

    /**
     * A case to measure.
     *
     * @param partitions whole GPUs, or all MIG devices of each GPU
     * @param waiting the number of pods that wait meanwhile because they cannot be placed
     * @param device the type of device that each pod requests
     */
    private record Case(int nodes, String partitions, String device, int pods, int waiting) {
        String name() {
            return "%04d-nodes-%s%s".formatted(nodes, partitions, waiting == 0 ? "" : "-" + waiting + "-waiting");
        }
    }

    private static final List<Case> CASES = List.of(
            new Case(10, "whole", "gpu", 70, 0),
            new Case(100, "whole", "gpu", 500, 0),
            new Case(1000, "whole", "gpu", 500, 0),
            new Case(10, "mig", "mig", 300, 0),
            new Case(100, "mig", "mig", 500, 0),
            new Case(100, "whole", "gpu", 500, 1000));

    /** The scheduler, and how it is used. */
    private enum Scheduler {
        COMPANION("companion", List.of()),
        LIFTED("kube-scheduler lifted", List.of("--kube-api-qps=2000", "--kube-api-burst=4000")),
        DEFAULT("kube-scheduler", List.of());

        private final String title;
        private final List<String> flags;

        Scheduler(String title, List<String> flags) {
            this.title = title;
            this.flags = flags;
        }
    }

    private final Path kubeScheduler;
    private final Path results;
    private final ControlPlane controlPlane;
    private final KubernetesClient client;
    private final OperatorProcess operator;

    private ScheduleBench(Path kubeScheduler, Path results) {
        this.kubeScheduler = kubeScheduler;
        this.results = results;
        controlPlane = ControlPlane.start(ControlPlaneOptions.apiServerOnly());
        System.out.println("to look at it: export KUBECONFIG=" + controlPlane.kubeconfig());
        client = controlPlane.client();
        operator = OperatorProcess.start(controlPlane, Map.of("FAKEGPU_PARTS", "Publisher,Companion"));
    }

    public static void main(String... arguments) throws IOException, InterruptedException {
        Awaitility.setDefaultTimeout(Patience.LIMIT); // also for the start of an operator on a busy machine
        var results = Files.createDirectories(Path.of(arguments[1]));
        var part = Pattern.compile(arguments[2]);
        for (Case each : CASES) {
            if (part.matcher(each.name()).find() && !isDone(results, each)) {
                var bench = new ScheduleBench(Path.of(arguments[0]), results);
                try {
                    bench.run(each);
                } finally {
                    bench.operator.close();
                    bench.controlPlane.close();
                }
            }
        }
        System.exit(0); // otherwise the threads of clients keep the process alive
    }

    private static boolean isDone(Path results, Case each) {
        return List.of(Scheduler.values()).stream().allMatch(scheduler -> Files.exists(file(results, each, scheduler)));
    }

    private static Path file(Path results, Case each, Scheduler scheduler) {
        return results.resolve(each.name() + "." + scheduler.name().toLowerCase(Locale.ROOT) + ".row");
    }

    private void run(Case each) throws IOException, InterruptedException {
        publish(each);
        for (Scheduler scheduler : Scheduler.values()) {
            allocator(scheduler, each);
            String row;
            if (scheduler == Scheduler.COMPANION) {
                row = measure(each, scheduler, operator.pid());
            } else {
                try (var process = KubeSchedulerProcess.start(kubeScheduler, controlPlane, scheduler.flags)) {
                    row = measure(each, scheduler, process.pid());
                }
            }
            Files.writeString(file(results, each, scheduler), row + "\n");
            System.out.println(row);
        }
    }

    // --- the cluster

    private void publish(Case each) throws InterruptedException {
        String partitions =
                each.partitions().equals("mig") ? "{whole: false, mig: {profiles: [All]}}" : "{whole: true}";
        create("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: bench}
                spec:
                  driver: %s
                  allocator: Companion
                  model: A100-SXM4-40GB
                  count: 8
                  nodes: {selector: {matchLabels: {bench: "true"}}}
                  partitions: %s
                """.formatted(GPU, partitions));
        parallel(each.nodes(), i -> client.resource(node("bench-node-" + i)).create());
        await(() -> client.resources(ResourceSlice.class).list().getItems().stream()
                        .map(slice -> slice.getSpec().getNodeName())
                        .distinct()
                        .count()
                >= each.nodes());
        awaitReady();
    }

    /** A node that stays ready because there is no node lifecycle controller. */
    private static Node node(String name) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("bench", "true")
                .endMetadata()
                .withNewStatus()
                .addToAllocatable("pods", new Quantity("110"))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    private void allocator(Scheduler scheduler, Case each) {
        String allocator = scheduler == Scheduler.COMPANION ? "Companion" : "KubeScheduler";
        client.resources(FakeGpu.class)
                .withName("bench")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"allocator\":\"" + allocator + "\"}}");
        awaitReady();
    }

    private void awaitReady() {
        await(() -> {
            var stored = client.resources(FakeGpu.class).withName("bench").get();
            return stored.getStatus() != null
                    && stored.getMetadata()
                            .getGeneration()
                            .equals(stored.getStatus().observedGeneration())
                    && stored.getStatus().conditions().stream()
                            .anyMatch(condition -> condition.getType().equals("Ready")
                                    && condition.getStatus().equals("True"));
        });
    }

    private void create(String yaml) {
        client.resource(client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
                .create();
    }

    // --- pods

    private String measure(Case each, Scheduler scheduler, long pid) throws IOException, InterruptedException {
        System.out.println(each.name() + ": " + scheduler.title);
        String schedulerName = scheduler == Scheduler.COMPANION ? Labels.SCHEDULER_NAME : "default-scheduler";
        String namespace = "bench-" + scheduler.name().toLowerCase(Locale.ROOT);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        int pods = scheduler == Scheduler.DEFAULT ? Math.min(each.pods(), 150) : each.pods();
        try (var times = new PodTimes(client, namespace)) {
            schedule(namespace, "warm", Math.min(WARM_UP, pods / 4), each.device(), schedulerName);
            await(() -> times.bound().size() >= Math.min(WARM_UP, pods / 4));
            delete(namespace);
            if (each.waiting() > 0) {
                int waiting = scheduler == Scheduler.DEFAULT ? Math.min(each.waiting(), 100) : each.waiting();
                schedule(namespace, "waiting", waiting, "vgpu", schedulerName);
                await(() -> times.refused().size() >= waiting);
            }
            createClaims(namespace, "pod", pods, each.device());
            var processors = ProcessorTimes.begin(pid, controlPlane);
            long begin = System.nanoTime();
            var created = createPods(namespace, "pod", pods, schedulerName);
            await(() -> count(times.bound(), "pod") >= pods);
            var taken = processors.end();
            String row = row(new Measured(each, scheduler, begin, created, times, taken, rss(pid)));
            delete(namespace);
            return row;
        }
    }

    private void schedule(String namespace, String prefix, int count, String device, String schedulerName)
            throws InterruptedException {
        createClaims(namespace, prefix, count, device);
        createPods(namespace, prefix, count, schedulerName);
    }

    private void createClaims(String namespace, String prefix, int count, String device) throws InterruptedException {
        parallel(
                count,
                i -> client.resource(claim(namespace, prefix + "-" + i, device)).create());
    }

    /** @return the time when each pod was created, by name */
    private Map<String, Long> createPods(String namespace, String prefix, int count, String schedulerName)
            throws InterruptedException {
        var created = new ConcurrentHashMap<String, Long>();
        parallel(count, i -> {
            String name = prefix + "-" + i;
            created.put(name, System.nanoTime());
            client.resource(SingleRequestClaims.podOf(namespace, name, schedulerName)
                            .editSpec()
                            .addNewToleration() // the API server taints new nodes as not ready
                            .withOperator("Exists")
                            .endToleration()
                            .endSpec()
                            .build())
                    .create();
        });
        return created;
    }

    private static ResourceClaim claim(String namespace, String name, String device) {
        if (!device.equals("mig")) {
            return SingleRequestClaims.ofType(namespace, name, GPU, device).build();
        }
        return SingleRequestClaims.exactly(
                        namespace,
                        name,
                        new ExactDeviceRequestBuilder()
                                .withDeviceClassName("mig.example.com")
                                .addNewSelector()
                                .withNewCel("device.attributes['%s'].profile == '1g.5gb'".formatted(GPU))
                                .endSelector())
                .build();
    }

    /** Deletes everything in the namespace, and waits until every device is free again. */
    private void delete(String namespace) throws InterruptedException {
        var pods = client.pods().inNamespace(namespace);
        var claims = client.resources(ResourceClaim.class).inNamespace(namespace);
        var podNames = names(pods.list().getItems());
        parallel(
                podNames.size(),
                i -> pods.withName(podNames.get(i)).withGracePeriod(0).delete());
        await(() -> pods.list().getItems().isEmpty());
        var claimNames = names(claims.list().getItems());
        // Without kube-controller-manager, claims that kube-scheduler allocated must be deallocated here.
        parallel(claimNames.size(), i -> {
            var claim = claims.withName(claimNames.get(i));
            claim.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
            claim.delete();
        });
        await(() -> claims.list().getItems().isEmpty());
    }

    private static List<String> names(List<? extends HasMetadata> objects) {
        return objects.stream().map(each -> each.getMetadata().getName()).toList();
    }

    private static void parallel(int count, IntConsumer each) throws InterruptedException {
        var executor = Executors.newFixedThreadPool(CLIENTS);
        IntStream.range(0, count).forEach(i -> executor.execute(() -> each.accept(i)));
        executor.shutdown();
        if (!executor.awaitTermination(5, TimeUnit.MINUTES)) {
            throw new IllegalStateException("objects could not be created within 5 minutes");
        }
    }

    private static void await(java.util.concurrent.Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .until(condition);
    }

    // --- the result

    private static long count(Map<String, Long> times, String prefix) {
        return times.keySet().stream().filter(name -> name.startsWith(prefix)).count();
    }

    /** @param taken the time since {@code begin} */
    private record Measured(
            Case measured,
            Scheduler scheduler,
            long begin,
            Map<String, Long> created,
            PodTimes times,
            ProcessorTimes taken,
            long rss) {}

    private static String row(Measured each) {
        double[] bound = since(each.created(), each.times().bound());
        int pods = each.created().size();
        long last = each.created().keySet().stream()
                .mapToLong(name -> each.times().bound().get(name))
                .max()
                .orElseThrow();
        double seconds = (last - each.begin()) / 1e9;
        return String.format(
                Locale.ROOT,
                "| %d | %s | %d | %d | %s | %.0f | %.2f | %.2f | %.1f | %.1f | %.0f%% | %d |",
                each.measured().nodes(),
                each.measured().partitions(),
                each.measured().waiting(),
                pods,
                each.scheduler().title,
                pods / seconds,
                percentile(bound, 50),
                percentile(bound, 99),
                each.taken().ofScheduler().toMillis() / (double) pods,
                each.taken().ofStorage().toMillis() / (double) pods,
                each.taken().ofStorage().toMillis()
                        / (10 * seconds * Runtime.getRuntime().availableProcessors()),
                each.rss() / 1024);
    }

    private static double[] since(Map<String, Long> created, Map<String, Long> seen) {
        var seconds = new ArrayList<Double>();
        created.forEach((name, time) -> seconds.add((seen.get(name) - time) / 1e9));
        return seconds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    private static double percentile(double[] sorted, int percent) {
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }

    /** The resident memory in KiB. */
    private static long rss(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", "" + pid, "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }
}
