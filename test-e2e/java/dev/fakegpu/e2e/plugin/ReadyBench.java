package dev.fakegpu.e2e.plugin;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.Patience;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long a pod takes on a node with a real kubelet, from when the FakeGpu of a new driver is ready until the pod's container
 * runs, as for a script that waits for {@code Ready} and then creates a pod. Writes rows of a table to standard output.
 *
 * <p>Argument: the number of FakeGpus, which are created one after the other, before and after a restart of the plugin.
 */
final class ReadyBench {

    private final KubernetesClient client;

    private ReadyBench(KubernetesClient client) {
        this.client = client;
    }

    public static void main(String... arguments) {
        Awaitility.setDefaultTimeout(Patience.LIMIT);
        int count = Integer.parseInt(arguments[0]);
        try (var node = KubeletNode.start();
                var operator = OperatorProcess.start(node.controlPlane(), Map.of())) {
            var bench = new ReadyBench(node.controlPlane().client());
            Pod pod = PluginProcess.createPod(node);
            var plugin = PluginProcess.startIn(pod, node);
            bench.row("a new driver", bench.starts("before", count));
            plugin.kill();
            try (var restarted = PluginProcess.startIn(pod, node)) {
                bench.row("a new driver, after the plugin was killed", bench.starts("after", count));
            }
            operator.assertHealthy();
        }
        System.exit(0); // otherwise the threads of clients keep the process alive
    }

    private List<Duration> starts(String prefix, int count) {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            times.add(start(prefix + "-" + i));
        }
        return times;
    }

    private Duration start(String name) {
        String driver = name + ".example.com";
        try (var fakeGpus = new FakeGpuFixture(client);
                var scenario = new ClusterScenario(client, AllocatorName.Companion)) {
            fakeGpus.create(
                    name, "{driver: %s, nodes: {names: [%s]}, model: L40S}".formatted(driver, KubeletNode.NAME));
            client.resources(FakeGpu.class)
                    .withName(name)
                    .waitUntilCondition(ReadyBench::isReady, Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            long begin = System.nanoTime();
            scenario.claim(name, driver);
            Pod pod = client.resource(ContainerPods.using(name, scenario.namespace(), name, "busybox:1", "")
                            .editSpec()
                            .withSchedulerName(Labels.SCHEDULER_NAME)
                            .endSpec()
                            .build())
                    .create();
            client.resource(pod).waitUntilCondition(ReadyBench::runs, Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            return Duration.ofNanos(System.nanoTime() - begin);
        }
    }

    private static boolean isReady(@Nullable FakeGpu fakeGpu) {
        return fakeGpu != null
                && fakeGpu.getStatus() != null
                && fakeGpu.getStatus().conditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    private static boolean runs(@Nullable Pod pod) {
        return pod != null && pod.getStatus().getContainerStatuses().stream().anyMatch(ContainerStatus::getReady);
    }

    private void row(String what, List<Duration> times) {
        List<Duration> sorted = times.stream().sorted().toList();
        System.out.printf(
                "| %s | %d | %s | %s |%n",
                what,
                times.size(),
                seconds(sorted.get(sorted.size() / 2)),
                sorted.stream().map(ReadyBench::seconds).collect(Collectors.joining(", ")));
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f", time.toMillis() / 1000.0);
    }
}
