package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.util.ThreadCpuTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A gang of 1,000 pods on 250 nodes with four GPUs each, from its objects to what is written; prints the processor time, which it does not judge. */
class LargeGangTest {

    private static final int NODES = 250;
    private static final int PODS = 1_000;

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final SteppedCompanion companion =
            MemoryCompanion.of(cluster, cluster, time, MemoryCompanion.OPTIONS).buildStepped();

    private double decisions;
    private double writes;

    private void create(String yaml) {
        ClusterYaml.objects(yaml).forEach(cluster::create);
    }

    private void cluster(int minCount) {
        create("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu}
                spec: {selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]}
                ---
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {namespace: default, name: ring}
                spec: {schedulingPolicy: {gang: {minCount: %d}}}
                """.formatted(minCount));
        for (int node = 0; node < NODES; node++) {
            create("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: n%1$d}
                    status: {allocatable: {cpu: "64", pods: "110"}, conditions: [{type: Ready, status: "True"}]}
                    ---
                    apiVersion: resource.k8s.io/v1
                    kind: ResourceSlice
                    metadata: {name: n%1$d}
                    spec:
                      driver: gpu.example.com
                      nodeName: n%1$d
                      pool: {name: n%1$d, generation: 1, resourceSliceCount: 1}
                      devices: [{name: gpu-0}, {name: gpu-1}, {name: gpu-2}, {name: gpu-3}]
                    """.formatted(node));
        }
        for (int pod = 0; pod < PODS; pod++) {
            pod("worker-" + pod);
        }
    }

    private void pod(String name) {
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: default, name: %1$s}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: default, name: %1$s}
                spec:
                  schedulerName: fakegpu-scheduler
                  schedulingGroup: {podGroupName: ring}
                  containers: [{name: main, image: app, resources: {claims: [{name: gpu}], requests: {cpu: "1"}}}]
                  resourceClaims: [{name: gpu, resourceClaimName: %1$s}]
                """.formatted(name));
    }

    /** Milliseconds of processor time. */
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
        pod("one-more");
        run();

        System.out.printf(
                "LargeGangTest: %,d pods on %d nodes: refused in %.0f ms, and written to memory in %.0f ms of processor time%n",
                PODS + 1, NODES, decisions, writes);
        assertThat(bound()).isZero();
        assertThat(cluster.list(ResourceClaim.class)).noneMatch(Allocations::isAllocated);
    }
}
