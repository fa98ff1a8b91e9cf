package dev.fakegpu.cli;

import io.quarkus.runtime.Quarkus;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fakegpu operator}: runs publisher, companion and simulated kubelet in one process until it is stopped. */
@Command(
        name = "operator",
        mixinStandardHelpOptions = true,
        description = {
            "Run the operator: publish FakeGpus, allocate their devices (companion) and run the pods of simulated nodes.",
            "Needs a cluster that serves resource.k8s.io/v1 and has the FakeGpu CRD, and the permissions in config/rbac. It uses the"
                    + " cluster of the current kubeconfig, or, in a pod, the cluster of the pod."
        },
        footerHeading = "%nEnvironment variables, read at the start (with defaults):%n",
        footer = {
            "  FAKEGPU_NAMESPACE (fakegpu-system)",
            "      namespace of the Lease and of the ConfigMap fakegpu-operator; its entries",
            "      companion.gate, companion.groupPolicy, companion.mixins and companion.preemption",
            "      override the environment, and companion.unsupported says what the companion does about",
            "      pods with fields that it does not take into account: Refuse (default) or Ignore",
            "  FAKEGPU_IDENTITY (random)",
            "      name in leader election, unique among operators",
            "  FAKEGPU_PARTS (Publisher,Companion,Explainer,SimulatedKubelet)",
            "      the parts that run; operators with different parts need different namespaces",
            "  FAKEGPU_CATALOG_NAMESPACE (fakegpu-system)",
            "      namespace of the ConfigMaps that add GPU models",
            "  FAKEGPU_COMPANION_GATE (On)",
            "      whether the companion enforces compatibility groups: On, Off or Unaware",
            "  FAKEGPU_COMPANION_GROUP_POLICY (Snapshot)",
            "      which groups of allocated devices count: Snapshot (as recorded) or Live",
            "  FAKEGPU_COMPANION_MIXINS (On)",
            "      what the companion makes of mixins (KEP-5234): On, Off or Unaware",
            "  FAKEGPU_COMPANION_PREEMPTION (Disabled)",
            "      whether pods of the companion preempt pods of lower priority: Disabled or Enabled",
            "  FAKEGPU_COMPANION_BINDING_TIMEOUT (600s)",
            "      how long to wait for binding conditions of devices",
            "  FAKEGPU_COMPANION_WRITERS (16)",
            "      number of allocations that are written in parallel",
            "  FAKEGPU_COMPATIBILITY_GROUPS_PUBLISH (Auto)",
            "      default of spec.compatibilityGroups.publish: Auto, Always or Never",
            "  FAKEGPU_FOREIGN_SLICES_REMOVE_AFTER",
            "      such as 10m: how long after the announcement to remove slices of a FakeGpu's driver that",
            "      an uninstalled driver of the same name left on a node; if not set, they stay",
            "  FAKEGPU_EXPLANATIONS_NAMES (OwnNamespace)",
            "      what explanations name: Full, or OwnNamespace for claims of the reader's own namespace",
            "  FAKEGPU_DASHBOARD_ENABLED (false)",
            "      whether the page of fakegpu dashboard is served",
            "  FAKEGPU_DASHBOARD_ADDRESS (127.0.0.1), FAKEGPU_DASHBOARD_PORT (8088)",
            "      where it is served",
            "  FAKEGPU_DASHBOARD_AS_USER (false)",
            "      whether each caller sees the names that the caller's bearer token may list",
            "  FAKEGPU_KUBE_SCHEDULER_COMPATIBILITY_GROUPS",
            "      kube-scheduler's feature gate, if known: On, Off or Unaware",
            "  FAKEGPU_KUBE_SCHEDULER_METRICS_URL, FAKEGPU_KUBE_SCHEDULER_METRICS_CA_FILE",
            "      kube-scheduler's metrics to read the feature gate from, and their CA",
            "  QUARKUS_HTTP_PORT (8080)",
            "      port of health checks and metrics",
            "%nExamples:",
            "  fakegpu operator"
        })
final class OperatorCommand implements Callable<Integer> {

    private static final int DEFAULT_PORT = 8080;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        Optional<String> problem = ClusterConnection.problemOfEnvironment(System::getenv)
                .or(() -> portInUse(port(System.getenv("QUARKUS_HTTP_PORT"))));
        if (problem.isPresent()) {
            spec.commandLine().getErr().println("fakegpu: " + problem.get());
            return ExitCode.SOFTWARE;
        }
        Quarkus.run();
        return ExitCode.OK;
    }

    /** @param setting Quarkus handles values that are not ports */
    private static int port(@Nullable String setting) {
        try {
            return setting == null || setting.isBlank() ? DEFAULT_PORT : Integer.parseInt(setting.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Quarkus would notice this only after the start, and suggest killing the process that uses the port. */
    static Optional<String> portInUse(int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true); // closed connections do not count
            socket.bind(new InetSocketAddress(Math.min(Math.max(port, 0), 0xFFFF)));
            return Optional.empty();
        } catch (BindException e) {
            return Optional.of(
                    ("port %d, for health checks and metrics, is in use: set QUARKUS_HTTP_PORT to another one, or to"
                                    + " 0 for any that is free")
                            .formatted(port));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
