package dev.fakegpu.evidence;

import static dev.fakegpu.evidence.Hardware.GPU_0;
import static dev.fakegpu.evidence.Partition.grouped;
import static dev.fakegpu.evidence.Partition.plain;

import dev.fakegpu.e2e.support.KubeSchedulerProcess;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Measures the cost of groups for kube-scheduler: the same pods on the same nodes with the feature off, on, and on with groups in the
 * slices, each twice, with a new kube-scheduler each time. On each node, one MIG device is already allocated, so that each candidate is
 * compared with an allocated device.
 */
final class SchedulerCost {

    static final int PODS = 200;
    static final int WARM_UP = 30;
    private static final int CLIENTS = 8;
    private static final String NAMESPACE = "cost";

    /**
     * @param on whether the scheduler's feature gate is on
     * @param groups whether the slices have groups
     */
    record Setting(String title, boolean on, boolean groups) {}

    static final Setting OFF = new Setting("feature off, no groups", false, false);
    static final Setting ON = new Setting("feature on, no groups", true, false);
    static final Setting GROUPS = new Setting("feature on, groups", true, true);

    /**
     * One turn.
     *
     * @param processor CPU time of kube-scheduler
     * @param filter scheduler_framework_extension_point_duration_seconds of Filter, average of a scheduling attempt
     * @param plugin scheduler_plugin_execution_duration_seconds of DynamicResources in Filter, average of a node
     * @param requests of kube-scheduler to the API server
     * @param memory of kube-scheduler after the turn, in bytes
     * @param server CPU time of kube-apiserver
     * @param serverMemory of kube-apiserver after the turn, in bytes
     */
    record Turn(
            Setting setting,
            int pods,
            Duration processor,
            Duration filter,
            Duration plugin,
            double requests,
            double memory,
            Duration server,
            double serverMemory) {

        double processorMillis() {
            return millis(processor);
        }

        double serverMillis() {
            return millis(server);
        }

        private double millis(Duration ofAllPods) {
            return ofAllPods.toNanos() / 1e6 / pods;
        }
    }

    private final Lab lab;
    private final int nodes;
    private final Findings findings;
    private SchedulerMetrics.Sample last = new SchedulerMetrics.Sample("");

    SchedulerCost(Lab lab, int nodes, Findings findings) {
        this.lab = lab;
        this.nodes = nodes;
        this.findings = findings;
    }

    List<Turn> measure() {
        System.out.println("  " + nodes + " nodes …");
        lab.apply(Manifests.namespace(NAMESPACE));
        parallel(nodes, this::create);
        var turns = new ArrayList<Turn>();
        turns.add(turn(OFF));
        turns.add(turn(ON));
        publish(hardware(true));
        turns.add(turn(GROUPS));
        indicators();
        turns.add(turn(GROUPS));
        publish(hardware(false));
        turns.add(turn(ON));
        turns.add(turn(OFF));
        return turns;
    }

    private static Hardware hardware(boolean groups) {
        var partitions = new ArrayList<Partition>();
        partitions.add(partition("gpu-0", "full", 100, groups));
        IntStream.range(0, 4).forEach(i -> partitions.add(partition("mig-" + i, "mig", 20, groups)));
        IntStream.range(0, 2).forEach(i -> partitions.add(partition("vgpu-" + i, "vgpu", 50, groups)));
        return Hardware.gpu(partitions.toArray(Partition[]::new));
    }

    private static Partition partition(String name, String type, int amount, boolean groups) {
        return Partition.of(name, type, groups ? grouped(GPU_0, amount, type) : plain(GPU_0, amount));
    }

    private static String node(int number) {
        return "cost-node-" + number;
    }

    private void create(int number) {
        String node = node(number);
        lab.apply(Manifests.node(node));
        lab.apply(hardware(false).counterSlice(node));
        lab.apply(hardware(false).deviceSlice(node));
        String held = "held-" + number;
        lab.apply(Manifests.claim(NAMESPACE, held, Hardware.GPU, "mig"));
        claims(held).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), """
                {"status": {"allocation": {"devices": {"results": [
                  {"request": "r0", "driver": "%s", "pool": "%s-pool", "device": "mig-0"}]}}}}""".formatted(
                        Hardware.GPU, node));
    }

    private void publish(Hardware hardware) {
        parallel(nodes, number -> lab.apply(hardware.deviceSlice(node(number))));
    }

    /** Checks that the indicators in the KEP exist. */
    private void indicators() {
        indicator("sli-filter", SchedulerMetrics.FILTER, "extension_point=\"Filter\"");
        indicator("sli-plugin", SchedulerMetrics.PLUGIN, "extension_point=\"Filter\",plugin=\"DynamicResources\"");
    }

    private void indicator(String id, String metric, String labels) {
        boolean observed = last.has(metric, labels);
        findings.add(new Check(
                id,
                Check.Topic.ON,
                "PRR, Monitoring Requirements",
                "`" + metric + "` with `" + labels + "` is an indicator of the feature's health.",
                "has observations",
                observed ? "has observations" : "has no observations",
                "kubectl get --raw /metrics   # of kube-scheduler\n"));
    }

    private Turn turn(Setting setting) {
        int port = freePort();
        KubeSchedulerProcess scheduler = lab.restartScheduler(
                setting.on(),
                List.of(
                        "--kube-api-qps=2000",
                        "--kube-api-burst=4000",
                        "--bind-address=127.0.0.1",
                        "--secure-port=" + port));
        lab.settle(node(0));
        schedule("warm", WARM_UP);
        var metrics = new SchedulerMetrics(lab.client().getConfiguration(), port);
        var before = metrics.read();
        var serverBefore = serverMetrics();
        Duration processor = processorTime(scheduler);
        schedule("pod", PODS);
        var after = metrics.read();
        last = after;
        processor = processorTime(scheduler).minus(processor);
        var serverAfter = serverMetrics();
        clear("warm", WARM_UP);
        clear("pod", PODS);
        var turn = new Turn(
                setting,
                PODS,
                processor,
                after.average(before, SchedulerMetrics.FILTER),
                after.average(before, SchedulerMetrics.PLUGIN),
                (after.requests() - before.requests()) / PODS,
                after.memory(),
                serverAfter.processor().minus(serverBefore.processor()),
                serverAfter.memory());
        System.out.printf("  %s: %.1f ms of CPU time for each pod%n", setting.title(), turn.processorMillis());
        return turn;
    }

    private SchedulerMetrics.Sample serverMetrics() {
        return new SchedulerMetrics.Sample(lab.client().raw("/metrics"));
    }

    private static Duration processorTime(KubeSchedulerProcess scheduler) {
        return ProcessHandle.of(scheduler.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow(() -> new IllegalStateException("kube-scheduler has ended"));
    }

    private void schedule(String prefix, int count) {
        parallel(count, i -> lab.apply(Manifests.claim(NAMESPACE, prefix + i, Hardware.GPU, "mig")));
        parallel(count, i -> lab.apply(Manifests.podAnywhere(NAMESPACE, prefix + i)));
        Lab.await(
                "all pods to be bound",
                () -> lab.client().pods().inNamespace(NAMESPACE).list().getItems().stream()
                        .allMatch(pod -> pod.getSpec().getNodeName() != null));
    }

    private void clear(String prefix, int count) {
        parallel(count, i -> {
            lab.client()
                    .pods()
                    .inNamespace(NAMESPACE)
                    .withName(prefix + i)
                    .withGracePeriod(0)
                    .delete();
            claims(prefix + i).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
            claims(prefix + i).delete();
        });
    }

    private Resource<ResourceClaim> claims(String name) {
        return lab.client()
                .resources(ResourceClaim.class)
                .inNamespace(NAMESPACE)
                .withName(name);
    }

    private static void parallel(int count, IntConsumer each) {
        var executor = Executors.newFixedThreadPool(CLIENTS);
        List<? extends Future<?>> results = IntStream.range(0, count)
                .mapToObj(i -> executor.submit(() -> each.accept(i)))
                .toList();
        executor.shutdown();
        try {
            for (Future<?> result : results) {
                result.get(5, TimeUnit.MINUTES);
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
