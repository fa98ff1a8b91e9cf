package dev.fakegpu.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.cluster.snapshot.ClusterUnreadableException;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.CompressedHttpClientFactory;
import dev.fakegpu.kube.client.Pages;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.kube.manifest.ServerVersion;
import dev.fakegpu.operator.publish.server.SchedulerGate;
import dev.fakegpu.util.Suggestion;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.File;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select the cluster and the user, with the same meaning as in {@code kubectl}. */
final class ClusterConnection {

    /** API servers before 1.37 do not know the parameter and respond with all their metrics, which take megabytes. */
    private static final String FEATURE_GATES = "/metrics?name%5B%5D=kubernetes_feature_enabled";

    private static final int CONNECT_MILLIS = 10_000;

    /** Set in containers of a cluster, which have a service account instead of a kubeconfig. */
    private static final String IN_CLUSTER = "KUBERNETES_SERVICE_HOST";

    /** With one of these properties, or its environment variable, Quarkus and the client need no kubeconfig. */
    private static final List<String> ADDRESSES = List.of(
            "quarkus.kubernetes-client.api-server-url", "quarkus.kubernetes-client.master-url", "kubernetes.master");

    /** The caller can repeat a command, and should not have to wait. */
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

    private @Nullable Session open;

    /** @param namespace the namespace of the context */
    private record Session(KubernetesClient client, String namespace) {}

    /**
     * Calls a function with a client that reads what snapshots need, and closes the client. Nested calls use the same client, since a new
     * one takes half a second.
     *
     * @param use uses the client and the namespace of the context
     * @throws InvalidInputException if there is no such context or the cluster cannot be read
     */
    <T> T with(BiFunction<KubernetesClient, String, T> use) {
        return open == null
                ? withNew(ClientSerialization.snapshotBuilder(), use)
                : use.apply(open.client(), open.namespace());
    }

    /** Does the same with a client that reads objects completely, which takes longer. */
    <T> T withWholeObjects(BiFunction<KubernetesClient, String, T> use) {
        return withNew(ClientSerialization.builder().withHttpClientFactory(new CompressedHttpClientFactory()), use);
    }

    private <T> T withNew(KubernetesClientBuilder builder, BiFunction<KubernetesClient, String, T> use) {
        Config config = config();
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setRequestRetryBackoffLimit(RETRIES);
        try (KubernetesClient client = client(builder.withConfig(config))) {
            var session = new Session(client, Objects.requireNonNullElse(config.getNamespace(), "default"));
            open = session;
            return use.apply(client, session.namespace());
        } catch (ClusterUnreadableException e) {
            throw new InvalidInputException(String.valueOf(e.getMessage()));
        } finally {
            open = null;
        }
    }

    private static KubernetesClient client(KubernetesClientBuilder builder) {
        try {
            return builder.build();
        } catch (KubernetesClientException e) {
            throw new InvalidInputException("the certificates or the key of the kubeconfig cannot be used: "
                    + Objects.requireNonNullElse(e.getCause(), e).getMessage());
        }
    }

    /**
     * All objects of some kinds, as if they were read from a file {@code cluster}.
     *
     * @throws InvalidInputException if they cannot be read
     */
    List<Manifest> manifests(List<Class<? extends HasMetadata>> kinds) {
        return withWholeObjects((client, ofContext) -> manifests(client, kinds));
    }

    /**
     * All objects of some kinds, and the nodes if the user may list them.
     *
     * @param unread receives the reason why the nodes are missing
     */
    List<Manifest> manifestsAndNodes(List<Class<? extends HasMetadata>> kinds, Consumer<String> unread) {
        return withWholeObjects((client, ofContext) -> {
            var all = new ArrayList<>(manifests(client, kinds));
            try {
                all.addAll(manifests(client, List.of(Node.class)));
            } catch (InvalidInputException e) {
                unread.accept(String.valueOf(e.getMessage()));
            }
            return all;
        });
    }

    private static List<Manifest> manifests(KubernetesClient client, List<Class<? extends HasMetadata>> kinds) {
        try {
            return kinds.stream()
                    .<HasMetadata>flatMap(
                            kind -> Pages.list(client.resources(kind).inAnyNamespace(), Pages.LARGE).stream())
                    .map(object ->
                            new Manifest("cluster", Serialization.jsonMapper().<JsonNode>valueToTree(object)))
                    .toList();
        } catch (KubernetesClientException e) {
            String names =
                    kinds.stream().map(kind -> HasMetadata.getPlural(kind)).collect(Collectors.joining(" and "));
            throw new InvalidInputException(
                    "cannot read " + names + " from " + client.getMasterUrl() + ": " + reason(e));
        }
    }

    private static String reason(KubernetesClientException failure) {
        return failure.getStatus() == null
                ? String.valueOf(failure.getMessage())
                : String.valueOf(failure.getStatus().getMessage());
    }

    /** Returns a connection with the same kubeconfig and another context; returns this connection if the name is empty. */
    ClusterConnection inContext(String name) {
        var other = new ClusterConnection();
        other.kubeconfig = kubeconfig;
        other.context = name.isEmpty() ? context : name;
        return other;
    }

    /** The feature gate for compatibility groups from the API server's metrics, which usually only administrators may read. */
    Optional<GroupsGate> apiServerGate() {
        return with((client, namespace) -> {
            try {
                // Null if there is nothing at this path, as is the case behind some proxies.
                return Optional.ofNullable(client.raw(FEATURE_GATES))
                        .flatMap(metrics -> SchedulerGate.fromMetrics(metrics).known());
            } catch (KubernetesClientException e) {
                return Optional.empty();
            }
        });
    }

    /**
     * The version of the API server, or the nearest one that is known.
     *
     * @param notes receives a note if it cannot be read and is taken to be the newest one
     */
    KubernetesVersion version(Consumer<String> notes) {
        return with((client, namespace) -> ServerVersion.of(client)).orElseGet(() -> {
            notes.accept(
                    "the version of the API server cannot be read, and is taken to be " + KubernetesVersion.NEWEST);
            return KubernetesVersion.NEWEST;
        });
    }

    private Config config() {
        ClientSerialization.readKubeconfigsFast();
        Config config = kubeconfig == null ? fromEnvironment(context) : fromFile(kubeconfig);
        if (kubeconfig == null && namesNoCluster(config, System::getenv)) {
            throw new InvalidInputException(noKubeconfig(System.getenv("KUBECONFIG"), "or name one with --kubeconfig"));
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

    /**
     * Why the environment and the system properties name no cluster, for the operator, which has no options for it; empty if they name
     * one.
     *
     * @param environment the values of environment variables
     */
    static Optional<String> problemOfEnvironment(Function<String, @Nullable String> environment) {
        if (ADDRESSES.stream()
                .anyMatch(property -> System.getProperty(property) != null
                        || environment.apply(Utils.convertSystemPropertyNameToEnvVar(property)) != null)) {
            return Optional.empty();
        }
        try {
            return namesNoCluster(fromEnvironment(null), environment)
                    ? Optional.of(noKubeconfig(
                            environment.apply("KUBECONFIG"), "or run the operator in a pod of the cluster"))
                    : Optional.empty();
        } catch (InvalidInputException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    private static boolean namesNoCluster(Config config, Function<String, @Nullable String> environment) {
        return config.getContexts().isEmpty() && environment.apply(IN_CLUSTER) == null;
    }

    /**
     * @param named the value of the environment variable KUBECONFIG
     * @param otherwise another way to name a cluster
     */
    static String noKubeconfig(@Nullable String named, String otherwise) {
        return named == null || named.isBlank()
                ? "there is no kubeconfig: name one in KUBECONFIG, put it in ~/.kube/config, " + otherwise
                : "KUBECONFIG is %s, where there is no kubeconfig with a context: correct it, %s"
                        .formatted(named, otherwise);
    }

    private Config fromFile(Path path) {
        File file = path.toFile();
        if (!file.isFile()) {
            throw InvalidInputException.unreadable(path, new NoSuchFileException(path.toString()));
        }
        try {
            return Config.fromKubeconfig(context, file);
        } catch (KubernetesClientException | IllegalArgumentException | ClassCastException e) {
            // The last exception is for YAML that is not an object. The message is dropped, because it may quote
            // credentials.
            throw new InvalidInputException(path.toAbsolutePath() + ": is not a kubeconfig");
        }
    }

    private static Config fromEnvironment(@Nullable String context) {
        try {
            return Config.autoConfigure(context);
        } catch (KubernetesClientException | IllegalArgumentException | ClassCastException e) {
            throw new InvalidInputException(
                    "one of these is not a kubeconfig: " + String.join(", ", Config.getKubeconfigFilenames()));
        }
    }
}
