package dev.fakegpu.cli;

import dev.fakegpu.client.ClientSerialization;
import dev.fakegpu.snapshot.ClusterReader;
import dev.fakegpu.snapshot.ClusterSnapshot;
import dev.fakegpu.snapshot.ClusterUnreadableException;
import dev.fakegpu.util.Suggestion;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which cluster, as which user and in which namespace, with the meaning that they have for {@code kubectl}. */
final class ClusterOptions {

    private static final int CONNECT_MILLIS = 10_000;

    /** Set in containers of a cluster, which have a service account instead of a kubeconfig. */
    private static final String IN_CLUSTER = "KUBERNETES_SERVICE_HOST";

    /** A command is repeated by whoever called it, and should not keep that one waiting. */
    private static final int RETRIES = 1;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description =
                    "The kubeconfig file (default: the files that KUBECONFIG lists, else ~/.kube/config, else the pod's service account).")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "The context of the kubeconfig (default: its current one).")
    private @Nullable String context;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The namespace (default: that of the context).")
    private @Nullable String namespace;

    /**
     * Reads the cluster.
     *
     * @throws InvalidInputException if that is not possible
     */
    ClusterSnapshot read() {
        return with((client, ofContext) -> new ClusterReader(client).read(ofContext));
    }

    /**
     * Uses a client for the cluster, and closes it.
     *
     * @param use of the client and the namespace
     * @throws InvalidInputException if there is no such context, or the cluster cannot be read
     */
    <T> T with(BiFunction<KubernetesClient, String, T> use) {
        Config config = config();
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setRequestRetryBackoffLimit(RETRIES);
        try (KubernetesClient client =
                ClientSerialization.builder().withConfig(config).build()) {
            return use.apply(client, namespace(config));
        } catch (ClusterUnreadableException e) {
            throw new InvalidInputException(String.valueOf(e.getMessage()));
        }
    }

    /** The namespace of the option, or else another one. */
    String namespaceOr(String other) {
        return namespace == null || namespace.isEmpty() ? other : namespace;
    }

    boolean isNamespaceGiven() {
        return namespace != null && !namespace.isEmpty();
    }

    private String namespace(Config config) {
        if (namespace != null && !namespace.isEmpty()) {
            return namespace;
        }
        return Objects.requireNonNullElse(config.getNamespace(), "default");
    }

    private Config config() {
        Config config = kubeconfig == null ? fromEnvironment() : fromFile(kubeconfig);
        if (kubeconfig == null && config.getContexts().isEmpty() && System.getenv(IN_CLUSTER) == null) {
            throw new InvalidInputException(
                    "there is no kubeconfig: name one with --kubeconfig or in KUBECONFIG, or put it in ~/.kube/config");
        }
        if (context != null) {
            List<String> known =
                    config.getContexts().stream().map(NamedContext::getName).toList();
            if (!known.contains(context)) {
                throw new InvalidInputException("there is no context \"%s\" in the kubeconfig%s"
                        .formatted(context, Suggestion.hint(context, known)));
            }
        }
        return config;
    }

    private Config fromFile(Path path) {
        File file = path.toFile();
        if (!file.isFile()) {
            throw InvalidInputException.unreadable(path, new NoSuchFileException(path.toString()));
        }
        try {
            return Config.fromKubeconfig(context, file);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            // Not with the message, which may quote credentials.
            throw new InvalidInputException(path.toAbsolutePath() + ": is no kubeconfig");
        }
    }

    private Config fromEnvironment() {
        try {
            return Config.autoConfigure(context);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            throw new InvalidInputException(
                    "one of these is no kubeconfig: " + String.join(", ", Config.getKubeconfigFilenames()));
        }
    }
}
