package dev.fakegpu.e2e.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The API server is stopped for a while: the operator waits for it without a crash loop, and continues when it is back. The recovery time
 * is printed and not limited, because other tests may run on the machine.
 */
@Tag("long")
class ApiServerAwayE2E {

    private static final String GPU = "gpu.example.com";
    private static final ControlPlaneOptions OPTIONS = ControlPlaneOptions.withControllerManager();

    /** Longer than the leader's Lease, and longer than the start of a new process. */
    private static final Duration AWAY = Duration.ofSeconds(30);

    private static ControlPlane controlPlane;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(OPTIONS);
    }

    @AfterAll
    static void end() {
        controlPlane.close();
    }

    @Test
    void operatorIsBackSoonAfterTheApiServer() {
        try (var operator = OperatorProcess.start(controlPlane, Map.of());
                var scenario = new ClusterScenario(controlPlane.client(), AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");
            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            scenario.awaitRunning("pod-a");
            await(() -> operator.health("ready") == HttpURLConnection.HTTP_OK);
            var devices = scenario.devices("pod-a");
            int started = starts(operator); // more than one if it lost its Lease on a busy machine

            // When
            controlPlane.killApiServer();
            awaitStarts(operator, started + 1);

            // Then: the leader has ended, because it cannot renew its Lease, and the new process waits
            Awaitility.await().pollInterval(Duration.ofSeconds(1)).during(AWAY).untilAsserted(() -> {
                assertThat(operator.health("live")).isEqualTo(HttpURLConnection.HTTP_OK);
                assertThat(operator.health("ready")).isEqualTo(HttpURLConnection.HTTP_UNAVAILABLE);
            });
            assertThat(starts(operator)).as("no crash loop").isEqualTo(started + 1);

            // When
            var restart = CompletableFuture.runAsync(() -> controlPlane.restart(OPTIONS));
            var back = await(ApiServerAwayE2E::answers);
            var ready = await(() -> operator.health("ready") == HttpURLConnection.HTTP_OK);
            var leads = await(() -> lastStart(operator).contains("this operator is the leader"));
            restart.join();

            // Then
            System.out.printf(
                    "after the API server answered, the operator was ready in %s ms and the leader in %s ms%n",
                    Duration.between(back, ready).toMillis(),
                    Duration.between(back, leads).toMillis());
            scenario.podWithClaim("pod-b", GPU, "mig-1g");
            scenario.awaitRunning("pod-b");
            assertThat(scenario.devices("pod-a")).isEqualTo(devices);
        }
    }

    private static Instant await(Callable<Boolean> condition) {
        Awaitility.await().until(condition);
        return Instant.now();
    }

    private static boolean answers() {
        try {
            return "ok".equals(controlPlane.client().raw("/readyz"));
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    private static void awaitStarts(OperatorProcess operator, int number) {
        Awaitility.await().pollInterval(Duration.ofMillis(200)).until(() -> starts(operator) == number);
    }

    private static int starts(OperatorProcess operator) {
        return operator.log().split("Listening on: ", -1).length - 1;
    }

    private static String lastStart(OperatorProcess operator) {
        String log = operator.log();
        return log.substring(log.lastIndexOf("Listening on: "));
    }
}
