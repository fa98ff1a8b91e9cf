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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests the objects of {@code test-e2e/hostile}: those of a tenant are created with {@code edit} rights in one namespace, and the others by
 * an administrator. An ordinary pod of another namespace must still get its device, and the operator must stay healthy.
 *
 * <p>{@code -Dhostile.group=1} creates a pod after each of the objects, and {@code -Dhostile.objects} is a regular expression for the names
 * of the objects. Times are logged but not limited, because other tests may run on the machine.
 */
class HostileObjectsE2E {

    /** The number of objects after which the next ordinary pod is created. */
    private static final int GROUP = Integer.getInteger("hostile.group", 5);

    /** Has enough devices: otherwise claims could be refused because all devices are held, without evaluating their selectors. */
    static final String TENANTS =
            "{driver: tenant.example.com, nodes: {simulated: {count: 1}}, model: L40S, count: 64}";

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
    private final List<PodStart> starts = new ArrayList<>();

    private record PodStart(String after, Duration taken) {}

    @Test
    @Tag("long")
    void otherPodsRunBesideAllHostileObjects() {
        OperatorProcess operator = cluster.startOperator(Map.of());
        try (var fakeGpus = new FakeGpuFixture(client);
                var tenant = new Tenant(cluster.controlPlane());
                var scenario = new ClusterScenario(client, AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");
            fakeGpus.create("tenants", TENANTS);
            fakeGpus.awaitReady("tenants");

            // When
            HostileObject.all().forEach(tenant::create);

            // Then
            for (int i = 0; i < 2; i++) {
                runsAPod(scenario, "all of them");
            }
            operator.assertHealthy();

            // When
            operator.kill();
            operator = cluster.startOperator(Map.of());

            // Then
            runsAPod(scenario, "a restart");
            operator.assertHealthy();
            assertThat(operator.log()).doesNotContain("2026-01-01 ERROR forged\n");
            report("all objects at once");
            assertThat(tenant.rejected()).isEmpty();
        } finally {
            operator.close();
        }
    }

    @Test
    @Tag("long")
    void otherPodsRunAfterEachGroupOfHostileObjects() {
        try (var operator = cluster.startOperator(Map.of());
                var fakeGpus = new FakeGpuFixture(client);
                var tenant = new Tenant(cluster.controlPlane());
                var scenario = new ClusterScenario(client, AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");
            fakeGpus.create("tenants", TENANTS);
            fakeGpus.awaitReady("tenants");

            // Then
            List<HostileObject> objects = HostileObject.all();
            for (int i = 0; i < objects.size(); i += GROUP) {
                var group = objects.subList(i, Math.min(i + GROUP, objects.size()));
                group.forEach(tenant::create);
                runsAPod(scenario, group.stream().map(HostileObject::name).collect(Collectors.joining(", ")));
                operator.assertHealthy();
            }
            report("%d objects, %d at a time".formatted(objects.size(), GROUP));
            assertThat(tenant.rejected()).isEmpty();
        }
    }

    /** Vendors' own configuration is written like this, and pods that use it must run. */
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

    private void runsAPod(ClusterScenario scenario, String after) {
        long begin = System.nanoTime();
        scenario.podWithClaim("ordinary", "gpu.example.com", "mig-1g");
        scenario.awaitRunning("ordinary");
        starts.add(new PodStart(after, Duration.ofNanos(System.nanoTime() - begin)));
        scenario.clear();
    }

    private void report(String what) {
        starts.sort(Comparator.comparing(PodStart::taken));
        PodStart slowest = starts.get(starts.size() - 1);
        System.out.printf(
                "%s: %d ordinary pods ran after p50 %d ms, at most %d ms (after %s)%n",
                what,
                starts.size(),
                starts.get(starts.size() / 2).taken().toMillis(),
                slowest.taken().toMillis(),
                slowest.after());
    }
}
