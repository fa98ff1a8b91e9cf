package dev.fakegpu.cli;

import io.quarkus.runtime.Quarkus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code fakegpu operator}: runs publisher, companion and simulated kubelet in one process until it is stopped. */
@Command(
        name = "operator",
        mixinStandardHelpOptions = true,
        description = {
            "Run the operator: publish FakeGpus, allocate their devices (companion) and run the pods of simulated nodes.",
            "Needs a cluster that serves resource.k8s.io/v1 and has the FakeGpu CRD, and the rights in config/rbac. The cluster is"
                    + " that of the current kubeconfig, or inside a pod that of the pod."
        },
        footerHeading = "%nEnvironment variables, read at the start:%n",
        footer = {
            "  FAKEGPU_NAMESPACE           namespace of the Lease and of the ConfigMap fakegpu-operator, whose entries companion.gate",
            "                              and companion.groupPolicy override the environment at any time (fakegpu-system)",
            "  FAKEGPU_IDENTITY            name in leader election, unique among operators (random)",
            "  FAKEGPU_CATALOG_NAMESPACE   namespace of the ConfigMaps that add GPU models (fakegpu-system)",
            "  FAKEGPU_COMPANION_GATE      whether the companion enforces compatibility groups: On, Off or Unaware (On)",
            "  FAKEGPU_COMPANION_GROUP_POLICY",
            "                              groups of allocated devices that count: Snapshot or Live (Snapshot)",
            "  FAKEGPU_COMPANION_BINDING_TIMEOUT",
            "                              how long to wait for binding conditions (600s)",
            "  FAKEGPU_COMPANION_WRITERS   how many allocations are written in parallel (16)",
            "  FAKEGPU_COMPATIBILITY_GROUPS_PUBLISH",
            "                              default of spec.compatibilityGroups.publish: Auto, Always or Never (Auto)",
            "  FAKEGPU_KUBE_SCHEDULER_COMPATIBILITY_GROUPS",
            "                              kube-scheduler's feature gate, if known: On, Off or Unaware",
            "  FAKEGPU_KUBE_SCHEDULER_METRICS_URL, FAKEGPU_KUBE_SCHEDULER_METRICS_CA_FILE",
            "                              where to read that feature gate from otherwise",
            "  QUARKUS_HTTP_PORT           port of health checks and metrics (8080)"
        })
final class OperatorCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        Quarkus.run();
        return 0;
    }
}
