package dev.fakegpu.junit.cluster;

import dev.fakegpu.junit.cluster.TetheredProcess.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The operator as a process next to a control plane, with administrator access. It is restarted whenever it has lost its Lease, as by the
 * kubelet; it can lose the Lease if the machine stalls for ten seconds.
 */
final class OperatorProcess implements OperatorRun {

    /** Enough time to release its Lease, so that the next operator need not wait. */
    private static final Duration GRACE_IN_GIVEN_CLUSTER = Duration.ofSeconds(20);

    private static final Pattern LOST_LEASE = Pattern.compile("this operator is no longer the leader and exits");

    private final Command command;
    private final Path log;
    private TetheredProcess process;
    private long losses;
    private boolean isClosed;

    OperatorProcess(Command command, Path log) {
        this.command = command;
        this.log = log;
        start();
    }

    private void start() {
        process = TetheredProcess.start("fakegpu-operator", log, command);
        process.onEnd(this::isAlive); // this call restarts it
    }

    /**
     * Starts the operator, which works as soon as the API server does.
     *
     * @param log the file for its output
     */
    static OperatorProcess start(
            OperatorProgram program, Kubernetes kubernetes, Map<String, String> settings, Path log) {
        var environment = new HashMap<>(settings);
        environment.put("KUBECONFIG", kubernetes.kubeconfig().toString());
        Duration grace = kubernetes.isOwn() ? Duration.ZERO : GRACE_IN_GIVEN_CLUSTER;
        return new OperatorProcess(new Command(program.command(), environment, program.home(), grace), log);
    }

    @Override
    public synchronized boolean isAlive() {
        if (!process.isAlive() && !isClosed && hasLostLease()) {
            start();
        }
        return process.isAlive();
    }

    /** Whether it ended for this reason. */
    private boolean hasLostLease() {
        long before = losses;
        losses = LOST_LEASE.matcher(process.log()).results().count();
        return losses > before;
    }

    @Override
    public synchronized String log() {
        return process.log();
    }

    @Override
    public synchronized String lastWords() {
        return process.lastWords();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        process.close();
    }
}
