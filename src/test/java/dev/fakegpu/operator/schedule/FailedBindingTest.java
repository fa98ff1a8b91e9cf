package dev.fakegpu.operator.schedule;

import static dev.fakegpu.operator.schedule.MemoryCompanion.claim;
import static dev.fakegpu.operator.schedule.MemoryCompanion.create;
import static dev.fakegpu.operator.schedule.MemoryCompanion.deviceClass;
import static dev.fakegpu.operator.schedule.MemoryCompanion.gang;
import static dev.fakegpu.operator.schedule.MemoryCompanion.readyNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests two pods that share a claim for the only device, which does not become ready. */
class FailedBindingTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final SteppedCompanion companion =
            MemoryCompanion.of(cluster, cluster, time, MemoryCompanion.OPTIONS).buildStepped();

    /** Otherwise the same device would be allocated immediately, and fail again. */
    @ParameterizedTest
    @ValueSource(strings = {"", "schedulingGroup: {podGroupName: ring}"})
    void podsThatShareAClaimBackOffTogether(String spec) {
        create(
                cluster,
                deviceClass("gpu", "true"),
                readyNode("n0", 16),
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: n0}
                spec:
                  driver: gpu.example.com
                  nodeName: n0
                  pool: {name: n0, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0, bindingConditions: [ready], bindingFailureConditions: [broken]}]
                """,
                gang("ring", 2),
                claim("both", "gpu", 1),
                pod("a", spec),
                pod("b", spec));
        settle();
        assertThat(stored().getStatus().getReservedFor()).hasSize(2);
        assertThat(stored()).matches(Allocations::isAllocated);

        fail();
        settle();
        assertThat(stored()).matches(claim -> !Allocations.isAllocated(claim));
        pass(Duration.ofMillis(900));
        assertThat(stored()).matches(claim -> !Allocations.isAllocated(claim));

        pass(Duration.ofMillis(200));
        assertThat(stored().getStatus().getReservedFor()).hasSize(2);
        fail();
        pass(Duration.ofMillis(1_900));
        assertThat(stored()).matches(claim -> !Allocations.isAllocated(claim));
        pass(Duration.ofMillis(200));
        assertThat(stored()).matches(Allocations::isAllocated);
    }

    private static String pod(String name, String spec) {
        return MemoryCompanion.pod(name, spec).replace("resourceClaimName: " + name, "resourceClaimName: both");
    }

    private void fail() {
        cluster.updateStatus(
                stored(),
                new ResourceClaimBuilder(stored())
                        .editStatus()
                        .editFirstDevice()
                        .withConditions(new ConditionBuilder()
                                .withType("broken")
                                .withStatus("True")
                                .build())
                        .endDevice()
                        .endStatus()
                        .build());
    }

    private ResourceClaim stored() {
        return cluster.stores().claims().get("default", "both").orElseThrow();
    }

    private void pass(Duration duration) {
        settle();
        time.moveTo(time.instant().plus(duration));
        settle();
    }

    private void settle() {
        boolean works = true;
        while (works) {
            works = companion.runUntilIdle() | time.runDue();
        }
    }
}
