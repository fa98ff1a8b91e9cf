package dev.fakegpu.e2e.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.e2e.support.OperatorProcess;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The objects of {@code test-e2e/hostile}, those of a tenant created with {@code edit} rights in one namespace and the others by an
 * administrator. An ordinary pod of another namespace gets its device all the same, and the operator stays healthy.
 */
class HostileObjectsE2E {

    private static final Logger LOG = Logger.getLogger(HostileObjectsE2E.class);

    /** Slow selectors of others take their turns, each up to the companion's time limit of 10 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String TENANTS =
            "{driver: tenant.example.com, nodes: {simulated: {count: 1}}, model: L40S, count: 8}";

    private static final List<String> PARAMETERS = List.of(
            "parameters-key-before-kind",
            "parameters-known-kind-wrong-shape",
            "parameters-unescaped-characters",
            "parameters-white-space",
            "parameters-nested-4000-deep",
            "parameters-10-kib");

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withControllerManager().withoutOperator();

    private final KubernetesClient client = cluster.client();
    private final List<Duration> times = new ArrayList<>();

    @Test
    @Tag("manual")
    void othersRunWithAllOfThemStoredAlsoAfterARestart() {
        OperatorProcess operator = cluster.startOperator(Map.of());
        try (var fakeGpus = new FakeGpuFixture(client);
                var tenant = new Tenant(cluster.controlPlane());
                var scenario = new ClusterScenario(client, AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");
            fakeGpus.create("tenants", TENANTS);
            fakeGpus.awaitReady("tenants");
            assertThat(HostileObject.all()).hasSizeGreaterThanOrEqualTo(60);

            // When
            HostileObject.all().forEach(tenant::create);

            // Then
            for (int i = 0; i < 3; i++) {
                runsAPod(scenario, "with-all-" + i);
            }
            operator.assertHealthy();

            // When
            operator.kill();
            operator = cluster.startOperator(Map.of());

            // Then
            runsAPod(scenario, "after-restart");
            operator.assertHealthy();
            assertThat(operator.log()).doesNotContain("2026-01-01 ERROR forged\n");
            report("all objects at once");
            assertThat(tenant.rejected()).isEmpty();
        } finally {
            operator.close();
        }
    }

    @Test
    @Tag("manual")
    void othersRunAfterEachOfThem() {
        try (var operator = cluster.startOperator(Map.of());
                var fakeGpus = new FakeGpuFixture(client);
                var tenant = new Tenant(cluster.controlPlane());
                var scenario = new ClusterScenario(client, AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");
            fakeGpus.create("tenants", TENANTS);
            fakeGpus.awaitReady("tenants");

            // Then
            for (HostileObject object : HostileObject.all()) {
                tenant.create(object);
                runsAPod(scenario, "after");
                operator.assertHealthy();
            }
            report("one object after the other");
            assertThat(tenant.rejected()).isEmpty();
        }
    }

    /** Vendors' own configuration is written like this, and pods with it have to run. */
    @Test
    void podsWhoseParametersAreForAnotherDriverRun() {
        OperatorProcess operator = cluster.startOperator(Map.of());
        try (var scenario = new ClusterScenario(client, AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");

            for (String name : PARAMETERS) {
                // When
                HostileObject object = HostileObject.named(name);
                String json = object.json()
                        .replace(",\"labels\":{\"fakegpu.dev/allocate\":\"true\"}", "")
                        .replace(
                                "\"deviceClassName\":\"tenant.example.com\"",
                                "\"deviceClassName\":\"gpu.example.com\"");
                client.raw(object.path(scenario.namespace()), "POST", json);
                scenario.pod(name, name);

                // Then
                scenario.awaitRunning(name);
                scenario.deletePod(name);
                scenario.await(() -> assertThat(scenario.devices(name)).isEmpty());
            }
        } finally {
            operator.close();
        }
    }

    private void runsAPod(ClusterScenario scenario, String name) {
        long begin = System.nanoTime();
        scenario.podWithClaim(name, "gpu.example.com", "mig-1g");
        scenario.awaitRunning(name);
        var taken = Duration.ofNanos(System.nanoTime() - begin);
        times.add(taken);
        assertThat(taken).as("time until pod %s runs", name).isLessThan(PATIENCE);
        scenario.clear();
    }

    private void report(String what) {
        Collections.sort(times);
        LOG.infof(
                "%s: %d ordinary pods ran after p50 %d ms, at most %d ms",
                what,
                times.size(),
                times.get(times.size() / 2).toMillis(),
                times.get(times.size() - 1).toMillis());
    }
}
