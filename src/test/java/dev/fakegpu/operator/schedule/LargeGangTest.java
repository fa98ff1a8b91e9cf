package dev.fakegpu.operator.schedule;

import static dev.fakegpu.operator.schedule.MemoryCompanion.claim;
import static dev.fakegpu.operator.schedule.MemoryCompanion.create;
import static dev.fakegpu.operator.schedule.MemoryCompanion.deviceClass;
import static dev.fakegpu.operator.schedule.MemoryCompanion.gang;
import static dev.fakegpu.operator.schedule.MemoryCompanion.pod;
import static dev.fakegpu.operator.schedule.MemoryCompanion.readyNode;
import static dev.fakegpu.operator.schedule.MemoryCompanion.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.util.ThreadCpuTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * A gang of 1,000 pods on 250 nodes with four GPUs each, from its objects to the writes. Prints the processor time, but does not check it.
 */
class LargeGangTest {

    private static final int NODES = 250;
    private static final int PODS = 1_000;

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final SteppedCompanion companion =
            MemoryCompanion.of(cluster, cluster, time, MemoryCompanion.OPTIONS).buildStepped();

    private double decisions;
    private double writes;

    private void cluster(int minCount) {
        create(cluster, deviceClass("gpu", "device.driver == 'gpu.example.com'"), gang("ring", minCount));
        for (int node = 0; node < NODES; node++) {
            String name = "n" + node;
            create(cluster, readyNode(name, 64), slice(name, "gpu.example.com", "gpu-0", "gpu-1", "gpu-2", "gpu-3"));
        }
        for (int pod = 0; pod < PODS; pod++) {
            member("worker-" + pod);
        }
    }

    private void member(String name) {
        create(cluster, claim(name, "gpu", 1), pod(name, "schedulingGroup: {podGroupName: ring}"));
    }

    /** Runs the companion, and adds up the processor time in milliseconds. */
    private void run() {
        decisions = 0;
        writes = 0;
        for (boolean works = true; works; ) {
            long begun = ThreadCpuTime.nanos();
            works = companion.runUntilIdle();
            long decided = ThreadCpuTime.nanos();
            works |= time.runDue();
            decisions += (decided - begun) / 1e6;
            writes += (ThreadCpuTime.nanos() - decided) / 1e6;
        }
    }

    private long bound() {
        return cluster.list(Pod.class).stream().filter(PodState::isBound).count();
    }

    @Test
    void allPodsOfALargeGangGetTheirDevices() {
        cluster(PODS);
        run();

        System.out.printf(
                "LargeGangTest: %,d pods on %d nodes: placed in %.0f ms, and written to memory in %.0f ms of processor time%n",
                PODS, NODES, decisions, writes);
        assertThat(bound()).isEqualTo(PODS);
        assertThat(cluster.list(ResourceClaim.class)).allMatch(Allocations::isAllocated);
    }

    @Test
    void aGangThatIsTooLargeByOnePodGetsNothing() {
        cluster(PODS + 1);
        member("one-more");
        run();

        System.out.printf(
                "LargeGangTest: %,d pods on %d nodes: refused in %.0f ms, and written to memory in %.0f ms of processor time%n",
                PODS + 1, NODES, decisions, writes);
        assertThat(bound()).isZero();
        assertThat(cluster.list(ResourceClaim.class)).noneMatch(Allocations::isAllocated);
    }
}
