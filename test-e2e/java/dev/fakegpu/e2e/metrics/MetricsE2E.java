package dev.fakegpu.e2e.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.DocumentedMetrics;
import dev.fakegpu.testing.Promlint;
import dev.fakegpu.testing.Scrape;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the metrics of a running operator against their documentation and Prometheus' conventions. */
class MetricsE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withSchedulerAndControllerManager().withoutOperator();

    private static OperatorProcess operator;

    @BeforeAll
    static void start() {
        operator = cluster.startOperator(Map.of("FAKEGPU_EXPLANATIONS_NAMES", "Full"));
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    @Test
    void refusedPodsAreCountedOnceHoweverOftenTheyAreTried() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given: three pods hold all devices
            scenario.apply("example-1.yaml");
            Scrape before = scrape();
            for (String name : List.of("first", "second", "third")) {
                scenario.podWithClaim(name, GPU, "mig-1g");
                scenario.awaitRunning(name);
            }

            // When: five pods wait, one of them gets a device, and the others are tried again
            List<String> waiting = List.of("waits-0", "waits-1", "waits-2", "waits-3", "waits-4");
            waiting.forEach(name -> scenario.podWithClaim(name, GPU, "mig-1g"));
            scenario.await(
                    () -> assertThat(scrape().sum("fakegpu_companion_unschedulable", Map.of("reason", "DevicesInUse")))
                            .isEqualTo(5));
            scenario.deletePod("first");

            // Then
            scenario.await(() -> {
                Scrape now = scrape();
                assertThat(now.sum("fakegpu_companion_unschedulable", Map.of("reason", "DevicesInUse")))
                        .isEqualTo(4);
                assertThat(increase(before, now, "fakegpu_companion_allocations_total", Map.of()))
                        .isEqualTo(4);
                assertThat(increase(before, now, "fakegpu_companion_refusals_total", Map.of("reason", "DevicesInUse")))
                        .isEqualTo(5);
                assertThat(increase(
                                before,
                                now,
                                "fakegpu_driver_calls_total",
                                Map.of("operation", "prepare", "outcome", "succeeded")))
                        .isEqualTo(4);
            });
            assertIsDocumented(operator.metrics());
        }
    }

    @Test
    void errorsAndLostGpusAreSeenAsByDcgmExporter() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given: a MIG device of one of two GPUs is held
            scenario.apply("dcgm.yaml");
            scenario.claim("trainer", "mig.example.com");
            scenario.pod("trainer", "trainer");
            scenario.awaitRunning("trainer");
            scenario.await(() -> assertThat(dcgm().samples("DCGM_FI_DEV_GPU_UTIL"))
                    .anySatisfy(sample -> {
                        assertThat(sample.value()).isEqualTo(80);
                        assertThat(sample.labels())
                                .containsEntry("pod", "trainer")
                                .containsEntry("namespace", scenario.namespace())
                                .containsEntry("GPU_I_PROFILE", "1g.5gb")
                                .containsKeys("GPU_I_ID", "UUID", "pci_bus_id", "device", "modelName", "Hostname");
                    })
                    .anySatisfy(sample -> {
                        assertThat(sample.value()).isZero();
                        assertThat(sample.labels()).doesNotContainKeys("pod", "GPU_I_PROFILE");
                    })
                    .hasSize(2));
            // The devices are counted at most once per second.
            scenario.await(() -> assertThat(scrape().sum("fakegpu_gpus", Map.of("mode", "mig")))
                    .isEqualTo(1));

            // When
            scenario.patch("{\"spec\":{\"health\":[{\"state\":\"XidError\",\"xid\":48,\"devices\":{\"gpus\":[1]}}]}}");

            // Then
            scenario.await(() -> assertThat(dcgm().sum("DCGM_FI_DEV_XID_ERRORS", Map.of("gpu", "1")))
                    .isEqualTo(48));
            scenario.await(() -> assertThat(scrape().sum("fakegpu_devices", Map.of("state", "unhealthy")))
                    .isPositive());

            // When
            scenario.patch("{\"spec\":{\"health\":[{\"state\":\"GpuLost\",\"devices\":{\"gpus\":[1]}}]}}");

            // Then: no other fields of it can be read
            scenario.await(() -> {
                Scrape now = dcgm();
                assertThat(now.sum("DCGM_FI_DEV_XID_ERRORS", Map.of("gpu", "1")))
                        .isEqualTo(79);
                assertThat(now.samples("DCGM_FI_DEV_GPU_UTIL"))
                        .allSatisfy(sample -> assertThat(sample.labels()).containsEntry("gpu", "0"));
            });
            assertThat(dcgm().families().keySet())
                    .isEqualTo(DocumentedMetrics.of("DCGM_").keySet());
        }
    }

    private static Scrape dcgm() {
        return new Scrape(operator.dcgmMetrics());
    }

    private static double increase(Scrape before, Scrape now, String name, Map<String, String> labels) {
        return now.sum(name, labels) - before.sum(name, labels);
    }

    private static void assertIsDocumented(String text) {
        String own = text.lines()
                .filter(line -> line.matches("(# (HELP|TYPE) )?fakegpu_.*"))
                .collect(Collectors.joining("\n", "", "\n"));
        assertThat(new Scrape(own).families()).isEqualTo(DocumentedMetrics.of("fakegpu_"));
        assertThat(Promlint.problems(own)).isEmpty();
    }

    private static Scrape scrape() {
        return new Scrape(operator.metrics());
    }
}
