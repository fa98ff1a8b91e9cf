package dev.fakegpu.evidence;

import dev.fakegpu.e2e.support.KubeSchedulerProcess;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A control plane whose API server and scheduler have a feature on or off, without other writers. */
final class Lab implements AutoCloseable {

    private static final String GATE = "DRADeviceCompatibilityGroups";
    private static final String LISTS = "DRAPrioritizedList";
    private static final String WITHOUT_COUNTERS = GATE + "=false,DRAPartitionableDevices=false";
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String WITNESS = "witness.example.com";

    private final ControlPlane controlPlane;
    private final Path program;
    private final String feature;
    private final ControlPlaneOptions options;
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
        return new Lab(program, GATE, false);
    }

    /** Starts with the feature on. */
    static Lab on(Path program) {
        return new Lab(program, GATE, true);
    }

    /** Starts with another feature on. */
    static Lab withShares(Path program) {
        return new Lab(program, "DRAConsumableCapacity", true);
    }

    /**
     * Starts with another feature on.
     *
     * @param program the program kube-scheduler of the version, such as {@code v1.36.3}
     */
    static Lab withLists(Path program, String version) {
        return new Lab(
                program,
                LISTS,
                ControlPlaneOptions.apiServerOnly().version(version).featureGates(LISTS + "=true"),
                true,
                List.of());
    }

    /** Starts without the feature and without the one that it depends on. The gates of this lab cannot be switched. */
    static Lab withoutCounters(Path program) {
        return new Lab(
                program,
                GATE,
                ControlPlaneOptions.apiServerOnly().featureGates(WITHOUT_COUNTERS),
                false,
                List.of("--feature-gates=" + WITHOUT_COUNTERS));
    }

    /** Starts with the feature on, and with ResourcePoolStatusRequests. */
    static Lab withPoolStatus(Path program) {
        return new Lab(
                program,
                GATE,
                ControlPlaneOptions.withControllerManager()
                        .featureGates(GATE + "=true,DRAResourcePoolStatus=true,DRAPartitionableDevicesType=true"),
                true,
                List.of());
    }

    private Lab(Path program, String feature, boolean on) {
        this(program, feature, ControlPlaneOptions.apiServerOnly().featureGates(feature + "=" + on), on, List.of());
    }

    private Lab(Path program, String feature, ControlPlaneOptions options, boolean on, List<String> schedulerFlags) {
        this.program = program;
        this.feature = feature;
        this.options = options;
        onServer = on;
        onScheduler = on;
        controlPlane = ControlPlane.start(options);
        try {
            for (String driver : List.of(Hardware.GPU, Hardware.DEVICE, SharedNic.DRIVER, WITNESS)) {
                apply(Manifests.deviceClass(driver));
            }
            startScheduler(schedulerFlags);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    KubernetesClient client() {
        return controlPlane.client();
    }

    String gates() {
        return feature + ": " + (onServer ? "on" : "off") + " in kube-apiserver, " + (onScheduler ? "on" : "off")
                + " in kube-scheduler";
    }

    /** Restarts the components whose setting changes. The scheduler knows all stored objects before it schedules the first pod. */
    void gates(boolean server, boolean ofScheduler, Experiment... running) {
        stopScheduler();
        if (server != onServer) {
            controlPlane.restart(options.featureGates(gate(server)));
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

    private String gate(boolean on) {
        return feature + "=" + on;
    }

    /** Kills the API server and starts it again after a while. kube-scheduler keeps running. */
    void withoutApiServer(Duration time) {
        controlPlane.killApiServer();
        pass(time);
        controlPlane.restart(options.featureGates(gate(onServer)));
    }

    /** Stops etcd and continues it after a while. The other programs keep running. */
    void withoutEtcd(Duration time) {
        signalEtcd("STOP");
        try {
            pass(time);
        } finally {
            signalEtcd("CONT");
        }
    }

    /** {@code hack/control-plane} writes the process ID and the start time to a file beside the kubeconfig. */
    private void signalEtcd(String signal) {
        try {
            String etcd = Files.readString(controlPlane.kubeconfig().resolveSibling("etcd.pid"));
            new ProcessBuilder("kill", "-" + signal, etcd.split(" ", 2)[0])
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pass(Duration time) {
        Awaitility.await().pollDelay(time).atMost(time.plus(PATIENCE)).until(() -> true);
    }

    boolean schedulerRuns() {
        return scheduler != null
                && ProcessHandle.of(scheduler.pid()).map(ProcessHandle::isAlive).orElse(false);
    }

    // --- objects

    Experiment begin(Published hardware) {
        return begin(hardware, 1);
    }

    Experiment begin(Published hardware, int nodes) {
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
