package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.dashboard.server.Admission.DeniedException;
import dev.fakegpu.dashboard.server.Admission.UndecidedException;
import dev.fakegpu.dashboard.server.Visibility.Namespaces;
import dev.fakegpu.kube.client.IdleTimeoutHttpClientFactory;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.Vertx;
import java.net.HttpURLConnection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server, with the caller's own token, who the caller is and what the caller may list. Every user may ask that (ClusterRole
 * {@code system:basic-user}), so this process needs no permission to review other users' tokens and access, and cannot mistake its own
 * permissions for the caller's.
 */
final class CallerRights {

    /** Permissions are checked in at most this many namespaces; objects in other namespaces are not named. */
    static final int MAX_NAMESPACES = 200;

    private static final int TIMEOUT_MILLIS = 5_000;

    private static final Resource PODS = new Resource("", "pods");
    private static final Resource CLAIMS = new Resource("resource.k8s.io", "resourceclaims");
    private static final Resource TAINT_RULES = new Resource("resource.k8s.io", "devicetaintrules");

    private final IdleTimeoutHttpClientFactory http;
    private final Config apiServer;
    private final Supplier<ClusterObjects> cluster;

    /**
     * @param vertx the instance whose threads are used
     * @param server its address and certificate authority are used, but no credentials
     */
    CallerRights(Vertx vertx, Config server, Supplier<ClusterObjects> cluster) {
        http = new IdleTimeoutHttpClientFactory(vertx, IdleTimeoutHttpClientFactory.IDLE_TIMEOUT);
        this.apiServer = withoutCredentials(server);
        this.cluster = cluster;
    }

    private record Resource(String group, String name) {}

    static Config withoutCredentials(Config server) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(server.getMasterUrl())
                .withApiVersion(server.getApiVersion())
                .withCaCertData(server.getCaCertData())
                .withCaCertFile(server.getCaCertFile())
                .withTrustCerts(server.isTrustCerts())
                .withDisableHostnameVerification(server.isDisableHostnameVerification())
                .withHttpProxy(server.getHttpProxy())
                .withHttpsProxy(server.getHttpsProxy())
                .withNoProxy(server.getNoProxy())
                .withConnectionTimeout(TIMEOUT_MILLIS)
                .withRequestTimeout(TIMEOUT_MILLIS)
                .withRequestRetryBackoffLimit(1)
                .build();
    }

    /**
     * Returns the caller and what the caller may see; blocks.
     *
     * @throws DeniedException if the API server does not accept the token or does not respond
     */
    Caller of(String token) {
        Config config = new ConfigBuilder(apiServer).withOauthToken(token).build();
        try (var client = new KubernetesClientBuilder()
                .withHttpClientFactory(http)
                .withConfig(config)
                .build()) {
            boolean allPods = mayList(client, PODS, null);
            boolean allClaims = mayList(client, CLAIMS, null);
            Set<String> asked = allPods && allClaims ? Set.of() : namespaces();
            return Caller.of(
                    user(client),
                    new Visibility(
                            allPods ? Namespaces.ALL : listed(client, PODS, asked),
                            allClaims ? Namespaces.ALL : listed(client, CLAIMS, asked),
                            mayList(client, TAINT_RULES, null)));
        } catch (KubernetesClientException e) {
            throw denied(e);
        }
    }

    private static String user(KubernetesClient client) {
        return client.authentication()
                .v1()
                .selfSubjectReviews()
                .create(new SelfSubjectReview())
                .getStatus()
                .getUserInfo()
                .getUsername();
    }

    private static DeniedException denied(KubernetesClientException e) {
        return switch (e.getCode()) {
            case HttpURLConnection.HTTP_UNAUTHORIZED ->
                new DeniedException(HttpURLConnection.HTTP_UNAUTHORIZED, "the cluster does not accept this token");
            case HttpURLConnection.HTTP_FORBIDDEN ->
                new DeniedException(
                        HttpURLConnection.HTTP_FORBIDDEN,
                        "the cluster does not let this user ask what it may see (selfsubjectreviews, selfsubjectaccessreviews)");
            default -> new UndecidedException("the cluster cannot be asked now what this user may see; try again");
        };
    }

    /** Namespaces that have claims, or pods that use claims. */
    private Set<String> namespaces() {
        ClusterObjects objects = cluster.get();
        Stream<? extends HasMetadata> users = objects.pods().stream()
                .filter(pod -> pod.getSpec() != null
                        && !pod.getSpec().getResourceClaims().isEmpty());
        return Stream.concat(objects.claims().stream(), users)
                .map(object -> object.getMetadata().getNamespace())
                .distinct()
                .sorted()
                .limit(MAX_NAMESPACES)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Namespaces listed(KubernetesClient client, Resource resource, Set<String> namespaces) {
        List<String> allowed = namespaces.stream()
                .filter(namespace -> mayList(client, resource, namespace))
                .toList();
        return new Namespaces(false, Set.copyOf(allowed));
    }

    /** @param namespace null for all namespaces */
    private static boolean mayList(KubernetesClient client, Resource resource, @Nullable String namespace) {
        return client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withNewResourceAttributes()
                        .withVerb("list")
                        .withGroup(resource.group())
                        .withResource(resource.name())
                        .withNamespace(namespace)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }
}
