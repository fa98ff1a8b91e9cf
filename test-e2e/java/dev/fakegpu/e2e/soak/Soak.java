package dev.fakegpu.e2e.soak;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.bench.ProcessUse;
import dev.fakegpu.e2e.faults.FaultProxy;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import dev.fakegpu.testing.Patience;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/**
 * Runs two operators with load and all kinds of disruptions. In the first part, leaders are killed and the API server is stopped; in the
 * last part, no operator is killed, so that memory can be compared.
 *
 * <p>Arguments: minutes, a directory for the result, and optionally a seed.
 */
final class Soak implements AutoCloseable {

    /** The fraction of the time in which leaders are killed and the API server is stopped. */
    private static final double ROUGH = 0.6;

    /** With fewer allocations, the test is not meaningful; an idle machine has more than five times as many. */
    private static final long LEAST_PER_MINUTE = 20;

    private static final Duration LONGEST_OUTAGE = Duration.ofMinutes(5);
    private static final Duration TOLERANCE = Duration.ofSeconds(120);

    private final Duration length;
    private final SoakReport report;
    private final ControlPlane controlPlane;
    private final KubernetesClient client;
    private final FaultProxy proxy;
    private final SteppedClock clock = new SteppedClock();
    private final List<SoakFakeGpu> hardware = SoakFakeGpu.all();
    private final ClusterHistory history;
    private final Leftovers leftovers;
    private final Disruptions disruptions;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor();
    private final List<String> violations = new ArrayList<>();
    private final long begin = System.nanoTime();

    private Soak(Duration length, long seed) {
        this.length = length;
        controlPlane = ControlPlane.start(ControlPlaneOptions.withSchedulerAndControllerManager());
        client = controlPlane.client();
        proxy = FaultProxy.to(controlPlane.config(), seed);
        controlPlane.applyFile("crds/fakegpus.fakegpu.dev.yaml");
        history = new ClusterHistory(
                client,
                driver -> hardware.stream()
                        .anyMatch(each -> each.allocator() == AllocatorName.Companion
                                && each.driver().equals(driver)));
        leftovers = new Leftovers(client, TOLERANCE);
        disruptions = new Disruptions(client, proxy, clock, hardware, seed);
        report = new SoakReport(length, seed, Workload.users(hardware));
    }

    public static void main(String... arguments) throws IOException {
        Awaitility.setDefaultTimeout(Patience.LIMIT); // also for the start of an operator
        long seed = arguments.length > 2 ? Long.parseLong(arguments[2]) : System.nanoTime();
        var report = run(Duration.ofMinutes(Long.parseLong(arguments[0])), seed);
        Files.writeString(Files.createDirectories(Path.of(arguments[1])).resolve("report.md"), report.markdown());
        report.violations().forEach(System.out::println);
        System.exit(report.violations().isEmpty() ? 0 : 1); // otherwise the threads of clients keep the process alive
    }

    static SoakReport run(Duration length, long seed) {
        System.out.println("seed " + seed);
        try (var soak = new Soak(length, seed)) {
            return soak.run(seed);
        }
    }

    private SoakReport run(long seed) {
        var apiServer = ProcessUse.of(controlPlane.kubeconfig(), "kube-apiserver");
        try (var replicas = new Replicas(controlPlane, proxy.address(), clock)) {
            hardware.forEach(this::create);
            await("the FakeGpus are published", this::isPublished);
            looking.scheduleWithFixedDelay(this::look, 10, 10, TimeUnit.SECONDS);
            try (var workload = new Workload(client)) {
                workload.start(hardware, seed);
                rough(replicas);
                report.memoryBefore(replicas.leadersMemory());
                report.memoryOfApiServer(apiServer.residentMiB());
                smooth();
                report.memoryAfter(replicas.leadersMemory());
                report.memoryOfApiServer(apiServer.residentMiB());
                report.memoryOfApiServer(apiServer.peakMiB());
                report.load(workload, Duration.ofNanos(System.nanoTime() - begin));
            }
            disruptions.repair();
            awaitHealthy("both operators are healthy in the end", replicas);
            cleanUp();
            report.operators(replicas.ended(), replicas.failedStarts());
        }
        history.close();
        looking.shutdownNow();
        violations.addAll(history.violations());
        violations.addAll(leftovers.violations());
        if (history.allocated() < LEAST_PER_MINUTE * length.toMinutes()) {
            violations.add("only %d claims were allocated".formatted(history.allocated()));
        }
        report.result(proxy.injected(), disruptions.done(), history, violations);
        return report;
    }

    /** Kills and outages in addition to other disruptions; in the middle, there is a long outage of the API server. */
    private void rough(Replicas replicas) {
        boolean longOutageIsOver = false;
        while (elapsed() < ROUGH) {
            for (int step = 2 + disruptions.random().nextInt(3); step > 0; step--) {
                disruptions.next();
            }
            if (!longOutageIsOver && elapsed() > ROUGH / 2) {
                longOutageIsOver = true;
                away(Duration.ofNanos(Math.min(LONGEST_OUTAGE.toNanos(), length.toNanos() / 5)));
            } else if (disruptions.random().nextInt(4) == 0) {
                away(Duration.ofSeconds(2 + disruptions.random().nextInt(15)));
            } else if (disruptions.random().nextInt(4) == 0 && replicas.killStandby()) {
                disruptions.count("kills of a standby");
            } else if (replicas.killLeader()) {
                report.failOver(recovery(System.nanoTime(), "a leader was killed"));
                disruptions.count("kills of a leader");
            }
        }
        awaitHealthy("both operators are healthy again", replicas);
    }

    private void smooth() {
        while (elapsed() < 1) {
            disruptions.next();
        }
    }

    private void away(Duration time) {
        proxy.disappear();
        disruptions.pause(time);
        long back = System.nanoTime();
        proxy.heal();
        report.recovery(time, recovery(back, "the API server was away for " + time.toSeconds() + " s"));
        disruptions.count("absences of the API server");
        leftovers.forgive();
    }

    /** Waits for the first allocation that was not already in progress. */
    private Duration recovery(long since, String after) {
        long certain = since + Duration.ofMillis(500).toNanos();
        await(
                "claims are allocated again after " + after,
                () -> history.firstAllocationAfter(certain).isPresent());
        return Duration.ofNanos(history.firstAllocationAfter(certain).orElse(System.nanoTime()) - since);
    }

    private double elapsed() {
        return (double) (System.nanoTime() - begin) / length.toNanos();
    }

    private void look() {
        try {
            leftovers.look(history.unpublished());
        } catch (KubernetesClientException e) {
            System.out.println("leftovers: " + e.getMessage());
        }
    }

    private void create(SoakFakeGpu each) {
        String manifest = """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: %s}
                spec: %s
                """.formatted(each.name(), each.spec());
        client.resource(client.getKubernetesSerialization().unmarshal(manifest, GenericKubernetesResource.class))
                .create();
    }

    private boolean isPublished() {
        return client.resources(FakeGpu.class).list().getItems().stream()
                        .filter(each -> each.getStatus() != null
                                && each.getStatus().conditions().stream()
                                        .anyMatch(
                                                condition -> condition.getType().equals("Ready")
                                                        && condition.getStatus().equals("True")))
                        .count()
                == hardware.size();
    }

    /** Waits until nothing is left. */
    private void cleanUp() {
        await(
                "all claims and pods are gone",
                () -> client.pods()
                                .inNamespace(Workload.NAMESPACE)
                                .list()
                                .getItems()
                                .isEmpty()
                        && client.resources(ResourceClaim.class)
                                .inAnyNamespace()
                                .list()
                                .getItems()
                                .isEmpty());
        client.resources(FakeGpu.class).delete();
        await(
                "all FakeGpus are gone",
                () -> client.resources(FakeGpu.class).list().getItems().isEmpty());
        await(
                "nothing is left over",
                () -> leftovers.found().isEmpty()
                        && client.nodes().list().getItems().isEmpty());
    }

    private void awaitHealthy(String what, Replicas replicas) {
        if (!await(what, replicas::areHealthy)) {
            System.out.println(what + ": " + replicas.diagnosis());
        }
    }

    private boolean await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + Patience.LIMIT.toNanos();
        while (System.nanoTime() < end) {
            try {
                if (condition.getAsBoolean()) {
                    return true;
                }
            } catch (KubernetesClientException e) {
                System.out.println(what + ": " + e.getMessage());
            }
            disruptions.pause(Duration.ofMillis(200));
        }
        violations.add("not within " + Patience.LIMIT.toSeconds() + " s: " + what);
        return false;
    }

    @Override
    public void close() {
        proxy.close();
        controlPlane.close();
    }
}
