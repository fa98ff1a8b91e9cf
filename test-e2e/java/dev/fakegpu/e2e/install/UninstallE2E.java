package dev.fakegpu.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.CommandLine;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that {@code kubectl delete --ignore-not-found -f deploy/install.yaml} ends and leaves nothing behind, regardless of what the
 * operator does meanwhile, and also while pods run on simulated nodes. The garbage collector needs up to 30 s to notice a new kind, for
 * which the tests wait.
 */
@Tag("long")
class UninstallE2E {

    private static final String INSTALL = "deploy/install.yaml";
    private static final String FINALIZER = "{\"metadata\":{\"finalizers\":[\"fakegpus.fakegpu.dev/finalizer\"]}}";

    private ControlPlane controlPlane;
    private KubernetesClient client;
    private CommandLine commands;
    private Remains remains;

    @BeforeEach
    void install() {
        controlPlane = ControlPlane.start(ControlPlaneOptions.withControllerManager());
        client = controlPlane.client();
        commands = new CommandLine(controlPlane.kubeconfig());
        remains = new Remains(client);
        controlPlane.applyFile(INSTALL);
    }

    @AfterEach
    void end() {
        controlPlane.close();
    }

    @Test
    void nothingIsLeftWithOrWithoutAnOperator() {
        // Given: an operator with the same rights as in the cluster
        var operator = OperatorProcess.start(controlPlane, Map.of());
        try (operator) {
            useDevices();
            remains.awaitGarbageCollector();

            // When
            uninstall();

            // Then
            remains.assertNone();
        }

        // Given: FakeGpus of an earlier version, one of which is being deleted, and an operator that ends before
        // everything else
        controlPlane.applyFile(INSTALL);
        var fakeGpus = new FakeGpuFixture(client);
        createAsEarlierVersions(fakeGpus, "kept");
        createAsEarlierVersions(fakeGpus, "stuck");
        fakeGpus.delete("stuck");
        assertThat(fakeGpus.find("stuck")).isPresent();
        try (var another = OperatorProcess.start(controlPlane, Map.of())) {
            fakeGpus.await(() -> {
                assertThat(fakeGpus.find("stuck")).isEmpty();
                assertThat(fakeGpus.stored("kept").getMetadata().getFinalizers())
                        .isEmpty();
            });
            useDevices();
            another.kill();
        }
        remains.awaitGarbageCollector();

        // When
        uninstall();

        // Then
        remains.assertNone();
    }

    /** Earlier versions added a finalizer to each FakeGpu. */
    private void createAsEarlierVersions(FakeGpuFixture fakeGpus, String name) {
        fakeGpus.create(name, "{driver: earlier.example.com, nodes: {simulated: {count: 1}}, model: L40S}");
        client.resources(FakeGpu.class).withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), FINALIZER);
    }

    /** Lets a pod run on a simulated node, with a claim that holds a device. */
    private void useDevices() {
        var scenario = new ClusterScenario(client, AllocatorName.Companion);
        scenario.apply("example-3.yaml");
        scenario.podWithClaim("pod-a", "gpu.example.com", "mig-1g");
        scenario.awaitRunning("pod-a");
    }

    private void uninstall() {
        commands.kubectl("delete", "--ignore-not-found", "-f", INSTALL, "--timeout", "300s")
                .succeeded();
    }
}
