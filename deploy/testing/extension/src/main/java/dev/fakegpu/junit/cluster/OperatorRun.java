package dev.fakegpu.junit.cluster;

import dev.fakegpu.junit.cluster.TetheredProcess.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The operator as a process beside a control plane, with an administrator's rights. */
final class OperatorRun implements AutoCloseable {

    /** In which it releases its Lease, so that the next one need not wait. */
    private static final Duration GRACE_IN_GIVEN_CLUSTER = Duration.ofSeconds(20);

    private final TetheredProcess process;

    private OperatorRun(TetheredProcess process) {
        this.process = process;
    }

    /**
     * Starts it; it works as soon as the API server does.
     *
     * @param log where it writes what it says
     */
    static OperatorRun start(OperatorProgram program, Kubernetes kubernetes, Map<String, String> settings, Path log) {
        var environment = new HashMap<String, String>();
        environment.put("KUBECONFIG", kubernetes.kubeconfig().toString());
        environment.put("QUARKUS_HTTP_PORT", "0");
        environment.put("QUARKUS_HTTP_HOST", "127.0.0.1");
        environment.put("FAKEGPU_EXPLANATIONS_NAMES", "Full"); // whoever tests may know everything
        environment.putAll(settings);
        Duration grace = kubernetes.isOwn() ? Duration.ZERO : GRACE_IN_GIVEN_CLUSTER;
        return new OperatorRun(TetheredProcess.start(
                "fakegpu-operator", log, new Command(program.command(), environment, program.home(), grace)));
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String log() {
        return process.log();
    }

    String lastWords() {
        return process.lastWords();
    }

    @Override
    public void close() {
        process.close();
    }
}
