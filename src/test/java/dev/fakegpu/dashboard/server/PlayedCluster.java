package dev.fakegpu.dashboard.server;

import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/** A simulated cluster with everything that the page can show, for screenshots. Its time only advances when a test advances it. */
final class PlayedCluster {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Simulation simulation = new Simulation(SimulationOptions.DEFAULT);
    final AtomicBoolean connected = new AtomicBoolean(true);

    /** Four A100s with MIG devices and vGPUs, L40S with problems, a shared A100, and custom cards. */
    static PlayedCluster full() {
        var cluster = new PlayedCluster();
        cluster.apply("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: a100}
                spec:
                  nodes: {simulated: {count: 2}}
                  model: A100-SXM4-40GB
                  count: 2
                  partitions: {whole: true, mig: {profiles: [1g.5gb, 2g.10gb, 3g.20gb]}, vgpu: {types: [10C]}}
                """, """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: l40s}
                spec:
                  driver: other.example.com
                  nodes: {simulated: {count: 1}}
                  model: L40S
                  count: 2
                  health: [{devices: {gpus: [0]}, state: XidError, xid: 79}]
                  taints: [{devices: {names: [gpu-1]}, key: example.com/maintenance, value: planned, effect: NoSchedule}]
                """, """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: shared}
                spec:
                  driver: shared.example.com
                  nodes: {simulated: {count: 1}}
                  model: A100-SXM4-40GB
                  sharing: {mode: Memory, memory: {default: 10Gi, validValues: [10Gi, 20Gi, 40Gi]}}
                """);
        cluster.goOn(Duration.ofMinutes(3));
        cluster.mig("ml", "train-small", "1g.5gb");
        cluster.mig("ml", "train-medium", "2g.10gb");
        cluster.goOn(Duration.ofMinutes(5));
        cluster.vgpu("desktops", "workstation-a");
        cluster.vgpu("desktops", "workstation-b");
        cluster.pod("research", "whole-gpu", "gpu.example.com", "device.attributes['gpu.example.com'].type == 'gpu'");
        cluster.pod("ml", "notebook-1", "shared.example.com", "true");
        cluster.pod("ml", "notebook-2", "shared.example.com", "true");
        cluster.goOn(Duration.ofMinutes(2));
        cluster.pod("research", "second-gpu", "gpu.example.com", "device.attributes['gpu.example.com'].type == 'gpu'");
        cluster.goOn(Duration.ofMinutes(1));
        cluster.pod("research", "big-job", "gpu.example.com", "device.attributes['gpu.example.com'].type == 'gpu'");
        cluster.goOn(Duration.ofSeconds(40));
        return cluster;
    }

    /** A machine with GPUs, network cards and CPUs, each with its own driver. */
    static PlayedCluster machine() {
        var cluster = new PlayedCluster();
        String fakeGpu = """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: %s}
                spec: {driver: %s, model: %s, count: %d, topology: {profile: DGX-H100}, nodes: %s}
                """;
        cluster.apply(
                fakeGpu.formatted("dgx", "gpu.nvidia.com", "H100-80GB-HBM3", 8, "{simulated: {count: 1}}"),
                fakeGpu.formatted("cards", "dra.net", "ConnectX-7", 8, "{names: [dgx-node-0]}"),
                fakeGpu.formatted("cpus", "dra.cpu", "XEON-8480C", 2, "{names: [dgx-node-0]}"));
        cluster.goOn(Duration.ofMinutes(1));
        return cluster;
    }

    static PlayedCluster empty() {
        return new PlayedCluster();
    }

    LiveCluster live() {
        return new StoredCluster(simulation.stores(), connected::get);
    }

    /** The time of the simulation, which advances with that of the machine. */
    Clock clock() {
        return Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), START.plus(simulation.elapsed())));
    }

    void mig(String namespace, String name, String profile) {
        pod(namespace, name, "mig.example.com", "device.attributes['gpu.example.com'].profile == '" + profile + "'");
    }

    void vgpu(String namespace, String name) {
        pod(namespace, name, "vgpu.gpu.example.com", "true");
    }

    /** Adds a pod, and a claim of the same name for one device. */
    void pod(String namespace, String name, String deviceClass, String selector) {
        claim(namespace, name, deviceClass, selector);
        podOfClaim(namespace, name);
    }

    void claim(String namespace, String name, String deviceClass, String selector) {
        apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: %s, name: %s}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: %s, selectors: [{cel: {expression: "%s"}}]}}]}}
                """.formatted(namespace, name, deviceClass, selector));
    }

    /** Adds a pod for the claim of the same name. */
    void podOfClaim(String namespace, String name) {
        podOfClaim(namespace, name, "");
    }

    /** Adds a pod of a PodGroup, and a claim of the same name for one GPU. */
    void member(String namespace, String name, String group) {
        claim(namespace, name, "gpu.example.com", "true");
        podOfClaim(namespace, name, "schedulingGroup: {podGroupName: " + group + "}");
    }

    private void podOfClaim(String namespace, String name, String more) {
        apply("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: %1$s, name: %2$s}
                spec:
                  schedulerName: fakegpu-scheduler
                  containers: [{name: main, image: busybox:1}]
                  resourceClaims: [{name: gpu, resourceClaimName: %2$s}]
                  %3$s
                """.formatted(namespace, name, more));
        goOn(Duration.ofSeconds(5));
    }

    void apply(String... documents) {
        for (String document : documents) {
            try {
                simulation.apply(Serialization.yamlMapper().readTree(document));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    void goOn(Duration duration) {
        simulation.pass(duration);
    }
}
