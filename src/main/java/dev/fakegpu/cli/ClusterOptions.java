package dev.fakegpu.cli;

import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select the cluster, the user and the namespace, with the same meaning as in {@code kubectl}. */
final class ClusterOptions {

    @Mixin
    private final ClusterConnection connection = new ClusterConnection();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The namespace (default: that of the context).")
    private @Nullable String namespace;

    /**
     * Calls a function with a client for the cluster, and closes the client.
     *
     * @param use uses the client and the namespace
     * @throws InvalidInputException if there is no such context or the cluster cannot be read
     */
    <T> T with(BiFunction<KubernetesClient, String, T> use) {
        return connection.with((client, ofContext) -> use.apply(client, namespaceOr(ofContext)));
    }

    /** See {@link ClusterConnection#withWholeObjects}. */
    <T> T withWholeObjects(BiFunction<KubernetesClient, String, T> use) {
        return connection.withWholeObjects((client, ofContext) -> use.apply(client, namespaceOr(ofContext)));
    }

    /** See {@link ClusterConnection#apiServerGate}. */
    Optional<GroupsGate> apiServerGate() {
        return connection.apiServerGate();
    }

    /** See {@link ClusterConnection#version}. */
    KubernetesVersion version(Consumer<String> notes) {
        return connection.version(notes);
    }

    /** The namespace of the option or, if it is not set, another one. */
    String namespaceOr(String other) {
        return namespace == null || namespace.isEmpty() ? other : namespace;
    }

    boolean isNamespaceGiven() {
        return namespace != null && !namespace.isEmpty();
    }
}
