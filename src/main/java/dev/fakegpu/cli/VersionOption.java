package dev.fakegpu.cli;

import dev.fakegpu.kube.manifest.KubernetesVersion;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --kubernetes} of commands that can read a cluster. */
final class VersionOption {

    @Option(
            names = "--kubernetes",
            paramLabel = "VERSION",
            converter = SimulatedWorlds.VersionConverter.class,
            description =
                    "Version of Kubernetes whose API server checks objects: ${COMPLETION-CANDIDATES} (default: that of the cluster, or 1.37 without one).")
    private @Nullable KubernetesVersion version;

    /** @param cluster reads the version of the cluster, only if the option is not set */
    KubernetesVersion or(Supplier<KubernetesVersion> cluster) {
        return version != null ? version : cluster.get();
    }
}
