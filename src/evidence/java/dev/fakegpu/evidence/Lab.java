package dev.fakegpu.evidence;

import dev.fakegpu.e2e.support.KubeSchedulerProcess;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A control plane whose API server and scheduler have the feature on or off, without other writers. */
final class Lab implements AutoCloseable {

    private static final String GATE = "DRADeviceCompatibilityGroups";
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String WITNESS = "witness.example.com";

    private final ControlPlane controlPlane;
    private final Path program;
    private boolean onServer;
    private boolean onScheduler;
    private @Nullable KubeSchedulerProcess scheduler;
    private int experiments;
    private int witnesses;

    /**
     * Starts with the feature off.
     *
     * @param program the program kube-scheduler
     */
    static Lab off(Path program) {
        return new Lab(program, ControlPlaneOptions.apiServerOnly().featureGates(gate(false)), false);
    }

    /** Starts with the feature on. */
    static Lab on(Path program) {
        return new Lab(program, ControlPlaneOptions.apiServerOnly().featureGates(gate(true)), true);
    }

    /** Starts with the feature on, and with ResourcePoolStatusRequests. */
    static Lab withPoolStatus(Path program) {
        return new Lab(
                program,
                ControlPlaneOptions.withControllerManager()
                        .featureGates(gate(true) + ",DRAResourcePoolStatus=true,DRAPartitionableDevicesType=true"),
                true);
    }

    private Lab(Path program, ControlPlaneOptions options, boolean on) {
        this.program = program;
        onServer = on;
        onScheduler = on;
        controlPlane = ControlPlane.start(options);
        try {
            for (String driver : List.of(Hardware.GPU, Hardware.DEVICE, WITNESS)) {
                apply(Manifests.deviceClass(driver));
            }
            startScheduler(List.of());
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    KubernetesClient client() {
        return controlPlane.client();
    }

    String gates() {
        return GATE + ": " + (onServer ? "on" : "off") + " in kube-apiserver, " + (onScheduler ? "on" : "off")
                + " in kube-scheduler";
    }

    /** Restarts the components whose setting changes. The scheduler knows all stored objects before it schedules the first pod. */
    void gates(boolean server, boolean ofScheduler, Experiment... running) {
        stopScheduler();
        if (server != onServer) {
            controlPlane.restart(ControlPlaneOptions.apiServerOnly().featureGates(gate(server)));
        }
        onServer = server;
        onScheduler = ofScheduler;
        startScheduler(List.of());
        for (Experiment each : running) {
            each.note(gates());
        }
    }

    KubeSchedulerProcess restartScheduler(boolean on, List<String> flags) {
        stopScheduler();
        onScheduler = on;
        return startScheduler(flags);
    }

    private KubeSchedulerProcess startScheduler(List<String> flags) {
        var all = new ArrayList<>(List.of("--feature-gates=" + gate(onScheduler)));
        all.addAll(flags);
        var started = KubeSchedulerProcess.start(program, controlPlane, all);
        scheduler = started;
        return started;
    }

    private void stopScheduler() {
        if (scheduler != null) {
            scheduler.close();
            scheduler = null;
        }
    }

    private static String gate(boolean on) {
        return GATE + "=" + on;
    }

    // --- objects

    Experiment begin(Hardware hardware) {
        return begin(hardware, 1);
    }

    Experiment begin(Hardware hardware, int nodes) {
        return new Experiment(this, "run-" + ++experiments, hardware, nodes);
    }

    GenericKubernetesResource apply(String yaml) {
        return client().resource(parse(yaml))
                .fieldManager("evidence")
                .forceConflicts()
                .serverSideApply();
    }

    /** @return the object that the API server would store */
    GenericKubernetesResource dryRun(String yaml) {
        return client().resource(parse(yaml)).dryRun().create();
    }

    private GenericKubernetesResource parse(String yaml) {
        return client().getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
    }

    /**
     * Waits until the scheduler knows all stored slices: it sees them in the order in which they were stored, so the method waits until it
     * allocates the device of a later slice.
     */
    void settle(String node) {
        String name = "witness-" + ++witnesses;
        apply(Manifests.witnessSlice(name, node, WITNESS));
        apply(Manifests.claim("default", name, WITNESS));
        apply(Manifests.pod("default", name, node));
        await("the scheduler to know what was stored before " + name, () -> isBound("default", name));
    }

    Pod pod(String namespace, String name) {
        return client().pods().inNamespace(namespace).withName(name).require();
    }

    boolean isBound(String namespace, String pod) {
        return pod(namespace, pod).getSpec().getNodeName() != null;
    }

    /** The reason why a pod waits. */
    Optional<String> refusal(String namespace, String pod) {
        return pod(namespace, pod).getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("PodScheduled")
                        && condition.getStatus().equals("False"))
                .map(condition -> condition.getMessage())
                .findFirst();
    }

    static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(100))
                .until(condition);
    }

    @Override
    public void close() {
        stopScheduler();
        controlPlane.close();
    }
}
