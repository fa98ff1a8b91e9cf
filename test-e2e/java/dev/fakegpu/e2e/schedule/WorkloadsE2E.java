package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests many pods at once: a rolling update of a Deployment, and more pods that share a claim than the API allows. */
@Tag("long")
class WorkloadsE2E {

    private static final int REPLICAS = 20;

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @AutoClose
    private final ClusterScenario scenario = cluster.scenario(AllocatorName.Companion);

    @BeforeEach
    void begin() {
        scenario.apply("hand-over.yaml"); // 21 devices
    }

    /** There is one device more than there are pods: new pods get the devices that old ones release. */
    @Test
    void deploymentWithATemplateIsRolledOverAndLeavesNothingBehind() {
        // Given
        scenario.createFrom("deployment.yaml", yaml -> yaml);
        awaitRunning(Set.of(), "v1");
        var old = names();

        // When
        cluster.client()
                .apps()
                .deployments()
                .inNamespace(scenario.namespace())
                .withName("workers")
                .edit(deployment -> {
                    deployment.getSpec().getTemplate().getMetadata().getLabels().put("version", "v2");
                    return deployment;
                });

        // Then
        awaitRunning(old, "v2");
        scenario.await(() -> assertThat(scenario.storedClaims()).hasSize(REPLICAS));
        assertThat(scenario.storedClaims()).allSatisfy(claim -> {
            assertThat(Allocations.isAllocated(claim)).isTrue();
            assertThat(claim.getStatus().getReservedFor()).hasSize(1);
        });

        // When
        cluster.client().apps().deployments().inNamespace(scenario.namespace()).delete();

        // Then
        scenario.await(() -> {
            assertThat(scenario.storedPods()).isEmpty();
            assertThat(scenario.storedClaims()).isEmpty();
            assertThat(scenario.storedFakeGpu().getStatus().totals().allocated())
                    .isZero();
        });
    }

    /**
     * Waits until the right number of pods runs, all with this version and none of the others; the allocations must be possible all the
     * time.
     */
    private void awaitRunning(Set<String> others, String version) {
        scenario.await(() -> {
            scenario.assertPossible();
            assertThat(scenario.running()).hasSize(REPLICAS).noneMatch(others::contains);
            assertThat(scenario.storedPods())
                    .extracting(pod -> pod.getMetadata().getLabels().get("version"))
                    .containsOnly(version);
        });
    }

    private Set<String> names() {
        return scenario.storedPods().stream()
                .map(Pod::getMetadata)
                .map(metadata -> metadata.getName())
                .collect(Collectors.toSet());
    }
}
