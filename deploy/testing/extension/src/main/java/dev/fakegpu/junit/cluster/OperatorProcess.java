package dev.fakegpu.junit.cluster;

import dev.fakegpu.junit.cluster.TetheredProcess.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The operator as a process beside a control plane, with an administrator's rights. */
final class OperatorProcess implements OperatorRun {

    /** In which it releases its Lease, so that the next one need not wait. */
    private static final Duration GRACE_IN_GIVEN_CLUSTER = Duration.ofSeconds(20);

    private final TetheredProcess process;

    private OperatorProcess(TetheredProcess process) {
        this.process = process;
    }

    /**
     * Starts it; it works as soon as the API server does.
     *
     * @param log where it writes what it says
     */
    static OperatorProcess start(
            OperatorProgram program, Kubernetes kubernetes, Map<String, String> settings, Path log) {
        var environment = new HashMap<>(settings);
        environment.put("KUBECONFIG", kubernetes.kubeconfig().toString());
        Duration grace = kubernetes.isOwn() ? Duration.ZERO : GRACE_IN_GIVEN_CLUSTER;
        return new OperatorProcess(TetheredProcess.start(
                "fakegpu-operator", log, new Command(program.command(), environment, program.home(), grace)));
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public String log() {
        return process.log();
    }

    @Override
    public String lastWords() {
        return process.lastWords();
    }

    @Override
    public void close() {
        process.close();
    }
}
