package dev.fakegpu.cli;

import io.quarkus.runtime.Quarkus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code fakegpu operator}: publisher, companion and simulated kubelet in one process, until it is stopped. */
@Command(
        name = "operator",
        mixinStandardHelpOptions = true,
        description = {
            "Run the operator against the cluster of the current kubeconfig, or of the pod it runs in.",
            "Settings are environment variables: FAKEGPU_COMPANION_GATE (On, Off, Unaware), FAKEGPU_COMPANION_GROUP_POLICY"
                    + " (Snapshot, Live), FAKEGPU_NAMESPACE (of the Lease and of the ConfigMap fakegpu-operator, which wins over"
                    + " the environment; default fakegpu-system), FAKEGPU_IDENTITY (unique among operators; default random),"
                    + " QUARKUS_HTTP_PORT (health and metrics; default 8080)."
        })
final class OperatorCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        Quarkus.run();
        return 0;
    }
}
