package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Measures the problem in KEP-5963's motivation: a Deployment and a Job use GPUs, one of which is in another mode, with and without groups,
 * with kube-scheduler, in virtual time. The page shows the counts; {@code -Dgolden.update=true} writes it and fails.
 */
class MotivationTest {

    private static final Path PAGE = ProjectFiles.resolve("docs/evidence/kep-5963-motivation.md");

    private static final String FAKE_GPU = """
            apiVersion: fakegpu.dev/v1alpha1
            kind: FakeGpu
            metadata: {name: a100}
            spec:
              allocator: KubeScheduler
              compatibility: %s
              model: A100-SXM4-40GB
              count: %d
              nodes: {simulated: {count: 1, taint: None}}
              partitions: {mig: {profiles: [1g.5gb]}, vgpu: {types: [10C]}}
            """;

    private static final String TEMPLATE = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: %1$s}
            spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: %2$s}}]}}}
            """;

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: %1$s}
            spec:
              replicas: %2$d
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec:
                  resourceClaims: [{name: gpu, resourceClaimTemplateName: %3$s}]
                  containers: [{name: main, image: busybox, resources: {claims: [{name: gpu}]}}]
            """;

    private static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: render}
            spec:
              completions: 3
              activeDeadlineSeconds: 600
              template:
                metadata: {annotations: {fakegpu.dev/run-time: 60s}}
                spec:
                  restartPolicy: Never
                  resourceClaims: [{name: gpu, resourceClaimTemplateName: vgpu}]
                  containers: [{name: main, image: busybox, resources: {claims: [{name: gpu}]}}]
            """;

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** The minutes after which the owner deletes the pods of the Deployment that do not run. */
    private static final int IMPATIENCE = 5;

    /** The minutes after which the GPU in the other mode is free. */
    private static final int HELD = 15;

    private static final int END = 20;

    private static final String CANNOT_PREPARE = "FailedPrepareDynamicResources";

    /** The counts for one cluster. */
    private record Counts(
            int preparations, int schedulings, int events, int deleted, Optional<Long> deploymentRuns, String job) {}

    @Test
    void thePageHasTheCountedNumbers() throws IOException {
        String page = page(Map.of(
                "2 without", count(2, "None"),
                "2 with", count(2, "ByScheme"),
                "1 without", count(1, "None"),
                "1 with", count(1, "ByScheme")));

        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(PAGE, page);
            fail(PAGE + " is written anew; review it and run again without golden.update");
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    @Test
    void withGroupsNoImpossibleCombinationIsTried() {
        Counts with = count(2, "ByScheme");
        Counts without = count(2, "None");

        assertThat(with.preparations()).isZero();
        assertThat(with.deleted()).isZero();
        assertThat(with.job()).isEqualTo("complete");
        assertThat(with.deploymentRuns())
                .hasValueSatisfying(seconds -> assertThat(seconds).isLessThan(5));
        assertThat(without.preparations()).isPositive();
        assertThat(without.deleted()).isPositive();
        assertThat(without.job()).isEqualTo("failed: DeadlineExceeded");
    }

    private static Counts count(int gpus, String compatibility) {
        var simulation = new Simulation(SimulationOptions.DEFAULT.with(Schedulers.KUBE));
        simulation.apply(
                Stream.of(
                                FAKE_GPU.formatted(compatibility, gpus),
                                TEMPLATE.formatted("mig", "mig.example.com"),
                                TEMPLATE.formatted("vgpu", "vgpu.gpu.example.com"),
                                DEPLOYMENT.formatted("serve", 1, "mig"))
                        .map(MotivationTest::json)
                        .toList(),
                Duration.ofMinutes(1));
        Stream.of(DEPLOYMENT.formatted("desktop", 2, "vgpu"), JOB)
                .map(MotivationTest::json)
                .forEach(simulation::apply);
        Optional<Long> runs = Optional.empty();
        int deleted = 0;
        for (long second = 0; second <= Duration.ofMinutes(END).toSeconds(); second++) {
            if (runs.isEmpty() && desktops(simulation, "Running").size() == 2) {
                runs = Optional.of(second);
            }
            if (second == Duration.ofMinutes(IMPATIENCE).toSeconds()) {
                List<Pod> stuck = desktops(simulation, "Pending").stream()
                        .filter(pod -> pod.getSpec().getNodeName() != null)
                        .toList();
                deleted = stuck.size();
                stuck.forEach(simulation.cluster()::delete);
            }
            if (second == Duration.ofMinutes(HELD).toSeconds()) {
                simulation.apply(json(DEPLOYMENT.formatted("serve", 0, "mig")));
            }
            simulation.pass(SECOND);
        }
        Job job = simulation.cluster().list(Job.class).get(0);
        return new Counts(
                occurrences(simulation, CANNOT_PREPARE),
                occurrences(simulation, "FailedScheduling"),
                simulation.cluster().events().stream()
                        .filter(MotivationTest::isOfAPod)
                        .mapToInt(MotivationTest::occurrences)
                        .sum(),
                deleted,
                runs,
                outcome(job));
    }

    private static List<Pod> desktops(Simulation simulation, String phase) {
        return simulation.cluster().list(Pod.class).stream()
                .filter(pod -> pod.getMetadata().getName().startsWith("desktop"))
                .filter(pod -> phase.equals(pod.getStatus().getPhase()))
                .toList();
    }

    private static int occurrences(Simulation simulation, String reason) {
        return simulation.cluster().events().stream()
                .filter(event -> event.getReason().equals(reason))
                .mapToInt(MotivationTest::occurrences)
                .sum();
    }

    private static int occurrences(Event event) {
        return Objects.requireNonNullElse(event.getCount(), 1);
    }

    private static boolean isOfAPod(Event event) {
        return event.getInvolvedObject().getKind().equals("Pod");
    }

    private static String outcome(Job job) {
        return job.getStatus().getConditions().stream()
                .filter(condition -> Set.of("Complete", "Failed").contains(condition.getType()))
                .map(condition ->
                        condition.getType().equals("Complete") ? "complete" : "failed: " + condition.getReason())
                .findFirst()
                .orElse("not finished");
    }

    private static JsonNode json(String yaml) {
        return Serialization.unmarshal(yaml, JsonNode.class);
    }

    private static String page(Map<String, Counts> counts) {
        Map<String, Counts> columns = new TreeMap<>(counts).descendingMap();
        return """
                # The motivation of KEP-5963, counted

                `MotivationTest` writes this page; do not edit it.

                [KEP-5963](https://kep.k8s.io/5963) describes what happens without groups: a driver refuses, again and again, to prepare the devices that the
                scheduler has allocated, even for a replacement pod. This page counts these failures in a [simulation](../tools.md#simulate) in virtual time, with
                the rules of kube-scheduler 1.37, and with a Deployment and a Job instead of bare pods.

                One node has A100s that can be MIG devices or vGPUs. A pod with a MIG device holds the first A100 for %1$d minutes. A Deployment `desktop` with 2
                replicas and a Job `render` with 3 completions (one minute each, one after another) request vGPUs; the Job has a deadline of 10 minutes. After %2$d
                minutes, an impatient user deletes those pods of the Deployment that have a node but do not start. The simulation ends after %3$d minutes.

                | | %4$s |
                |---|%5$s|
                | failed preparations (`%6$s`) | %7$s |
                | failed attempts to schedule (`FailedScheduling`) | %8$s |
                | all events of pods, with repetitions | %9$s |
                | pods of the Deployment deleted because they did not start | %10$s |
                | both pods of the Deployment run after | %11$s |
                | the Job | %12$s |

                With two GPUs, the second GPU is free all the time. Without groups, it is not used: the allocator chooses the first device that fits, which is a vGPU
                of the GPU in MIG mode, because the counters have room for it. The replacement of a deleted pod gets the same device again, and the Job reaches its
                deadline. With groups, all pods run at once.

                With one GPU, no other device is free. With and without groups, the pods wait until the pod with the MIG device ends. But with groups, the pods have
                no node: no kubelet tries to start them, they reserve no cpu and memory, impatient users do not delete them, and they would be scheduled as soon as
                another node has room. The deadline of the Job counts in both cases.

                The simulated kubelet tries again after 1 s, 2 s, 4 s and so on up to 60 s. A real kubelet tries again every 60 to 90 s (`syncFrequency`) as long as the
                pod exists, because it does not count a failed preparation as an error: about 12 times in 15 minutes for each pod.
                """.formatted(
                        HELD,
                        IMPATIENCE,
                        END,
                        header(columns),
                        "--:|".repeat(columns.size()).replaceAll("\\|$", ""),
                        CANNOT_PREPARE,
                        row(columns, Counts::preparations),
                        row(columns, Counts::schedulings),
                        row(columns, Counts::events),
                        row(columns, Counts::deleted),
                        row(
                                columns,
                                each -> each.deploymentRuns()
                                        .map(seconds -> seconds + " s")
                                        .orElse("never")),
                        row(columns, Counts::job));
    }

    private static String row(Map<String, Counts> columns, Function<Counts, Object> value) {
        return columns.values().stream().map(value).map(String::valueOf).collect(Collectors.joining(" | "));
    }

    private static String header(Map<String, Counts> columns) {
        return columns.keySet().stream()
                .map(key -> key.replace("2 ", "two GPUs, ").replace("1 ", "one GPU, ") + " groups")
                .collect(Collectors.joining(" | "));
    }
}
